import { excerpt } from "../../core/escape.ts";
import { FairleadError } from "../../core/error.ts";
import { run } from "../../core/process.ts";
import type { Secret } from "../../objects/secret.ts";
import { askpassFor, withLineEnd } from "./access-settings.ts";
import { secretTexts } from "./git-access.ts";
import { gitEnvironment, type GitSetting } from "./git-environment.ts";
import type { PrivateFolder } from "./private-folder.ts";

/** What git needs to sign a commit. */
export interface CommitSigner {
  readonly settings: readonly GitSetting[];
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Ends what was started for signing. */
  close(): Promise<void>;
}

export interface SignerOptions {
  readonly type: "gpg" | "ssh";
  readonly secret: Secret;
  readonly folder: PrivateFolder;
  readonly inherited: Readonly<Record<string, string | undefined>>;
}

/**
 * Makes a signing key usable, in files of a private folder alone.
 * @throws FairleadError `credentials-invalid`, `tool-missing`
 */
export async function openSigner(options: SignerOptions): Promise<CommitSigner> {
  return options.type === "gpg" ? openGpgSigner(options) : openSshSigner(options);
}

async function openSshSigner({ secret, folder }: SignerOptions): Promise<CommitSigner> {
  const { identity, password = "" } = secretTexts(secret);
  if (identity === undefined) throw invalidKey(secret, "has no identity");
  const file = await folder.file("signing-key", withLineEnd(identity));
  return {
    settings: [
      ["commit.gpgSign", "true"],
      ["gpg.format", "ssh"],
      ["user.signingKey", file],
    ],
    variables: await askpassFor(password, "signing", folder),
    secrets: [identity, password],
    close: () => Promise.resolve(),
  };
}

async function openGpgSigner({ secret, folder, inherited }: SignerOptions): Promise<CommitSigner> {
  const { "git.asc": key, passphrase = "" } = secretTexts(secret);
  if (key === undefined) throw invalidKey(secret, "has no git.asc");
  const home = await folder.folder("gpg");
  const passphraseFile = await folder.file("gpg-passphrase", `${passphrase}\n`);
  const configuration = ["batch", "no-tty", "no-greeting", "pinentry-mode loopback"];
  await folder.file("gpg/gpg.conf", [...configuration, `passphrase-file ${passphraseFile}`, ""].join("\n"));
  await folder.file("gpg/gpg-agent.conf", "allow-loopback-pinentry\nno-allow-external-cache\n");
  const env = { ...gitEnvironment({ inherited, home }), GNUPGHOME: home };
  const close = async (): Promise<void> => {
    await run("gpgconf", ["--kill", "all"], { env, timeoutMs: 10_000 }).catch(() => undefined);
  };
  try {
    const imported = await run("gpg", ["--import"], { env, stdin: key, timeoutMs: 30_000 });
    if (imported.exitCode !== 0) throw invalidKey(secret, "has a git.asc that gpg cannot read");
    const listed = await run("gpg", ["--with-colons", "--fingerprint", "--list-secret-keys"], {
      env,
      timeoutMs: 30_000,
    });
    const [fingerprint, ...others] = fingerprintsOf(listed.stdout);
    if (fingerprint === undefined) throw invalidKey(secret, "has no secret key in git.asc");
    if (others.length > 0) throw invalidKey(secret, "has more than one key in git.asc");
    return {
      settings: [
        ["commit.gpgSign", "true"],
        ["gpg.format", "openpgp"],
        ["user.signingKey", fingerprint],
      ],
      variables: { GNUPGHOME: home },
      secrets: [key, passphrase],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The fingerprints of the primary secret keys in gpg's listing (doc/DETAILS of GnuPG). */
function fingerprintsOf(listing: string): readonly string[] {
  const fingerprints: string[] = [];
  let isPrimary = false;
  for (const line of listing.split("\n")) {
    const fields = line.split(":");
    if (fields[0] === "sec" || fields[0] === "ssb") isPrimary = fields[0] === "sec";
    if (fields[0] === "fpr" && isPrimary) fingerprints.push(fields[9] ?? "");
    if (fields[0] === "fpr") isPrimary = false;
  }
  return fingerprints.filter((fingerprint) => /^[0-9A-F]{40,64}$/u.test(fingerprint));
}

function invalidKey({ meta }: Secret, reason: string): FairleadError {
  const name = excerpt(`${meta.namespace}/${meta.name}`);
  return new FairleadError("credentials-invalid", `the Secret ${name} of the signing key ${reason}`);
}
