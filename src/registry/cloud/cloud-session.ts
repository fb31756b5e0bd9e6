import { open } from "node:fs/promises";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Environment } from "../transport/proxy-choice.ts";
import type { Exchange } from "./exchange.ts";

/** A Kubernetes ServiceAccount that stands for an object in a cloud. */
export interface CloudAccount {
  readonly namespace: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** A token of the ServiceAccount for these audiences. @throws FairleadError */
  token(audiences: readonly string[]): Promise<string>;
}

/** What one exchange of identities has at hand. */
export interface CloudSession {
  /** This process's environment, where platforms put what identifies a workload. */
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Asks a service of the cloud, through the proxy where there is one. */
  readonly remote: Exchange;
  /** Asks a service of the machine itself, where no proxy stands between. */
  readonly local: Exchange;
  /** Default: the identity of this process. */
  readonly account?: CloudAccount | undefined;
}

const maxFileBytes = 64 * 1024;

/** A variable of the environment; empty is as good as none. */
export function variable({ environment }: CloudSession, name: string): string | undefined {
  const value = environment[name]?.trim() ?? "";
  return value === "" ? undefined : value;
}

/**
 * Reads a small file that a variable of the environment names, such as a token that the platform renews.
 * @throws FairleadError `credentials-invalid`
 */
export async function readIdentityFile(file: string, name: string): Promise<string> {
  let text: string;
  try {
    const handle = await open(file, "r");
    try {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(maxFileBytes + 1) });
      if (bytesRead > maxFileBytes) throw invalidIdentity(`the file of ${name} is too large`);
      text = buffer.toString("utf8", 0, bytesRead).trim();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw invalidIdentity(`the file of ${name} cannot be read: ${messageOf(cause)}`);
  }
  if (text === "") throw invalidIdentity(`the file of ${name} is empty`);
  return text;
}

/**
 * An address that a variable of the environment gives, without a slash at its end.
 * @throws FairleadError `config-invalid`
 */
export function endpointVariable(session: CloudSession, name: string): string | undefined {
  const value = variable(session, name);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new FairleadError("config-invalid", `${name} is no URL of http or https`);
  }
  return url.href.replace(/\/+$/u, "");
}

/** The error for an identity that is missing or that cannot be used. */
export function invalidIdentity(message: string, hint?: string): FairleadError {
  return new FairleadError("credentials-invalid", message, { hint });
}
