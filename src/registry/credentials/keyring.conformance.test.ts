import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { parseReference } from "../../reference/reference.ts";
import { createSecretKeychain, type PullSecret } from "./secret-keychain.ts";

// The cases come from the Go program in test/conformance/credentials, which runs kubelet's own keyring.

interface Case {
  readonly secrets: readonly { readonly type: string; readonly text: string }[];
  readonly failed?: boolean;
  readonly images?: Readonly<Record<string, readonly string[]>>;
}

const file = path.join(import.meta.dirname, "../../../test/conformance/credentials/cases.jsonl");
const cases = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

function secretsOf({ secrets }: Case): PullSecret[] {
  return secrets.map(({ type, text }, index) => {
    const key = type === "kubernetes.io/dockercfg" ? ".dockercfg" : ".dockerconfigjson";
    return { meta: { name: `pull-${index}` }, type, data: { [key]: Buffer.from(text) } };
  });
}

test("finds what kubelet finds, in its order", () => {
  let lookups = 0;
  for (const one of cases) {
    if (one.failed === true) continue;
    const keychain = createSecretKeychain(secretsOf(one));
    for (const [image, users] of Object.entries(one.images ?? {})) {
      const found = keychain.findAll(parseReference(image));
      const names = found.map((credentials) => (credentials.kind === "basic" ? credentials.username : ""));
      expect(names, `${image} from ${JSON.stringify(one.secrets)}`).toEqual(users);
      lookups += 1;
    }
  }
  expect(lookups).toBeGreaterThan(3000);
});

test("refuses what kubelet refuses", () => {
  const failed = cases.filter((one) => one.failed === true);
  expect(failed.length).toBeGreaterThan(20);
  for (const one of failed) {
    expect(() => createSecretKeychain(secretsOf(one)), JSON.stringify(one.secrets)).toThrow(FairleadError);
  }
});
