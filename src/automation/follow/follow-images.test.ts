import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dumpYaml } from "../../yaml/dump.ts";
import { loadObjects } from "../objects/load-objects.ts";
import { followImages, type Following } from "./follow-images.ts";
import type { FollowedImage, FollowedLeaf } from "./leaf-choice.ts";
import { policyObjects } from "./policy-objects.ts";

type Leaf = FollowedLeaf<string>;

const digest = `sha256:${"a".repeat(64)}`;

function leaf(role: Leaf["role"], path: string, value: string, changes: Partial<Leaf> = {}): Leaf {
  return { role, path, value, before: "", after: "", ...changes };
}

const tagLeaf = (value: string, path = "tag", changes: Partial<Leaf> = {}): Leaf =>
  leaf("tag", path, value, changes);

/** An image of `registry.lan/<name>`. */
function image(
  name: string,
  version: string,
  leaves: readonly Leaf[],
  changes: Partial<FollowedImage<string>> = {},
): FollowedImage<string> {
  const [tag = "", ofDigest] = version.split("@");
  return {
    repository: `registry.lan/${name}`,
    isOfRepository: true,
    text: `${name}:${version}`,
    labels: [`app-${name}`, `app-docker.io/${name}`],
    ...(tag === "" ? {} : { tag }),
    ...(ofDigest === undefined ? {} : { digest: ofDigest }),
    leaves,
    ...changes,
  };
}

const follow = (...images: readonly FollowedImage<string>[]): Following<string> =>
  followImages(images, (path) => path);

function marks({ leaves }: Following<string>): string[] {
  return leaves.map(
    ({ leaf: { path }, policy, part }) => `${path} ${policy}${part === "" ? "" : `:${part}`}`,
  );
}

function policies({ repositories }: Following<string>): string[] {
  return repositories.flatMap(({ name, policies: own }) =>
    own.map(({ name: policy, rule, digestPolicy }) => {
      const { choice } = rule;
      return `${name}/${policy} ${choice.kind === "semver" ? choice.range : choice.kind} ${digestPolicy}`;
    }),
  );
}

describe("one image", () => {
  const nameLeaf = leaf("name", "repo", "registry.lan/web");
  test.each<[string, FollowedImage<string>, readonly string[], string]>([
    ["a tag", image("web", "1.2.3", [tagLeaf("1.2.3")]), ["tag app-web:tag"], "^1.2.3 Never"],
    [
      "a name and a tag",
      image("web", "1.2.3", [nameLeaf, tagLeaf("1.2.3")]),
      ["repo app-web:name", "tag app-web:tag"],
      "^1.2.3 Never",
    ],
    [
      "a name that is not the repository's",
      image("web", "1.2.3", [nameLeaf, tagLeaf("1.2.3")], { isOfRepository: false }),
      ["tag app-web:tag"],
      "^1.2.3 Never",
    ],
    [
      "a tag that its template adds to",
      image("web", "v1.2.3", [tagLeaf("1.2.3", "tag", { before: "v" })]),
      ["tag app-web:value"],
      "^1.2.3 Never",
    ],
    [
      "a tag and a digest",
      image("web", `1.2.3@${digest}`, [tagLeaf("1.2.3"), leaf("digest", "digest", digest)]),
      ["tag app-web:tag", "digest app-web:digest"],
      "^1.2.3 IfNotPresent",
    ],
    [
      "a whole image",
      image("web", "1.2.3", [leaf("image", "image", "registry.lan/web:1.2.3")]),
      ["image app-web"],
      "^1.2.3 Never",
    ],
    [
      "a whole image whose tag stays",
      image("web", "main", [leaf("image", "image", "registry.lan/web:main")]),
      ["image app-web"],
      "alphabetical Always",
    ],
    [
      "a digest whose tag stays",
      image("web", `main@${digest}`, [tagLeaf("main"), leaf("digest", "digest", digest)]),
      ["digest app-web:digest"],
      "alphabetical Always",
    ],
    [
      "a digest whose tag no value holds",
      image("web", `1.2.3@${digest}`, [leaf("digest", "digest", digest)]),
      ["digest app-web:digest"],
      "alphabetical Always",
    ],
  ])("%s", (_name, given, expected, policy) => {
    const following = follow(given);
    expect(following.diagnostics).toEqual([]);
    expect(marks(following)).toEqual(expected);
    expect(policies(following)).toEqual([`app-web/app-web ${policy}`]);
  });

  test.each<[string, FollowedImage<string>, string]>([
    ["no tag", image("web", `@${digest}`, [leaf("digest", "digest", digest)]), "it has no tag"],
    ["a tag that no value holds", image("web", "1.2.3", []), "no value is known to hold its tag alone"],
    ["a tag that is none to follow", image("web", "main", [tagLeaf("main")]), 'the tag "main" is no version'],
    [
      "a digest that no value holds",
      image("web", `1.2.3@${digest}`, [tagLeaf("1.2.3")]),
      "no value is known to hold its digest alone",
    ],
    [
      "a digest without its algorithm",
      image("web", `1.2.3@${digest}`, [
        tagLeaf("1.2.3"),
        leaf("digest", "sha", "a".repeat(64), { before: "sha256:" }),
      ]),
      "no value is known to hold its digest alone",
    ],
    [
      "a whole image of another name",
      image("web", "1.2.3", [leaf("image", "image", "registry.lan/web:1.2.3")], { isOfRepository: false }),
      "one value holds its name and its tag",
    ],
    [
      "a value that must not change",
      image("web", "1.2.3", [tagLeaf("1.2.3", "tag", { obstacle: "it also makes x, which stays" })]),
      "it also makes x, which stays",
    ],
  ])("%s is told of", (_name, given, reason) => {
    const { diagnostics, leaves, repositories } = follow(given);
    expect({ leaves, repositories }).toEqual({ leaves: [], repositories: [] });
    expect(diagnostics).toMatchObject([
      { code: "image-not-followed", severity: "warning", message: expect.stringContaining(reason) as string },
    ]);
  });
});

describe("several images", () => {
  test("of one kind of tag have one policy, that begins with the oldest", () => {
    const following = follow(
      image("web", "1.10.0", [tagLeaf("1.10.0", "a")]),
      image("web", "1.9.0", [tagLeaf("1.9.0", "b")]),
    );
    expect(marks(following)).toEqual(["a app-web:tag", "b app-web:tag"]);
    expect(policies(following)).toEqual(["app-web/app-web ^1.9.0 Never"]);
  });

  test("of one repository and several kinds of tag have a policy each", () => {
    const following = follow(
      image("web", "1.9.0", [tagLeaf("1.9.0", "a")]),
      image("web", "2.0.0", [tagLeaf("2.0.0", "b")]),
      image("web", "1.9.0-alpine", [tagLeaf("1.9.0-alpine", "c")]),
    );
    expect(policies(following)).toEqual([
      "app-web/app-web-1 ^1.9.0 Never",
      "app-web/app-web-2 ^2.0.0 Never",
      "app-web/app-web-1-alpine ^1.9.0 Never",
    ]);
  });

  test("that share a tag follow the first, and that is told", () => {
    const following = follow(
      image("pilot", "1.2.3", [tagLeaf("1.2.3", "global.tag")]),
      image("proxy", "1.2.3", [tagLeaf("1.2.3", "global.tag")]),
    );
    expect(marks(following)).toEqual(["global.tag app-pilot:tag"]);
    expect(following.repositories.map(({ name }) => name)).toEqual(["app-pilot"]);
    expect(following.diagnostics[0]?.message).toBe(
      "no image policy follows proxy:1.2.3: it takes the tag of pilot:1.2.3, whose policy writes global.tag",
    );
  });

  test("that a list has in several versions are not followed", () => {
    const following = follow(
      image("nats", "2.8.1", [leaf("image", "versions[0].image", "registry.lan/nats:2.8.1")]),
      image("nats", "2.10.0", [leaf("image", "versions[1].image", "registry.lan/nats:2.10.0")]),
      image("web", "1.2.3", [leaf("image", "versions[0].image", "registry.lan/web:1.2.3")]),
    );
    expect(marks(following)).toEqual(["versions[0].image app-web"]);
    expect(following.diagnostics.map(({ message }) => message)).toEqual(
      ["nats:2.8.1", "nats:2.10.0"].map(
        (text) =>
          `no image policy follows ${text}: its list has it in several versions, which are there to choose from`,
      ),
    );
  });

  test("of one path at two registries have names of their own", () => {
    const following = follow(
      image("web", "1.2.3", [tagLeaf("1.2.3", "a")]),
      image("web", "1.2.3", [tagLeaf("1.2.3", "b")], {
        repository: "registry.lan/quayio/web",
        labels: ["app-web", "app-quay.io/web"],
      }),
    );
    expect(following.repositories.map(({ name, image: scanned }) => `${name} ${scanned}`)).toEqual([
      "app-quay-io-web registry.lan/quayio/web",
      "app-docker-io-web registry.lan/web",
    ]);
  });
});

test("the objects are such as automation loads", async () => {
  const { repositories } = follow(
    image("web", "1.2.3-alpine", [tagLeaf("1.2.3-alpine", "a")]),
    image("api", `main@${digest}`, [leaf("digest", "digest", digest)]),
    image("db", "20240101", [tagLeaf("20240101", "c")]),
    image("job", "123456", [tagLeaf("123456", "d")]),
  );
  const options = { namespace: "flux-system", interval: "5m", secretName: "pull", insecure: true };
  const folder = await mkdtemp(join(tmpdir(), "follow-"));
  try {
    const file = join(folder, "objects.yaml");
    await writeFile(
      file,
      policyObjects(repositories, options)
        .map((object) => `---\n${dumpYaml(object)}`)
        .join(""),
    );
    const { objects, diagnostics } = await loadObjects([file]);
    expect(diagnostics).toEqual([]);
    expect([...objects.imagePolicies.values()].map(({ spec }) => spec)).toMatchObject([
      { imageRepositoryRef: { name: "app-api" }, digestReflectionPolicy: "Always", intervalMs: 300_000 },
      { choice: { kind: "alphabetical" }, filterTags: { extract: "$date" } },
      { choice: { kind: "numerical" } },
      { choice: { kind: "semver", range: "^1.2.3" }, filterTags: { extract: "$version" } },
    ]);
    expect(objects.imageRepositories.get("flux-system/app-web")?.spec).toMatchObject({
      image: "registry.lan/web",
      intervalMs: 300_000,
      insecure: true,
      secretRef: { name: "pull" },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
