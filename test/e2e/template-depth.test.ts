import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { createRowRunner, hub } from "../support/cli-rows.ts";
import { commandEnvironment, commandLine, runCommand } from "../support/cli.ts";
import { describeWithTools } from "../support/tools.ts";

const rows = createRowRunner();

/** Templates that are inside themselves as often as `left` says: in one statement, and in many. */
const templates = {
  plain: `{{- define "deep" -}}
{{- if gt (int .left) 1 }}{{ include "deep" (dict "left" (sub .left 1)) }}{{ else }}the-end{{ end -}}
{{- end -}}`,
  involved: `{{- define "deep" -}}
{{- $left := int .left -}}
{{- with .left }}{{ range list $left }}{{ if gt . 1 }}{{ if true -}}
{{- printf "%s" (trim (include "deep" (dict "left" (sub . 1)))) | trim -}}
{{- end }}{{ else }}the-end{{ end }}{{ end }}{{ end -}}
{{- end -}}`,
} as const;
const pod = `kind: Pod
metadata:
  name: {{ include "deep" (dict "left" .Values.depth) | quote }}
spec:
  containers:
    - image: {{ .Values.image }}
`;

function chart(
  template: keyof typeof templates,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  return rows.prepare({
    values: "depth: 1001\nimage: nginx:1.23\n",
    files: { "chart/templates/_deep.tpl": templates[template], "chart/templates/pod.yaml": pod, ...files },
  });
}

/** Helm's own limit: it counts a thousand besides the first. */
const deepest = 1001;

await describeWithTools(["helm3"], "templates in themselves, as in helm", ({ helm3 }) => {
  test.each([
    ["plain", 500],
    ["plain", 999],
    ["plain", deepest],
    ["involved", 999],
    ["involved", deepest],
  ] as const)("%s, %i levels", async (template, depth) => {
    const cwd = await chart(template);
    const args = ["render", "shop", "chart", "--set", `depth=${depth}`];
    const result = await runCommand("fairlead", args, { cwd });
    const helm = await run(helm3, ["template", ...args.slice(1)], { cwd });
    expect(result).toEqual({ exitCode: 0, stdout: helm.stdout, stderr: "" });
    expect(helm.stdout).toContain('name: "the-end"');
  });

  test.each(["plain", "involved"] as const)("%s, one level too many", async (template) => {
    const cwd = await chart(template);
    const args = ["shop", "chart", "--set", `depth=${deepest + 1}`];
    const result = await runCommand("fairlead", ["render", ...args, "--log-format", "json"], { cwd });
    const helm = await run(helm3, ["template", ...args], { cwd });
    const [message = ""] = helm.stderr.replace(/^Error: /u, "").split("\n");
    expect(message).toMatch(
      /rendering template has a nested reference name: deep: unable to execute template$/u,
    );
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(JSON.parse(result.stderr)).toMatchObject({ level: "error", message });
  });
});

describe("a run that needs more stack", () => {
  const commands = [
    ["images", "chart"],
    ["override", "chart", ...hub],
    ["override", "chart", ...hub, "--verbose"],
    ["verify", "chart", ...hub, "--override", "override.yaml"],
    ["explain", "chart", "Pod/the-end"],
    ["survey", "chart", ...hub, "--report", "report.json"],
    ["survey", "chart", "chart", "chart", ...hub, "--report", "report.json"],
    ["survey", "chart", "chart", "chart", ...hub, "--no-parallel"],
  ];
  test.each(commands.map((args) => [args.join(" "), args] as const))("%s", async (_name, args) => {
    const cwd = await chart("involved", {
      "override.yaml": "image: harbor.example.com:5000/dockerio/library/nginx:1.23\n",
    });
    const result = await runCommand("fairlead", args, { cwd });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout + result.stderr).not.toContain("nests too deeply");
  });

  test("a template that never ends is told of once, and keeps its exit code", async () => {
    const endless = '{{ define "endless" }}{{ template "endless" . }}{{ end }}{{ template "endless" . }}';
    const cwd = await chart("plain", { "chart/templates/endless.yaml": endless });
    const result = await runCommand("fairlead", ["render", "chart"], { cwd });
    expect(result).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        "error: the template chart/templates/endless.yaml nests too deeply\n  hint: look for a template that includes itself\n",
    });
  });

  test.each([2048, 4096, 8192])("a template that never ends breaks no process with %i KiB", async (limit) => {
    const endless = '{{ define "endless" }}{{ template "endless" . }}{{ end }}{{ template "endless" . }}';
    const cwd = await chart("plain", { "chart/templates/endless.yaml": endless });
    const command = commandLine("fairlead", ["render", "chart"]);
    const args = ["-c", `ulimit -Ss ${limit}; exec "$@"`, "sh", ...command];
    const result = await run("sh", args, { cwd, env: commandEnvironment() });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain("nests too deeply");
  });

  test("it is the same process, with Node's own arguments", async () => {
    const cwd = await chart("plain", {
      "told.cjs": "console.error(process.pid, process.execArgv.join(' '))",
    });
    const nodeArgs = ["--require", "./told.cjs"];
    const { stderr } = await runCommand("fairlead", ["render", "chart"], { cwd, nodeArgs });
    const [pid = ""] = stderr.split(" ");
    expect(stderr).toBe(`${pid} --require ./told.cjs\n${pid} --require ./told.cjs --stack-size=5400\n`);
  });

  test.skipIf(process.platform !== "linux")("others can write to its pipe as before", async () => {
    const cwd = await chart("plain");
    const script = '{ "$@"; grep flags /proc/self/fdinfo/1; } | cat';
    const command = commandLine("fairlead", ["render", "chart"]);
    const result = await run("sh", ["-c", script, "sh", ...command], { cwd, env: commandEnvironment() });
    expect(result.stdout).toMatch(/the-end/u);
    const flags = Number.parseInt(/flags:\s*(\d+)/u.exec(result.stdout)?.[1] ?? "", 8);
    expect(flags & 0o4000).toBe(0);
  });
});

test("no run with more stack throws away the code that a usual run has kept", async () => {
  const cwd = await chart("plain");
  const env = { XDG_CACHE_HOME: path.join(cwd, "cache") };
  await runCommand("fairlead", ["render", "chart", "--set", "depth=1"], { cwd, env });
  await runCommand("fairlead", ["render", "chart"], { cwd, env });
  const kept = await readdir(path.join(cwd, "cache", "fairlead"));
  expect(kept.map((name) => name.replace(/_.*/u, "")).toSorted()).toEqual([
    "fairlead-render",
    "fairlead-render-deep",
  ]);
});
