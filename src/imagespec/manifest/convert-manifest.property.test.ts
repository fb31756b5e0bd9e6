import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { createRandom, type Random } from "../../../test/support/random.ts";
import { type Json, type WrittenYaml, writeMixedYaml } from "../../../test/support/written-manifest.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import { loadYamlDocuments } from "../../yaml/load.ts";
import { deriveImageSpec, equalImageSpecs, formatImage } from "../convert/image-string.ts";
import { lowerImageSpec, storedSpecKey, storeSpec } from "../convert/stored-spec.ts";
import { workloads } from "../convert/workloads.ts";
import { addImageSpecs } from "./add-image-specs.ts";
import { checkManifest } from "./check-manifest.ts";
import type { ConversionTarget } from "./convert-container.ts";
import { convertManifest } from "./convert-manifest.ts";

type JsonMap = Readonly<Record<string, Json>>;

const aciId = `sha512-${"0123456789abcdef".repeat(8)}`;
const specs: readonly ImageSpec[] = [
  { dockerImage: { registry: "docker.io", name: "test-repo/foo" } },
  { dockerImage: { registry: "docker.io", name: "nginx", tag: "1.10" } },
  { dockerImage: { registry: "localhost:5000", name: "a", digest: `sha256:${"0a".repeat(32)}` } },
  { dockerImage: { registry: "10.0.0.1:5000", name: "a/b", tag: "on" } },
  { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } },
  { aci: { name: "coreos.com/flannel" } },
  { aci: { name: "coreos.com/flannel", id: aciId } },
];
const images = [
  "nginx",
  "nginx:1.27",
  "gcr.io/test-repo/bar",
  "localhost:5000/x:2024",
  "a/b@sha256:" + "0".repeat(64),
];

/** A container, and what it is after each conversion, its annotation with it. */
interface Case {
  readonly before: JsonMap;
  readonly annotation: string | undefined;
  readonly after: Readonly<
    Record<ConversionTarget, { image?: string; imageSpec?: Json; annotation?: string }>
  >;
}

function createCase(random: Random): Case {
  const spec = random.pick(specs);
  const image = random.pick(images);
  const imageSpec = JSON.parse(JSON.stringify(spec)) as Json;
  const { image: lowered, stored } = lowerImageSpec(spec);
  const withStored = stored === undefined ? {} : { annotation: stored };
  const ofSpec = {
    both: { image: lowered, imageSpec },
    image: { image: lowered, ...withStored },
    imageSpec: { imageSpec },
  };
  const derived = deriveImageSpec(image) as Json & ImageSpec;
  switch (random.below(6)) {
    case 0:
      return { before: { imageSpec }, annotation: undefined, after: ofSpec };
    case 1:
      return { before: { image: lowered, imageSpec }, annotation: undefined, after: ofSpec };
    case 2: {
      const after = { ...ofSpec, both: { ...ofSpec.both, ...withStored } };
      return { before: { image: lowered }, annotation: stored, after };
    }
    case 3: {
      const stale = storeSpec("other.example/image", { aci: { name: "other" } }).stored ?? "";
      const after = {
        both: { image, imageSpec: derived, annotation: stale },
        image: { image, annotation: stale },
        imageSpec: { imageSpec: derived },
      };
      return { before: { image }, annotation: stale, after };
    }
    case 4: {
      const kept = { image: "BAD Name" };
      return { before: kept, annotation: undefined, after: { both: kept, image: kept, imageSpec: kept } };
    }
    default: {
      const after = {
        both: { image, imageSpec: derived },
        image: { image },
        imageSpec: { imageSpec: derived },
      };
      return { before: { image }, annotation: undefined, after };
    }
  }
}

const noise: readonly (readonly [string, Json])[] = [
  ["args", ["--image", "nginx", "- a", "#b"]],
  ["env", [{ name: "image", value: "nginx:1" }]],
  ["resources", { limits: { cpu: "50m", memory: 1e9 } }],
  ["stdin", true],
  ["workingDir", null],
  ["imagePullPolicy", "Always"],
];

interface Manifest {
  readonly before: JsonMap;
  readonly after: Readonly<Record<ConversionTarget, JsonMap>>;
}

function createManifest(random: Random, prefix: string): Manifest {
  const cases = Array.from({ length: 1 + random.below(3) }, () => createCase(random));
  const others = cases.map(() => noise.filter(() => random.below(3) === 0));
  const order = random.below(2);
  const foreign: JsonMap = random.below(3) === 0 ? { "example.com/note": "it's: #1" } : {};
  const workload = random.pick(workloads);
  const hasMetadata = random.below(3) > 0;
  const build = (stateOf: (each: Case) => JsonMap): JsonMap => {
    const annotations: Record<string, Json> = { ...foreign };
    const containers = cases.map((each, index) => {
      const { annotation, ...members } = stateOf(each) as { annotation?: string } & JsonMap;
      const name = `${prefix}c${index}`;
      if (annotation !== undefined) annotations[storedSpecKey(name)] = annotation;
      const rest = Object.fromEntries(others[index] ?? []);
      const entries = [Object.entries({ name }), Object.entries(members), Object.entries(rest)];
      return Object.fromEntries(
        (order === 0 ? entries : [...entries.slice(1), ...entries.slice(0, 1)]).flat(),
      );
    });
    const metadata = {
      ...(hasMetadata && { labels: { app: "x" } }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    };
    const pod: JsonMap = {
      ...(Object.keys(metadata).length > 0 && { metadata }),
      spec: {
        initContainers: containers.slice(1),
        containers: containers.slice(0, 1),
        restartPolicy: "Always",
      },
    };
    const object = workload.templatePath
      .toReversed()
      .reduce<JsonMap>((inner, key) => ({ [key]: inner }), pod);
    const apiVersion = workload.group === "" ? "v1" : `${workload.group}/v1`;
    return { apiVersion, kind: workload.kind, ...object };
  };
  const afterOf = (target: ConversionTarget): JsonMap => build((each) => each.after[target]);
  return {
    before: build(({ before, annotation }) => ({
      ...before,
      ...(annotation !== undefined && { annotation }),
    })),
    after: { both: afterOf("both"), image: afterOf("image"), imageSpec: afterOf("imageSpec") },
  };
}

interface Sample extends WrittenYaml {
  readonly after: Readonly<Record<ConversionTarget, readonly JsonMap[]>>;
}

function createSample(seed: string): Sample {
  const random = createRandom(seed);
  const manifests = Array.from({ length: 1 + random.below(3) }, (_, index) =>
    createManifest(random, `m${index}`),
  );
  const isList = random.below(5) === 0;
  const other: JsonMap = { apiVersion: "v1", kind: "ConfigMap", data: { containers: "- image: nginx" } };
  const gather = (of: (manifest: Manifest) => JsonMap): readonly JsonMap[] =>
    isList
      ? [{ apiVersion: "v1", kind: "List", items: [...manifests.map(of), other] }]
      : [...manifests.map(of), other];
  const before = gather((manifest) => manifest.before);
  const after = {
    both: gather((manifest) => manifest.after.both),
    image: gather((manifest) => manifest.after.image),
    imageSpec: gather((manifest) => manifest.after.imageSpec),
  };
  const [only] = before;
  if (isList && only !== undefined && random.below(2) === 0) {
    const indent = random.pick([0, 2, "\t"]);
    return { text: JSON.stringify(only, undefined, indent), kept: [], after };
  }
  const written = before.map((value) => writeMixedYaml(value, random));
  const lineEnd = random.pick(["\n", "\n", "\r\n"]);
  const finish = (text: string): string => text.replaceAll("\n", lineEnd);
  const start = random.pick(["", "---\n", "\ufeff", "# keep\n---\n"]);
  const joined = start + written.map(({ text }) => text).join("---\n");
  const text = finish(random.below(4) === 0 ? joined.replace(/\n+$/u, "") : joined);
  return { text, kept: written.flatMap(({ kept }) => kept.map(finish)), after };
}

/** The pieces that are not found in a text, in their order. */
function missing(pieces: readonly string[], text: string): readonly string[] {
  let from = 0;
  return pieces.filter((piece) => {
    const at = `${text}\n`.indexOf(piece.trimEnd(), from);
    if (at !== -1) from = at + 1;
    return at === -1;
  });
}

/** Whether a text can be had from another by leaving something out. */
function isSubsequence(part: string, whole: string): boolean {
  let from = 0;
  for (const unit of part) {
    const at = whole.indexOf(unit, from);
    if (at === -1) return false;
    from = at + unit.length;
  }
  return true;
}

const targets: readonly ConversionTarget[] = ["both", "image", "imageSpec"];
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("conversion of manifests however they are written", () => {
  test.each(targets)(
    "to %s changes the containers and nothing else",
    (target) => {
      for (let number = 0; number < 300; number++) {
        const { text, kept, after } = createSample(`${target}-${number}`);
        const converted = convertManifest(text, target, "a.yaml");
        const codes = new Set(converted.diagnostics.map(({ code }) => code));
        expect(
          [...codes].filter((code) => code !== "reference-unparsable"),
          text,
        ).toEqual([]);
        expect(plain(loadYamlDocuments(converted.text)), text).toEqual(plain(after[target]));
        const read = parseAllDocuments(converted.text.replace(/^\ufeff/u, ""), { version: "1.1" });
        expect(
          read.map((document) => document.toJS() as unknown),
          text,
        ).toEqual(plain(after[target]));
        expect(missing(kept, converted.text), text).toEqual([]);
        expect(convertManifest(converted.text, target, "a.yaml").text).toBe(converted.text);
        if (target === "both") expect(isSubsequence(text, converted.text), text).toBe(true);
      }
    },
    120_000,
  );

  test("to image and back gives the same specs", () => {
    for (let number = 0; number < 150; number++) {
      const specified = convertManifest(createSample(`back-${number}`).text, "imageSpec", "a.yaml").text;
      const stringed = convertManifest(specified, "image", "a.yaml").text;
      const back = convertManifest(stringed, "imageSpec", "a.yaml").text;
      expect(plain(loadYamlDocuments(back)), specified).toEqual(plain(loadYamlDocuments(specified)));
      const checked = checkManifest(back, "a.yaml", { strict: false });
      expect(checked.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  }, 120_000);

  test("behind images alone adds what a conversion to both adds there", () => {
    for (let number = 0; number < 150; number++) {
      const { text } = createSample(`add-${number}`);
      const added = addImageSpecs(text);
      expect(convertManifest(added, "both", "a.yaml").text).toBe(
        convertManifest(text, "both", "a.yaml").text,
      );
    }
  }, 120_000);
});

const characters = "-?:#&*!|>'\"%@`{}[],\n\r\tx ".split("");
const pieces = characters.concat("<<: *a\n", "&a ", "*a", "image: b\n", "---\n", "");

test("whatever a text is, it stays well-formed, and containers agree with themselves", () => {
  let changed = 0;
  for (let number = 0; number < 800; number++) {
    const random = createRandom(`hostile-${number}`);
    let { text } = createSample(`hostile-${number % 300}`);
    for (let mutations = 1 + random.below(4); mutations > 0; mutations--) {
      const offset = random.below(text.length);
      const put = random.pick(pieces);
      text = text.slice(0, offset) + put + text.slice(put === "" ? offset + 1 : offset);
    }
    const target = random.pick(targets);
    const converted = convertManifest(text, target, "a.yaml");
    const added = addImageSpecs(text);
    if (added !== text) expect(isSubsequence(text, added), text).toBe(true);
    if (converted.text === text) continue;
    changed++;
    for (const { image, imageSpec } of converted.changes) {
      const isAgreed = formatImage(imageSpec) === image || equalImageSpecs(deriveImageSpec(image), imageSpec);
      expect(isAgreed || converted.text.includes("image-spec.fairlead.dev"), text).toBe(true);
    }
    expect(convertManifest(converted.text, target, "a.yaml").text, text).toBe(converted.text);
    for (const result of [converted.text, added]) {
      expect(loadYamlDocuments(result), text).toHaveLength(loadYamlDocuments(text).length);
    }
  }
  expect(changed).toBeGreaterThan(100);
}, 120_000);
