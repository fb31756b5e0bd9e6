import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { FairleadError, messageOf } from "../../core/error.ts";
import { lazy } from "../../core/lazy.ts";
import type { RegistryAccess } from "../registry-api.ts";

/** Node's own certificates and those of the operating system, read once: there are hundreds. */
const commonCertificates = lazy((): readonly string[] => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
]);

/**
 * What TLS trusts and shows: the common certificates with those of the access, and its client certificate.
 * @throws FairleadError `credentials-invalid` for what is no certificate or key
 */
export function createTlsContext({
  ca,
  clientCertificate,
}: Pick<RegistryAccess, "ca" | "clientCertificate">): SecureContext {
  const pem = ca === undefined ? [] : [Buffer.from(ca).toString()];
  if (pem.some((text) => !text.includes("-----BEGIN CERTIFICATE-----"))) {
    throw new FairleadError("credentials-invalid", "the CA holds no certificate", {
      hint: "a CA is one or more certificates in PEM, each from -----BEGIN CERTIFICATE-----",
    });
  }
  try {
    return createSecureContext({
      ca: [...commonCertificates(), ...pem],
      minVersion: "TLSv1.2",
      ...(clientCertificate === undefined
        ? {}
        : { cert: Buffer.from(clientCertificate.cert), key: Buffer.from(clientCertificate.key) }),
    });
  } catch (cause) {
    const what = clientCertificate === undefined ? "the CA" : "the CA or the client certificate with its key";
    throw new FairleadError("credentials-invalid", `${what} cannot be used: ${messageOf(cause)}`, { cause });
  }
}
