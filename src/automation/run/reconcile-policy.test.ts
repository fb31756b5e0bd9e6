import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { RegistryClient } from "../../registry/registry-api.ts";
import type { ImagePolicy } from "../objects/image-policy.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import { type AutomationState, openState } from "../state/automation-state.ts";
import { type PolicyPorts, reconcilePolicy } from "./reconcile-policy.ts";

let state: AutomationState;
let heads: string[];
let headFailure: FairleadError | undefined;

beforeEach(async () => {
  state = await openState(undefined);
  heads = [];
  headFailure = undefined;
  scanned("v1.1.0", "v1.0.0");
});

afterEach(() => state.close());

const unused = (): Promise<never> => Promise.reject(new Error("not asked for"));
const client: RegistryClient = {
  listTags: unused,
  headManifest: ({ tag = "" }) => {
    heads.push(tag);
    const descriptor = { mediaType: "m", digest: `sha256:${tag}`, size: 1 };
    return headFailure === undefined ? Promise.resolve(descriptor) : Promise.reject(headFailure);
  },
  getManifest: unused,
  getBlob: unused,
};

function metaOf(namespace: string): ImagePolicy["meta"] {
  return { namespace, name: "app", labels: {}, annotations: {}, generation: 1, where: {} };
}

const repository: ImageRepository = {
  kind: "ImageRepository",
  meta: metaOf("ns"),
  spec: {
    image: "ghcr.io/org/app",
    intervalMs: 60_000,
    timeoutMs: 60_000,
    suspend: false,
    insecure: false,
    exclusionList: [],
    provider: "generic",
  },
};

function scanned(...tags: readonly string[]): void {
  state.putTags(repository.meta, { conditions: [], canonicalImageName: "ghcr.io/org/app" }, tags);
}

function policy(spec: Partial<ImagePolicy["spec"]> = {}, namespace = "ns"): ImagePolicy {
  return {
    kind: "ImagePolicy",
    meta: metaOf(namespace),
    spec: {
      imageRepositoryRef: { name: "app", namespace: "ns" },
      choice: { kind: "semver", range: ">=1.0.0" },
      suspend: false,
      digestReflectionPolicy: "Never",
      ...spec,
    },
  };
}

const ports = (): PolicyPorts => ({
  objects: { imageRepositories: new Map([["ns/app", repository]]), namespaces: new Map() },
  state,
  connect: () => client,
  nowMs: () => 7,
});

async function messageOf(given: ImagePolicy): Promise<string> {
  const { status } = await reconcilePolicy(given, ports());
  const { reason, message } = status.conditions.find(({ type }) => type === "Ready") ?? {};
  return `${reason}: ${message}`;
}

test("the latest tag, and what it was before", async () => {
  expect(await messageOf(policy())).toBe(
    "Succeeded: Latest image tag for ghcr.io/org/app resolved to v1.1.0",
  );
  scanned("v1.2.0");
  const previously = "(previously ghcr.io/org/app:v1.1.0)";
  const told = `Succeeded: Latest image tag for ghcr.io/org/app resolved to v1.2.0 ${previously}`;
  expect(await messageOf(policy())).toBe(told);
  expect(await messageOf(policy())).toBe(told);
});

test("with another pattern the attributes change alone", async () => {
  const filterTags = { pattern: String.raw`^v(?P<major>\d+)\.(?P<minor>\d+)`, extract: "" };
  await reconcilePolicy(policy(), ports());
  const { status } = await reconcilePolicy(policy({ filterTags }), ports());
  expect(status.latestRef).toEqual({
    name: "ghcr.io/org/app",
    tag: "v1.1.0",
    attributes: { major: "1", minor: "1" },
  });
  expect(status.observedPreviousRef?.attributes).toEqual({});
});

test("findings are told once for a specification and a tag", async () => {
  const filterTags = { pattern: "^v(?P<tag>.*)(?P<none>x)?$", extract: "$tag" };
  const told = async (): Promise<readonly string[]> => {
    const { diagnostics } = await reconcilePolicy(policy({ filterTags }), ports());
    return diagnostics.map(({ code }) => code).toSorted();
  };
  expect(await told()).toEqual(["attribute-reserved", "attribute-unmatched"]);
  expect(await told()).toEqual([]);
  scanned("v2.0.0");
  expect(await told()).toHaveLength(2);
});

describe("digests", () => {
  test.each<[name: ImagePolicy["spec"]["digestReflectionPolicy"], asked: readonly string[]]>([
    ["Never", []],
    ["IfNotPresent", ["v1.1.0", "v1.2.0"]],
    ["Always", ["v1.1.0", "v1.1.0", "v1.2.0"]],
  ])("%s", async (digestReflectionPolicy, asked) => {
    const spec = {
      digestReflectionPolicy,
      ...(digestReflectionPolicy === "Always" ? { intervalMs: 1000 } : {}),
    };
    await reconcilePolicy(policy(spec), ports());
    await reconcilePolicy(policy(spec), ports());
    scanned("v1.2.0");
    const { status } = await reconcilePolicy(policy(spec), ports());
    expect(heads).toEqual(asked);
    expect(status.latestRef?.digest).toBe(asked.length === 0 ? undefined : "sha256:v1.2.0");
  });

  test("that cannot be had leave what was chosen", async () => {
    await reconcilePolicy(policy(), ports());
    headFailure = new FairleadError("image-not-found", "gone");
    scanned("v1.2.0");
    const { result, status } = await reconcilePolicy(
      policy({ digestReflectionPolicy: "IfNotPresent" }),
      ports(),
    );
    expect(result).toBe("retry");
    expect(status.latestRef?.tag).toBe("v1.1.0");
    expect(status.conditions[1]).toMatchObject({
      reason: "Failure",
      message: "failed fetching digest of ghcr.io/org/app:v1.2.0: gone",
    });
  });
});

test.each<[name: string, given: ImagePolicy, expected: RegExp]>([
  ["a range that is none", policy({ choice: { kind: "semver", range: "x y" } }), /^InvalidPolicy: /u],
  ["a pattern that is none", policy({ filterTags: { pattern: "(", extract: "" } }), /^InvalidPolicy: /u],
  [
    "no interval",
    policy({ digestReflectionPolicy: "Always" }),
    /^IntervalNotConfigured: spec\.interval must be set/u,
  ],
  [
    "no repository",
    policy({ imageRepositoryRef: { name: "x" } }),
    /^DependencyNotReady: failed to get the referred/u,
  ],
  ["no access", policy({}, "other"), /^AccessDenied: .*access denied: 'ns\/app' can't be accessed/u],
  [
    "no tag in the range",
    policy({ choice: { kind: "semver", range: "^9" } }),
    /^Failure: unable to determine/u,
  ],
])("is told: %s", async (_name, given, expected) => {
  expect(await messageOf(given)).toMatch(expected);
});

test("the tags of another image are not chosen from", async () => {
  state.putTags(repository.meta, { conditions: [], canonicalImageName: "ghcr.io/org/other" }, ["v9.0.0"]);
  expect(await messageOf(policy())).toBe("DependencyNotReady: no tags in database");
});

test("no tags are no failure of the policy", async () => {
  scanned();
  expect(await messageOf(policy())).toBe("DependencyNotReady: no tags in database");
});

test("what the object says was chosen is what comes before", async () => {
  const latestRef = { name: "ghcr.io/org/app", tag: "v0.9.0", attributes: {} };
  const { status } = await reconcilePolicy({ ...policy(), latestRef }, ports());
  expect(status.observedPreviousRef).toEqual(latestRef);
});

test("a suspended policy keeps its choice", async () => {
  await reconcilePolicy(policy(), ports());
  scanned("v1.2.0");
  const { result, status } = await reconcilePolicy(policy({ suspend: true }), ports());
  expect(result).toBe("suspended");
  expect(status.latestRef?.tag).toBe("v1.1.0");
});
