import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { FairleadError, messageOf } from "../../../core/error.ts";
import { describeFileFailure } from "../../../core/file-failure.ts";
import type { UpstreamTls } from "../upstream/connect.ts";

/** Paths of PEM files: a pair, authorities, or both. */
export interface CertificatePaths {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
}

const maxFileBytes = 1024 * 1024;

/** Certificates in files that are replaced while they are used. */
export class CertificateFiles {
  readonly #paths: CertificatePaths;
  #current: UpstreamTls;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** What was found unusable last; it is told once, and only when it stays: files are replaced one by one. */
  #unusable: { readonly found: UpstreamTls | undefined; readonly isTold: boolean } | undefined;

  private constructor(paths: CertificatePaths, current: UpstreamTls) {
    this.#paths = paths;
    this.#current = current;
  }

  /** @throws FairleadError `config-invalid` where a file cannot be read, is none of PEM, or key and certificate differ */
  static async open(paths: CertificatePaths): Promise<CertificateFiles> {
    const current = await read(paths);
    requireUsable(current, paths);
    return new CertificateFiles(paths, current);
  }

  get current(): UpstreamTls {
    return this.#current;
  }

  /**
   * Looks at the files now and then: a mounted Secret changes by links, which watchers miss.
   * @param onChange told of usable ones, which are in force from then on
   * @param onRefused told once of each that is not; the old ones stay in force
   */
  watch(everyMs: number, onChange: (tls: UpstreamTls) => void, onRefused: (error: unknown) => void): void {
    const look = async (): Promise<void> => {
      let found: UpstreamTls | undefined;
      try {
        found = await read(this.#paths);
        const changed = !isSame(found, this.#current);
        if (changed) requireUsable(found, this.#paths);
        this.#unusable = undefined;
        if (!changed) return;
        this.#current = found;
        onChange(found);
      } catch (error) {
        const stays = this.#unusable !== undefined && isSame(found, this.#unusable.found);
        if (stays && this.#unusable?.isTold === false) onRefused(error);
        this.#unusable = { found, isTold: stays };
      } finally {
        if (!this.#isClosed) next();
      }
    };
    const next = (): void => {
      this.#timer = setTimeout(() => void look(), everyMs).unref();
    };
    next();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}

function isSame(left: UpstreamTls | undefined, right: UpstreamTls | undefined): boolean {
  return left?.cert === right?.cert && left?.key === right?.key && left?.ca === right?.ca;
}

async function read({ cert, key, ca }: CertificatePaths): Promise<UpstreamTls> {
  const [certText, keyText, caText] = await Promise.all([cert, key, ca].map(readPem));
  return { cert: certText, key: keyText, ca: caText };
}

async function readPem(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    if ((await stat(path)).size > maxFileBytes) {
      throw new FairleadError("config-invalid", `the file is larger than ${maxFileBytes} bytes`, {
        where: { file: path },
      });
    }
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("config-invalid", `cannot read the file: ${describeFileFailure(cause)}`, {
      where: { file: path },
      cause,
    });
  }
}

function requireUsable({ cert, key, ca }: UpstreamTls, paths: CertificatePaths): void {
  if (ca !== undefined) attempt("no certificates of authorities", paths.ca, () => new X509Certificate(ca));
  if (cert === undefined || key === undefined) return;
  attempt("no certificate", paths.cert, () => new X509Certificate(cert));
  attempt("no private key of the certificate", paths.key, () => createSecureContext({ cert, key }));
}

function attempt(what: string, file: string | undefined, work: () => unknown): void {
  try {
    work();
  } catch (cause) {
    throw new FairleadError("config-invalid", `${what} can be read in the file: ${messageOf(cause)}`, {
      where: file === undefined ? {} : { file },
      cause,
    });
  }
}
