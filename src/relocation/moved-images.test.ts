import { describe, expect, test } from "vitest";
import { chartOf, settingsFor, yamlMap } from "../../test/support/relocation.ts";
import { podTemplate } from "../../test/support/traced-chart.ts";
import { createEmbeddedRenderer } from "../helm/render/embedded-renderer.ts";
import { formatValuePath } from "../yaml/value-path.ts";
import type { MovedImage } from "./moved-images.ts";
import { parseSourceRegistries } from "./registry-selection.ts";
import { relocateChart, type RelocatedChart } from "./relocate-chart.ts";
import { verifyChart } from "./verify-chart.ts";

interface ChartUnderTest {
  /** What the containers' images are, as templates write them. */
  readonly images: readonly string[];
  readonly values: string;
  /** The user's own values. */
  readonly user?: string;
  readonly sources?: string;
}

const digest = `sha256:${"a".repeat(64)}`;

async function inputOf({ images, values, user = "{}", sources = "*" }: ChartUnderTest) {
  const templates = images.map((image, index) => [`templates/pod${index}.yaml`, podTemplate(image)] as const);
  const chart = await chartOf({
    "Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: 2.4.1\n",
    "values.yaml": values,
    ...Object.fromEntries(templates),
  });
  const userValues = yamlMap(user);
  const renderer = createEmbeddedRenderer({ chart, fileValues: userValues, setValues: {} });
  const settings = settingsFor("registry.lan", { sources: parseSourceRegistries([sources]) });
  return { chart, chartDiagnostics: [], userValues, settings, renderer, tracer: renderer };
}

/** Relocates a chart with all tags and digests pinned that may be. */
async function relocate(
  given: ChartUnderTest,
): Promise<RelocatedChart & { readonly moved: readonly MovedImage[] }> {
  let moved: readonly MovedImage[] = [];
  const pin = (images: readonly MovedImage[]) => {
    moved = images;
    const leaves = images.flatMap(({ leaves: own }) => own);
    const pinned = leaves.filter(({ role, obstacle }) => /tag|digest/u.test(role) && obstacle === undefined);
    return { entries: pinned.map(({ path, value }) => ({ path, to: value })), diagnostics: [] };
  };
  return { ...(await relocateChart({ ...(await inputOf(given)), pin })), moved };
}

function describeLeaves(images: readonly MovedImage[]): string[] {
  return images.flatMap(({ leaves }) =>
    leaves.map(({ role, path, value, before, after, obstacle }) => {
      const around = before === "" && after === "" ? "" : ` (${before}…${after})`;
      return `${role} ${formatValuePath(path)}=${value}${around}${obstacle === undefined ? "" : `: ${obstacle}`}`;
    }),
  );
}

describe("the leaves of an image", () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      "repository and tag",
      "{{ .Values.i.repository }}:{{ .Values.i.tag }}",
      'i: {repository: quay.io/org/app, tag: "1.2.3"}',
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=1.2.3"],
    ],
    [
      "registry, repository and tag",
      "{{ .Values.i.registry }}/{{ .Values.i.repository }}:{{ .Values.i.tag }}",
      'i: {registry: quay.io, repository: org/app, tag: "1.2.3"}',
      ["tag i.tag=1.2.3"],
    ],
    [
      "the chart's version in place of an empty tag",
      "{{ .Values.i.repository }}:{{ .Values.i.tag | default .Chart.AppVersion }}",
      "i: {repository: quay.io/org/app, tag: ''}",
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=2.4.1"],
    ],
    [
      "a text made in place of an empty tag",
      '{{ .Values.i.repository }}:{{ .Values.i.tag | default (printf "v%s-x" .Chart.AppVersion) }}',
      "i: {repository: quay.io/org/app, tag: ''}",
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=v2.4.1-x"],
    ],
    [
      "a tag that is a number",
      "{{ .Values.i.repository }}:{{ .Values.i.tag }}",
      "i: {repository: quay.io/org/app, tag: 7.2}",
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=7.2"],
    ],
    [
      "what the template puts around a tag",
      "{{ .Values.i.repository }}:v{{ .Values.i.tag }}-alpine",
      'i: {repository: quay.io/org/app, tag: "1.2.3"}',
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=1.2.3 (v…-alpine)"],
    ],
    [
      "tag and digest",
      "{{ .Values.i.repository }}:{{ .Values.i.tag }}@{{ .Values.i.digest }}",
      `i: {repository: quay.io/org/app, tag: "1.2.3", digest: ${digest}}`,
      ["name i.repository=registry.lan/quayio/org/app", "tag i.tag=1.2.3", `digest i.digest=${digest}`],
    ],
    [
      "a whole image",
      "{{ .Values.image }}",
      `image: quay.io/org/app:1.2.3@${digest}`,
      [`image image=registry.lan/quayio/org/app:1.2.3@${digest}`],
    ],
    [
      "a whole image in place of an empty value",
      '{{ .Values.image | default (printf "quay.io/org/app:%s" .Chart.AppVersion) }}',
      "image: ''",
      ["image image=registry.lan/quayio/org/app:2.4.1"],
    ],
    [
      "a tag that the template holds",
      "{{ .Values.i.repository }}:1.2.3",
      "i: {repository: quay.io/org/app}",
      ["name i.repository=registry.lan/quayio/org/app"],
    ],
    [
      "a tag of two values",
      "{{ .Values.i.repository }}:{{ .Values.i.tag }}-{{ .Values.i.variant }}",
      'i: {repository: quay.io/org/app, tag: "1.2.3", variant: alpine}',
      ["name i.repository=registry.lan/quayio/org/app"],
    ],
    [
      "a tag behind a part of the name",
      "{{ .Values.i.registry }}/{{ .Values.i.image }}",
      'i: {registry: quay.io, image: "org/app:1.2.3"}',
      [],
    ],
    [
      "a tag of which the template takes a part",
      '{{ .Values.i.repository }}:{{ .Values.i.tag | trimPrefix "v" }}',
      "i: {repository: quay.io/org/app, tag: v1.2.3}",
      ["name i.repository=registry.lan/quayio/org/app"],
    ],
  ])("%s", async (_name, template, values, expected) => {
    const { moved, result } = await relocate({ images: [template], values });
    expect(describeLeaves(moved)).toEqual(expected);
    expect(result.verdict.status).toBe("OK");
  });
});

describe("leaves that must not follow", () => {
  test("a tag of an image that stays too", async () => {
    const { moved, override } = await relocate({
      images: ["{{ .Values.a }}:{{ .Values.tag }}", "{{ .Values.b }}:{{ .Values.tag }}"],
      values: 'a: quay.io/org/a\nb: docker.io/org/b\ntag: "1.2.3"\n',
      sources: "quay.io",
    });
    expect(describeLeaves(moved)).toEqual([
      "name a=registry.lan/quayio/org/a",
      "tag tag=1.2.3: it also makes docker.io/org/b:1.2.3, which stays where it is",
    ]);
    expect(override).toEqual({ a: "registry.lan/quayio/org/a" });
  });

  test("a tag in a list of the user's own", async () => {
    const { moved } = await relocate({
      images: ["{{ .Values.a }}:{{ index .Values.tags 0 }}"],
      values: 'a: quay.io/org/a\ntags: ["1.2.3"]\n',
      user: 'tags: ["1.2.4"]\n',
    });
    expect(describeLeaves(moved)[1]).toMatch(
      /^tag tags\[0\]=1\.2\.4: it stands in a list of your own values/u,
    );
  });

  test("an empty tag in place of which different texts stand", async () => {
    const { moved } = await relocate({
      images: [
        '{{ .Values.a }}:{{ .Values.tag | default "1" }}',
        '{{ .Values.b }}:{{ .Values.tag | default "2" }}',
      ],
      values: "a: quay.io/org/a\nb: quay.io/org/b\ntag: ''\n",
    });
    expect(describeLeaves(moved).filter((leaf) => leaf.startsWith("tag"))).toEqual([
      "tag tag=1: tag would have to be 1 and 2 at once",
      "tag tag=2: tag would have to be 1 and 2 at once",
    ]);
  });
});

test("two images of one name have their tags from where they are", async () => {
  const { moved, override } = await relocate({
    images: ["{{ .Values.name }}:{{ .Values.a }}", "{{ .Values.name }}:{{ .Values.b }}"],
    values: 'name: quay.io/org/app\na: "1"\nb: "1"\n',
  });
  expect(describeLeaves(moved).filter((leaf) => leaf.startsWith("tag"))).toEqual(["tag a=1", "tag b=1"]);
  expect(override).toEqual({ name: "registry.lan/quayio/org/app", a: "1", b: "1" });
});

describe("a proof of an override that policies have written", () => {
  const given: ChartUnderTest = {
    images: [
      "{{ .Values.i.repository }}:{{ .Values.i.tag | default .Chart.AppVersion }}",
      "{{ .Values.image }}",
      '{{ .Values.other | default "quay.io/org/other:1" }}',
      "{{ (index .Values.list 0).image }}",
    ],
    values: `i: {repository: quay.io/org/app, tag: ''}\nimage: quay.io/org/web:1\nother: ''\nlist: [{image: "quay.io/org/item:1", x: y}]\n`,
  };
  const written = `
i: {repository: registry.lan/quayio/org/app, tag: 2.5.0}
image: registry.lan/quayio/org/web:2@${digest}
other: registry.lan/quayio/org/other:2
list: [{image: "registry.lan/quayio/org/item:2", x: y}]
`;

  test("holds them against the chart with the same versions", async () => {
    const input = { ...(await inputOf(given)), override: written };
    const result = await verifyChart({ ...input, isFollowed: () => true });
    expect(result.verdict.status).toBe("OK");
    expect(result.images.map(({ source }) => source)).toEqual([
      "quay.io/org/app:2.5.0",
      `quay.io/org/web:2@${digest}`,
      "quay.io/org/other:2",
      "quay.io/org/item:2",
    ]);
  });

  test.each<[string, string, string]>([
    ["another name", "registry.lan/quayio/org/web:2", "registry.lan/quayio/org/wab:2"],
    ["another registry", "registry.lan/quayio/org/web:2", "evil.example/quayio/org/web:2"],
  ])("fails for %s", async (_name, from, to) => {
    const override = written.replace(from, to);
    expect(override).not.toBe(written);
    const { verdict } = await verifyChart({ ...(await inputOf(given)), override, isFollowed: () => true });
    expect(verdict.status).toBe("CRITICAL");
  });

  test("fails for versions that no policy writes", async () => {
    const { verdict } = await verifyChart({ ...(await inputOf(given)), override: written });
    expect(verdict.status).toBe("CRITICAL");
  });
});
