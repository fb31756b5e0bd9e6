import { expect, test } from "vitest";
import { isKnownHost, relocatorFor, yamlMap } from "../../../test/support/relocation.ts";
import { parseReference } from "../../reference/reference.ts";
import { verifyOverride, type ChartRenderer, type Verification } from "./verification.ts";
import {
  target,
  rendererOf,
  verify,
  outcomesOf,
  unexpectedOf,
  pod,
  configMap,
} from "../../../test/support/renderings.ts";

test("an image may come out where its values planned it under another spelling", async () => {
  const verification = await verifyOverride({
    renderer: rendererOf(pod("docker.io/nginx:1"), pod(`${target}/dockerio/library/nginx:1`)),
    override: "{}",
    planned: yamlMap("{}"),
    relocator: relocatorFor(target),
    isKnownHost,
    plannedFor: () => [parseReference(`${target}/dockerio/library/nginx`)],
    replacements: [],
    excludeTests: false,
    redact: (text) => text,
  });
  expect(outcomesOf(verification)).toEqual(["docker.io/nginx:1 moved"]);
});

test("a chart that keeps its values in a ConfigMap shows the override there", async () => {
  const override = "image: {registry: registry.lan/quayio}\n";
  const verification = await verify(
    configMap("values: |\n  image: {repository: a}"),
    configMap("values: |\n  image: {repository: a, registry: registry.lan/quayio}"),
    { override },
  );
  expect(unexpectedOf(verification)).toEqual([]);
  expect(yamlMap(override)).toBeDefined();
});

/** Verifies an empty override with a plan that moves nothing. */
async function verifyNothing(renderer: ChartRenderer): Promise<Verification> {
  return verifyOverride({
    renderer,
    override: "{}",
    planned: yamlMap("{}"),
    relocator: relocatorFor(target),
    isKnownHost,
    plannedFor: () => [],
    replacements: [],
    excludeTests: false,
    redact: (text) => text,
  });
}

test("a chart that does not render with the override has moved nothing", async () => {
  const verification = await verifyNothing({
    render: async (override) =>
      Promise.resolve(
        override === undefined
          ? { ok: true, manifests: pod("quay.io/a/b:1") }
          : { ok: false, message: "values don't meet the schema" },
      ),
  });
  expect(outcomesOf(verification)).toEqual(["quay.io/a/b:1 not-moved"]);
  expect(verification).toMatchObject({
    chartInstall: "failed",
    diagnostics: [
      {
        code: "render-failed",
        message: "the chart does not render with the override: values don't meet the schema",
      },
    ],
  });
});

test("a chart that does not render as it is is an error", async () => {
  const renderer: ChartRenderer = {
    render: async () => Promise.resolve({ ok: false, message: "password is required" }),
  };
  const verification = verifyNothing(renderer);
  await expect(verification).rejects.toMatchObject({
    code: "render-failed",
    message: "the chart does not render without the override: password is required",
  });
});

test("a time that only the rendering with the override shows is no change of it", async () => {
  // The second rendering of the unchanged chart still falls into the first one's second.
  const times = ["12:00:01", "12:00:01", "12:00:02"];
  const renderer: ChartRenderer = {
    render: async (override) => {
      const time = override === undefined ? times.shift() : "12:00:00";
      return Promise.resolve({
        ok: true,
        manifests: `kind: ConfigMap\nmetadata: {name: a}\ndata: {created: "${time}"}\n`,
      });
    },
  };
  const verification = await verifyNothing(renderer);
  expect(verification.unexpected).toEqual([]);
  expect(times).toEqual([]);
});
