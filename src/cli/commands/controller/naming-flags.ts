import { FairleadError } from "../../../core/error.ts";

/** What the system does for a listener. */
const listening: ReadonlySet<unknown> = new Set(["listen", "getaddrinfo"]);

/** Tells beside an address that cannot be listened on which flags give another. */
export async function namingFlags<Result>(flags: string, starting: Promise<Result>): Promise<Result> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const { code, message, cause } = error;
    if (!(cause instanceof Error && "syscall" in cause && listening.has(cause.syscall))) throw error;
    const hint = `an address has to be free, and this machine's: give another by ${flags}`;
    throw new FairleadError(code, message, { hint, cause });
  }
}
