import { writeFile } from "node:fs/promises";
import type { ApiAccess } from "./api-client.ts";

/** Writes a kubeconfig of one context for kubectl and client-go. */
export async function writeKubeconfig(
  file: string,
  { url, caFile, token, client }: ApiAccess,
  namespace: string = "default",
): Promise<string> {
  const user = {
    ...(token === undefined ? {} : { token }),
    ...(client === undefined
      ? {}
      : { "client-certificate": client.certificateFile, "client-key": client.keyFile }),
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority": caFile } }],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace } }],
    "current-context": "test",
  };
  // JSON is YAML too.
  await writeFile(file, JSON.stringify(config));
  return file;
}
