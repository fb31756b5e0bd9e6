import type { PeerCertificate, TLSSocket } from "node:tls";
import { FairleadError } from "../../../core/error.ts";

/** Who a verified client certificate says its holder is, by Kubernetes's rule: CN is the user, each O a group. */
export interface ClientIdentity {
  readonly user: string;
  readonly groups: readonly string[];
}

/**
 * The identity in a connection's client certificate; undefined where there is none, or none that a trusted
 * authority vouches for.
 * @throws FairleadError `access-denied` for names that would not arrive upstream as they are
 */
export function clientIdentity(socket: TLSSocket): ClientIdentity | undefined {
  if (!socket.authorized) return undefined;
  // A session may count as authorized without any certificate: there must be one.
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (subject === undefined) return undefined;
  const [user, ...others] = namesIn(subject.CN);
  if (user === undefined) return undefined;
  const groups = namesIn(subject.O);
  if (others.length > 0 || ![user, ...groups].every(isCarriedWhole)) {
    throw new FairleadError("access-denied", "the client certificate names its holder ambiguously");
  }
  return { user, groups };
}

/** The fields by which a front proxy tells the API server who asks. */
export function identityHeaders({ user, groups }: ClientIdentity): Record<string, string | string[]> {
  return {
    "x-remote-user": inBytes(user),
    ...(groups.length === 0 ? {} : { "x-remote-group": groups.map(inBytes) }),
  };
}

function namesIn(value: string | string[] | undefined): readonly string[] {
  if (value === undefined || value === "") return [];
  return typeof value === "string" ? [value] : value;
}

/** Blanks around a header's value are dropped on the way, and another name is left. */
function isCarriedWhole(name: string): boolean {
  return name !== "" && name === name.trim() && !/[\0-\u001f\u007f]/u.test(name);
}

/** Node writes the characters of a header as bytes, and Go reads them as UTF-8. */
function inBytes(name: string): string {
  return Buffer.from(name, "utf8").toString("latin1");
}
