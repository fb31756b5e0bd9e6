import { describe, expect, test } from "vitest";
import { isKnownHost } from "../../../test/support/relocation.ts";
import { configMap, moved, pod, resource, secret, target, verify } from "../../../test/support/renderings.ts";
import { applyResidual, type ApplyOptions } from "./apply-residual.ts";
import { formatResidualPlan, parseResidualPlan } from "./plan-document.ts";
import { planResidual } from "./plan-residual.ts";
import type { ResidualObject } from "./residual-object.ts";

const image = "quay.io/a/b:1";

/** What is left to change after the override, as it comes back from its file. */
async function planOf(before: string, overridden: string = before): Promise<ResidualObject[]> {
  const { outcomes } = await verify(before, overridden);
  const plan = planResidual(outcomes, isKnownHost);
  return parseResidualPlan(formatResidualPlan({ name: "app", version: "1.0.0" }, plan), "residual.json");
}

const split = (registry: string): string =>
  resource("Policy", `{driver: {registry: ${registry}, repository: a/b, tag: '1'}}`);

interface PlanRow {
  readonly name: string;
  readonly before: string;
  /** With the override; default: as before. */
  readonly overridden?: string;
  readonly expected: string;
}

describe("override and plan together move every image", () => {
  test.each<PlanRow>([
    { name: "a container's", before: pod(image), expected: pod(`${moved}:1`) },
    {
      name: "one that went astray",
      before: pod(image),
      overridden: pod(`${target}/other:1`),
      expected: pod(`${moved}:1`),
    },
    {
      name: "one that is empty now",
      before: pod(image),
      overridden: pod("''"),
      expected: pod(`"${moved}:1"`),
    },
    {
      name: "the second of two, which the override leaves",
      before: pod(image) + pod("ghcr.io/c/d:2"),
      overridden: pod(`${moved}:1`) + pod("ghcr.io/c/d:2"),
      expected: pod(`${moved}:1`) + pod(`${target}/ghcrio/c/d:2`),
    },
    {
      name: "in a text that names another one too",
      before: configMap(`run: use ${image} and quay.io/a/c:2`),
      overridden: configMap(`run: use ${moved}:1 and quay.io/a/c:2`),
      expected: configMap(`run: use ${moved}:1 and ${target}/quayio/a/c:2`),
    },
    {
      name: "in a text, astray",
      before: configMap(`run: use ${image} now`),
      overridden: configMap(`run: use ${target}/other/b:1 now`),
      expected: configMap(`run: use ${moved}:1 now`),
    },
    {
      name: "twice in a text",
      before: configMap(`run: |\n  a ${image}\n  b ${image}`),
      expected: configMap(`run: |\n  a ${moved}:1\n  b ${moved}:1`),
    },
    {
      name: "a short name on a line of a text, and not the word elsewhere",
      before: configMap("pod: |\n  name: nginx:1\n  image: nginx:1"),
      expected: configMap(`pod: |\n  name: nginx:1\n  image: ${target}/dockerio/library/nginx:1`),
    },
    { name: "in a Secret", before: secret(`use ${image}`), expected: secret(`use ${moved}:1`) },
    { name: "over three keys", before: split("quay.io"), expected: split(`${target}/quayio`) },
    {
      name: "over three keys, astray",
      before: split("quay.io"),
      overridden: split(target).replace("'1'", "latest"),
      expected: split(`${target}/quayio`).replace("'1'", '"1"'),
    },
    {
      name: "in a List",
      before: `kind: List\nitems:\n${pod(image)
        .replaceAll(/^(?!---|#)/gmu, "  ")
        .replace("  apiV", "- apiV")}`.replace(/^---\n# .*\n/mu, ""),
      expected: `kind: List\nitems:\n${pod(`${moved}:1`)
        .replaceAll(/^(?!---|#)/gmu, "  ")
        .replace("  apiV", "- apiV")}`.replace(/^---\n# .*\n/mu, ""),
    },
  ])("$name", async ({ before, overridden = before, expected }) => {
    const plan = await planOf(before, overridden);
    const { text } = applyResidual(overridden, plan);
    expect(text).toBe(expected);
    expect(applyResidual(text, plan).text).toBe(expected);
    const { outcomes, unexpected } = await verify(before, text);
    expect([outcomes.map(({ status }) => status), unexpected]).toEqual([outcomes.map(() => "moved"), []]);
  });

  test("what is moved or out of scope is in no plan", async () => {
    expect(await planOf(pod(image), pod(`${moved}:1`))).toEqual([]);
    expect(await planOf(pod(`${moved}:1`))).toEqual([]);
  });
});

const hook = "  annotations: {helm.sh/hook: pre-install}\n";
const renamed = (text: string): string => text.replace("name: pod", "name: shop-pod");
const twoContainers =
  pod("x.lan/sidecar:1").replace("name: main", "name: side") + `    - {name: main, image: ${image}}\n`;

describe("an object is found again", () => {
  test.each<[string, string, string]>([
    ["under another name", renamed(pod(image)), renamed(pod(`${moved}:1`))],
    ["in another namespace", pod(image, "  namespace: web\n"), pod(`${moved}:1`, "  namespace: web\n")],
    ["without its template", pod(image).replace(/# S.*\n/u, ""), pod(`${moved}:1`).replace(/# S.*\n/u, "")],
    ["with its container elsewhere", twoContainers, twoContainers.replace(image, `${moved}:1`)],
    [
      "under another name beside one that is moved",
      pod(`${moved}:1`).replace("name: pod", "name: a") + renamed(pod(image)),
      pod(`${moved}:1`).replace("name: pod", "name: a") + renamed(pod(`${moved}:1`)),
    ],
    [
      "in Helm 4's form",
      pod(image)
        .replace(/# S.*\n/u, "")
        .replace(
          "  name: pod",
          "  name: other\n  annotations: {postrenderer.helm.sh/postrender-filename: 'app/templates/pod.yaml'}",
        ),
      pod(`${moved}:1`)
        .replace(/# S.*\n/u, "")
        .replace(
          "  name: pod",
          "  name: other\n  annotations: {postrenderer.helm.sh/postrender-filename: 'app/templates/pod.yaml'}",
        ),
    ],
  ])("%s", async (_name, text, expected) => {
    expect(applyResidual(text, await planOf(pod(image))).text).toBe(expected);
  });

  test.each<[string, string, ApplyOptions, RegExp]>([
    ["that is gone", configMap("a: b"), {}, /Pod pod: the object is not there$/u],
    [
      "of another image",
      pod("quay.io/a/b:2"),
      {},
      /Pod pod: spec\.containers\[0\]\.image does not hold "quay\.io\/a\/b:1"/u,
    ],
    ["of another kind", pod(image).replace("Pod", "Job"), {}, /the object is not there/u],
    [
      "of another template",
      renamed(pod(image)).replace("pod.yaml", "job.yaml"),
      {},
      /the object is not there/u,
    ],
    ["that is no hook", renamed(pod(image, hook)), {}, /the object is not there/u],
    [
      "of another name, where only the name counts",
      renamed(pod(image)),
      { byName: true },
      /the object is not there/u,
    ],
    [
      "with one that the plan does not know",
      pod(image) + renamed(pod(image)),
      {},
      /Pod\/shop-pod holds the same images/u,
    ],
    ["that is no hook, without hooks", configMap("a: b"), { withoutHooks: true }, /the object is not there/u],
  ])("but not one %s", async (_name, text, options, message) => {
    const plan = await planOf(pod(image));
    expect(() => applyResidual(text, plan, options)).toThrow(
      expect.objectContaining({
        code: "residual-drift",
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });
});

describe("hooks that the stream lacks", () => {
  const before = pod(image, hook) + configMap(`run: use ${image}`);
  const stream = configMap(`run: use ${image}`);

  test("are an error that names the way out", async () => {
    const plan = await planOf(before);
    expect(() => applyResidual(stream, plan)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("--without-hooks") as string }) as Error,
    );
  });

  test("are told where that is wanted", async () => {
    const applied = applyResidual(stream, await planOf(before), { withoutHooks: true });
    expect(applied.text).toBe(configMap(`run: use ${moved}:1`));
    expect(applied.missingHooks).toMatchObject([{ kind: "Pod", name: "pod", hook: "pre-install" }]);
  });
});

test("a document that is no YAML is an error", () => {
  expect(() => applyResidual("a: [", [])).toThrow(
    expect.objectContaining({ code: "render-failed" }) as Error,
  );
});
