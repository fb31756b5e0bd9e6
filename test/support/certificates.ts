import { writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../../src/core/process.ts";

/** A certificate with its key, as PEM files. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A certificate authority of one test, made with openssl. */
export interface Authority extends CertificateFiles {
  /**
   * A certificate for 127.0.0.1 and localhost, good for servers and clients.
   * @param organizations what Kubernetes takes as the groups of a client
   * @param hosts names for which it is good besides
   */
  issue(
    name: string,
    organizations?: readonly string[],
    hosts?: readonly string[],
  ): Promise<CertificateFiles>;
}

/**
 * Makes an authority in a folder that the caller removes.
 * @throws Error with what openssl printed
 */
export async function createAuthority(openssl: string, folder: string, name: string): Promise<Authority> {
  const authority = filesOf(folder, name);
  await openSsl(openssl, `req -x509 ${newKey} -days 2`, {
    subj: `/CN=${name}`,
    keyout: authority.keyFile,
    out: authority.certificateFile,
  });
  return {
    ...authority,
    issue: async (subject, organizations = [], hosts = []) => {
      const issued = filesOf(folder, subject);
      const request = path.join(folder, `${subject}.csr`);
      const extensions = path.join(folder, `${subject}.ext`);
      const names = ["IP:127.0.0.1", "DNS:localhost", ...hosts.map((host) => `DNS:${host}`)];
      await writeFile(
        extensions,
        `subjectAltName=${names.join(",")}\nextendedKeyUsage=serverAuth,clientAuth\n`,
      );
      await openSsl(openssl, `req ${newKey}`, {
        subj: `${organizations.map((organization) => `/O=${organization}`).join("")}/CN=${subject}`,
        keyout: issued.keyFile,
        out: request,
      });
      await openSsl(openssl, "x509 -req -days 1 -CAcreateserial", {
        CA: authority.certificateFile,
        CAkey: authority.keyFile,
        in: request,
        extfile: extensions,
        out: issued.certificateFile,
      });
      return issued;
    },
  };
}

function filesOf(folder: string, name: string): CertificateFiles {
  return { certificateFile: path.join(folder, `${name}.pem`), keyFile: path.join(folder, `${name}.key`) };
}

const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

async function openSsl(
  program: string,
  command: string,
  options: Readonly<Record<string, string>>,
): Promise<void> {
  const flags = Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]);
  const { exitCode, stderr } = await run(program, [...command.split(" "), ...flags]);
  if (exitCode !== 0) throw new Error(`openssl ${command} failed: ${stderr}`);
}
