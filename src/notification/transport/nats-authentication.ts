import { FairleadError } from "../../core/error.ts";
import type { NatsCredentials } from "../providers/provider.ts";

/**
 * The members of CONNECT that prove who is there; nkeys sign the nonce that the server has sent.
 * @throws FairleadError `delivery-failed` for credentials that are none, without them
 */
export async function authenticate(
  credentials: NatsCredentials,
  nonce: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (credentials.kind === "none") return {};
  if (credentials.kind === "password") return { user: credentials.username, pass: credentials.password };
  const { credsAuthenticator, nkeyAuthenticator } = await import("@nats-io/transport-node");
  try {
    const sign =
      credentials.kind === "creds"
        ? credsAuthenticator(Buffer.from(credentials.creds))
        : nkeyAuthenticator(Buffer.from(credentials.seed.trim()));
    const proof: object = sign(nonce) ?? {};
    return { ...proof };
  } catch {
    // The cause may quote the seed.
    throw new FairleadError("delivery-failed", `the ${credentials.kind} of the Secret cannot be used`, {
      hint: "creds is the text of a credentials file, nkey a seed that begins with SU",
    });
  }
}
