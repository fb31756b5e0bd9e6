import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTempDir, leftBehindBy, type TempDir } from "../../../test/support/temp-dir.ts";
import { createRedactor } from "../../core/redaction.ts";
import { createHelmBinary, type RenderRequest } from "./helm-binary.ts";
import { createOverrideRenderer } from "./override-renderer.ts";

let folder: TempDir;

beforeAll(async () => {
  folder = await createTempDir("helm");
});
afterAll(() => folder.remove());

/** A program that stands in for helm. */
async function programOf(script: string): Promise<string> {
  const file = path.join(folder.path, `helm-${Math.random().toString(36).slice(2)}`);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const request: RenderRequest = { chartPath: "./app", valueFiles: [], setFlags: [] };

describe("createHelmBinary", () => {
  test.each<[string, Partial<RenderRequest>, readonly string[]]>([
    ["a chart", {}, ["template", "release-name", "./app"]],
    [
      "everything",
      {
        releaseName: "shop",
        namespace: "prod",
        kubeVersion: "1.35.0",
        valueFiles: ["a.yaml", "b.yaml"],
        setFlags: [
          ["--set", "a=b c"],
          ["--set-string", "-x=1"],
        ],
      },
      [
        "template",
        "shop",
        "./app",
        "--namespace",
        "prod",
        "--kube-version",
        "1.35.0",
        "--values",
        "a.yaml",
        "--values",
        "b.yaml",
        "--set",
        "a=b c",
        "--set-string",
        "-x=1",
      ],
    ],
    ["a chart whose name looks like a flag", { chartPath: "--app" }, ["template", "release-name", "./--app"]],
  ])("passes %s", async (_name, changes, args) => {
    const helm = createHelmBinary({ program: await programOf(`printf '%s\\n' "$@"`) });
    expect(await helm.render({ ...request, ...changes })).toEqual({
      ok: true,
      manifests: `${args.join("\n")}\n`,
    });
  });

  test.each([
    ["an error", "Error: it broke\n", "it broke"],
    ["an error of several lines", "Error: it broke:\n- here\n- there\n", "it broke:\n- here\n- there"],
    [
      "warnings before it",
      "WARNING: careful\nlevel=WARN msg=x\ncoalesce.go:286: y\nError: it broke\n",
      "it broke",
    ],
    ["advice after it", "Error: it broke\n\nUse --debug flag to render out invalid YAML\n", "it broke"],
    ["no error at all", "killed\n", "killed"],
    ["a very long one", `Error: ${"x".repeat(3000)}\n`, `${"x".repeat(2000)}…`],
  ])("gives what helm says: %s", async (name, stderr, message) => {
    const file = path.join(folder.path, `${name.replaceAll(" ", "-")}.txt`);
    await writeFile(file, stderr);
    const helm = createHelmBinary({ program: await programOf(`cat '${file}' >&2; exit 1`) });
    expect(await helm.render(request)).toEqual({ ok: false, message });
  });

  test("takes out of it what must not be told", async () => {
    const helm = createHelmBinary({ program: await programOf("echo 'Error: hunter2 is weak' >&2; exit 1") });
    const redact = createRedactor(["hunter2"]);
    expect(await helm.render({ ...request, redact })).toEqual({ ok: false, message: "[redacted] is weak" });
  });

  test("a missing program is an error with a hint", async () => {
    const helm = createHelmBinary({ program: path.join(folder.path, "none") });
    await expect(helm.render(request)).rejects.toMatchObject({
      code: "tool-missing",
      hint: expect.stringContaining("PATH") as string,
    });
  });

  test("a program that does not end is stopped", async () => {
    const helm = createHelmBinary({ program: await programOf("sleep 30"), timeoutMs: 100 });
    await expect(helm.render(request)).rejects.toMatchObject({ code: "timeout" });
  });

  test("an abort stops it", async () => {
    const helm = createHelmBinary({ program: await programOf("sleep 30") });
    const rendering = helm.render({ ...request, signal: AbortSignal.timeout(50) });
    await expect(rendering).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("createOverrideRenderer", () => {
  test("renders the chart as it is, and with the override after the values files and before --set", async () => {
    const helm = createHelmBinary({
      program: await programOf(
        `for last; do :; done; echo "$@" | sed 's#/[^ ]*/override#override#'; ls -l "$7" 2>&1 | cut -c1-10; cat "$7"`,
      ),
    });
    const renderer = createOverrideRenderer(helm, {
      ...request,
      valueFiles: ["user.yaml"],
      setFlags: [["--set", "a=b"]],
    });
    expect(await renderer.render("image: r.lan/a:1\n")).toEqual({
      ok: true,
      manifests:
        "template release-name ./app --values user.yaml --values override.yaml --set a=b\n-rw-------\nimage: r.lan/a:1\n",
    });
    const plain = createOverrideRenderer(
      createHelmBinary({ program: await programOf('echo "$@"') }),
      request,
    );
    expect(await plain.render(undefined)).toEqual({ ok: true, manifests: "template release-name ./app\n" });
  });

  test("leaves no file behind, whether helm succeeds, fails or is missing", async () => {
    for (const program of [
      await programOf("true"),
      await programOf("exit 1"),
      path.join(folder.path, "none"),
    ]) {
      const left = await leftBehindBy(() =>
        createOverrideRenderer(createHelmBinary({ program }), request)
          .render("a: 1")
          .catch(() => undefined),
      );
      expect(left).toEqual([]);
    }
  });
});
