import { chmod } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { createRowRunner, hub } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";
import { describeWithTools } from "../support/tools.ts";

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: {{ .Values.web.image }}
`;
const values = "web:\n  image: nginx:1.23\n";
const moved = "harbor.example.com:5000/dockerio/library/nginx:1.23";

const rows = createRowRunner();

function chart(files: Readonly<Record<string, string>> = {}): Promise<string> {
  return rows.prepare({ values, files: { "chart/templates/pod.yaml": pod, ...files } });
}

describe("the commands with the embedded engine", () => {
  expectCommands([], { HELM_BIN: "no-such-helm" });

  test("a chart that does not render leaves the override unproven, unless --verify asks for a proof", async () => {
    const cwd = await chart({ "chart/templates/guard.yaml": '{{ fail "no host" }}' });
    const result = await runCommand("fairlead", ["override", "chart", ...hub], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toContain(`image: ${moved}\n`);
    expect(result.stderr).toContain(
      "warning: the override is not proven: the chart does not render as it is",
    );
    expect(result.stderr).toContain("no host");
    expect(result.stderr).toContain("UNVERIFIED: chart 1.0.0: 100% images matched (1/1)\n");
  });

  test("--no-verify renders nothing", async () => {
    const cwd = await chart({ "chart/templates/guard.yaml": '{{ fail "no host" }}' });
    const result = await runCommand("fairlead", ["override", "chart", ...hub, "--no-verify"], { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stderr).not.toContain("no host");
    expect(result.stderr).toContain("UNVERIFIED: chart 1.0.0: 100% images matched (1/1)\n");
  });
});

await describeWithTools(["helm3"], "the commands with helm", ({ helm3 }) => {
  expectCommands(["--renderer", "helm"], { HELM_BIN: helm3 });

  test("--helm goes before HELM_BIN, and means helm", async () => {
    const env = { HELM_BIN: "no-such-helm" };
    const args = ["override", "chart", ...hub, "--verify", "--helm"];
    const result = await runCommand("fairlead", [...args, helm3], { cwd: await chart(), env });
    expect(result.exitCode, result.stderr).toBe(0);
    const none = await runCommand("fairlead", [...args, "no-helm"], { cwd: await chart(), env });
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining("no-helm cannot be started")]);
  });

  test("a helm that is no program exits 1, one that prints nonsense is an error of the rendering", async () => {
    const cwd = await chart({ helm: "#!/bin/sh\necho ': {'\n", folder: "" });
    await chmod(path.join(cwd, "helm"), 0o755);
    const args = ["override", "chart", ...hub, "--verify", "--helm"];
    const nonsense = await runCommand("fairlead", [...args, "./helm"], { cwd });
    expect([nonsense.exitCode, nonsense.stdout], nonsense.stderr).toEqual([1, ""]);
    const folder = await runCommand("fairlead", [...args, "./chart"], { cwd });
    expect([folder.exitCode, folder.stdout], folder.stderr).toEqual([1, ""]);
  });
});

function expectCommands(renderer: readonly string[], env: Readonly<Record<string, string>>): void {
  function runIn(cwd: string, args: readonly string[]): Promise<RunResult> {
    return runCommand("fairlead", [...args, ...renderer], { cwd, env });
  }

  describe("override --verify", () => {
    test("proves a good override", async () => {
      const result = await runIn(await chart(), ["override", "chart", ...hub, "--verify"]);
      expect(result.exitCode, result.stderr).toBe(0);
      expect(result.stdout).toContain(`image: ${moved}\n`);
      expect(result.stderr).toContain("OK: chart 1.0.0: 100% images matched (1/1)\n");
      expect(result.stderr).toContain("Image Match Rate 100%, Chart Install passed\n");
    });

    test("an image that no value controls takes the rate below the threshold", async () => {
      const cwd = await chart({
        "chart/templates/fixed.yaml": pod.replace("{{ .Values.web.image }}", "busybox:1"),
      });
      const result = await runIn(cwd, ["override", "chart", ...hub, "--verify"]);
      expect([result.exitCode, result.stdout]).toEqual([4, ""]);
      expect(result.stderr).toContain("busybox:1");
      expect(result.stderr).toContain("chart/templates/fixed.yaml");
      expect(result.stderr).toContain("CRITICAL: chart 1.0.0: 50.0% images matched (1/2 failed)");
      const forgiven = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--threshold", "50"]);
      expect(forgiven.exitCode, forgiven.stderr).toBe(0);
    });

    test("a chart that does not accept the override exits 4, Chart Install failed", async () => {
      const guard = '{{ if contains "harbor" .Values.web.image }}{{ fail "original images only" }}{{ end }}';
      const cwd = await chart({ "chart/templates/guard.yaml": guard });
      const result = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--threshold", "0"]);
      expect([result.exitCode, result.stdout]).toEqual([4, ""]);
      expect(result.stderr).toContain("original images only");
      expect(result.stderr).toContain("Chart Install failed");
    });

    test("a chart that does not render at all exits 1", async () => {
      const cwd = await chart({
        "chart/templates/guard.yaml": '{{ $_ := required "name the host" .Values.host }}',
      });
      const result = await runIn(cwd, ["override", "chart", ...hub, "--verify"]);
      expect([result.exitCode, result.stdout]).toEqual([1, ""]);
      expect(result.stderr).toContain("the chart does not render without the override");
      expect(result.stderr).toContain("name the host");
      const given = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--set", "host=example.com"]);
      expect(given.exitCode, given.stderr).toBe(0);
      expect(given.stdout).not.toContain("example.com\n");
    });

    test("--kube-version reaches helm", async () => {
      const version =
        'version: {{ .Capabilities.KubeVersion.Version | quote }}\n{{ if ne .Capabilities.KubeVersion.Minor "35" }}{{ fail "too old" }}{{ end }}';
      const cwd = await chart({ "chart/templates/version.yaml": version });
      const old = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--kube-version", "1.30.0"]);
      expect([old.exitCode, old.stderr]).toEqual([1, expect.stringContaining("too old")]);
      const current = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--kube-version", "1.35.0"]);
      expect(current.exitCode, current.stderr).toBe(0);
    });

    test("--exclude-tests leaves what only helm test uses", async () => {
      const annotations = "  name: test\n  annotations:\n    helm.sh/hook: test\n";
      const fixed = pod.replace("  name: web\n", annotations).replace("{{ .Values.web.image }}", "busybox:1");
      const cwd = await chart({ "chart/templates/test.yaml": fixed });
      expect((await runIn(cwd, ["override", "chart", ...hub, "--verify"])).exitCode).toBe(4);
      const result = await runIn(cwd, ["override", "chart", ...hub, "--verify", "--exclude-tests"]);
      expect(result.exitCode, result.stderr).toBe(0);
    });
  });

  describe("verify", () => {
    let cwd: string;

    beforeAll(async () => {
      cwd = await chart({
        "good.yaml": `web:\n  image: ${moved}\n`,
        "wrong.yaml": "web:\n  image: harbor.example.com:5000/dockerio/library/nginx:1.24\n",
        "nothing.yaml": "{}\n",
        "chart/templates/config.yaml":
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  mode: {{ .Values.mode | default "a" }}\n',
        "more.yaml": `web:\n  image: ${moved}\nmode: b\n`,
        "refused.yaml": `web: ${moved}\n`,
      });
    });

    const cases = [
      { file: "good.yaml", exitCode: 0, told: "OK: chart 1.0.0: 100% images matched (1/1)" },
      { file: "wrong.yaml", exitCode: 4, told: "CRITICAL" },
      { file: "nothing.yaml", exitCode: 4, told: "CRITICAL" },
      { file: "more.yaml", exitCode: 4, told: 'the override changes "a" to "b"' },
      { file: "refused.yaml", exitCode: 4, told: "the chart does not render with the override" },
      { file: "none.yaml", exitCode: 2, told: "no such file or folder" },
    ];
    test.each(cases)("$file exits $exitCode", async ({ file, exitCode, told }) => {
      const result = await runIn(cwd, ["verify", "chart", ...hub, "--override", file]);
      expect([result.exitCode, result.stdout], result.stderr).toEqual([exitCode, ""]);
      expect(result.stderr).toContain(told);
    });

    test("it reports", async () => {
      const result = await runIn(cwd, [
        "verify",
        "chart",
        ...hub,
        "--override",
        "good.yaml",
        "--report",
        "v.json",
      ]);
      expect(result.exitCode, result.stderr).toBe(0);
    });
  });

  describe("survey", () => {
    const broken = { "broken/Chart.yaml": "name: [" };

    test("one failing chart never stops the rest, and the worst exit code counts", async () => {
      const cwd = await chart(broken);
      for (const flags of [[], ["--no-parallel"], ["--jobs", "2"]]) {
        const result = await runIn(cwd, ["survey", "broken", "chart", ...hub, ...flags]);
        expect([result.exitCode, result.stdout], result.stderr).toEqual([3, ""]);
        expect(result.stderr).toContain("FAILED: broken");
        expect(result.stderr).toContain("Charts: 2 (1 FAILED, 1 OK)\n");
      }
    });

    test("it writes reports and the image list also when charts fail", async () => {
      const cwd = await chart(broken);
      const flags = ["--report", "s.html", "--report", "s.json", "--image-list", "images.txt"];
      const result = await runIn(cwd, ["survey", "broken", "chart", ...hub, ...flags]);
      expect(result.exitCode).toBe(3);
      const again = await runIn(cwd, ["survey", "chart", ...hub, ...flags]);
      expect(again.exitCode, again.stderr).toBe(0);
    });
  });
}
