import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { all, createRowRunner, hub } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";
import { describeWithTools } from "../support/tools.ts";

const secret = 'pa55"word-Never\\Told';
const inYaml = JSON.stringify(secret);

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: {{ .Values.web.image }}
      env:
        - name: PASSWORD
          value: {{ .Values.password | quote }}
`;
const chart = {
  "chart/values.yaml": 'web:\n  image: nginx:1.23\npassword: ""\n',
  "chart/templates/pod.yaml": pod,
};

/** How a secret is handed over; `chart` stands in the folder. */
const routes: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: "a values file", args: ["-f", "secret.yaml"] },
  { name: "--set", args: ["--set", `password=${secret.replaceAll("\\", "\\\\")}`] },
  { name: "--set-string", args: ["--set-string", `password=${secret.replaceAll("\\", "\\\\")}`] },
  { name: "--set-file", args: ["--set-file", "password=secret.txt"] },
];

/** Templates that make helm refuse the chart, or an override change more than images, with the secret in it. */
const templates: readonly { readonly name: string; readonly text: string }[] = [
  { name: "nothing special", text: "" },
  { name: "a message of its own", text: '{{ fail (printf "the password %s is weak" .Values.password) }}' },
  { name: "a quoted message", text: '{{ fail (printf "%q is weak" .Values.password) }}' },
  { name: "a message in base64", text: "{{ fail (.Values.password | b64enc) }}" },
  { name: "all values in a message", text: "{{ fail (toJson .Values) }}" },
  { name: "a long message", text: '{{ fail (printf "%1990s%s" "" .Values.password) }}' },
  { name: "no YAML", text: "a: [{{ .Values.password }}" },
  { name: "a type error", text: "{{ range .Values.password.list }}{{ end }}" },
  {
    name: "a refusal of the override alone",
    text: '{{ if contains "harbor" .Values.web.image }}{{ fail .Values.password }}{{ end }}',
  },
  {
    name: "a change beside the images",
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  dump: {{ printf "%s %s" .Values.password (sha256sum .Values.web.image) | quote }}\n',
  },
  {
    name: "a long change beside the images",
    text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  dump: {{ printf "%0150d%s %s" 1 .Values.password (sha256sum .Values.web.image) | quote }}\n',
  },
  {
    name: "a changed Secret",
    text: 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  a: {{ printf "%s-derived-%s" (reverse (splitList "" .Values.password) | join "") (sha256sum .Values.web.image) | quote }}\n',
  },
];

/** The secret and what of it would still give it away. */
const forms = [
  secret,
  inYaml.slice(1, -1),
  Buffer.from(secret).toString("base64"),
  'dloT\\\\reveN-drow"55ap',
  "pa55",
  "Never",
  "reveN",
];

function expectUntold(told: string): void {
  expect(forms.filter((form) => told.includes(form)).map((form) => [form, told])).toEqual([]);
}

describe("a secret in the user's values is told nowhere by the embedded engine", () => {
  expectSecretsUntold([], {});
});

await describeWithTools(["helm3"], "a secret in the user's values is told nowhere by helm", ({ helm3 }) => {
  expectSecretsUntold(["--renderer", "helm"], { HELM_BIN: helm3 });
});

function expectSecretsUntold(renderer: readonly string[], env: Readonly<Record<string, string>>): void {
  const rows = createRowRunner();

  async function run(
    args: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly exitCode: number; readonly told: string }> {
    const cwd = await rows.prepare({
      files: { ...chart, "secret.yaml": `password: ${inYaml}\n`, "secret.txt": secret, ...files },
    });
    const before = new Set(await readdir(cwd));
    const result = await runCommand("fairlead", [...args, ...renderer], { cwd, env });
    const written = (await readdir(cwd)).filter((name) => !before.has(name));
    const texts = await Promise.all(written.map((name) => readFile(path.join(cwd, name), "utf8")));
    return { exitCode: result.exitCode, told: [result.stdout, result.stderr, ...texts].join("\n") };
  }

  const reports = ["--report", "r.json", "--report", "r.xml", "--report", "r.sarif", "--report", "r.html"];
  const detail = ["--log-level", "debug", ...reports];

  describe.each(templates)("$name in a template", ({ text }) => {
    test.each(routes)("by $name", async ({ args }) => {
      const files = { "chart/templates/more.yaml": text };
      const override = await run(["override", "chart", ...hub, "--verify", ...args, ...detail], files);
      expect([0, 1, 4]).toContain(override.exitCode);
      expectUntold(override.told);
    });
  });

  test.each(["override", "survey"])("%s in JSON lines", async (command) => {
    const files = { "chart/templates/more.yaml": "{{ fail .Values.password }}" };
    const flags = command === "override" ? ["--verify"] : [];
    const json = ["--log-format", "json", "-f", "secret.yaml", ...flags, ...detail];
    const { told, exitCode } = await run([command, "chart", ...hub, ...json], files);
    expect(exitCode, told).toBe(1);
    expectUntold(told);
  });

  test("a schema's message", async () => {
    const schema = '{"properties":{"password":{"enum":["allowed"],"pattern":"^a$","maxLength":3}}}';
    const { told, exitCode } = await run(
      ["override", "chart", ...hub, "--verify", "-f", "secret.yaml", ...detail],
      {
        "chart/values.schema.json": schema,
      },
    );
    expect(exitCode, told).toBe(1);
    expectUntold(told);
  });

  test.each([
    { name: "values that end early", text: `password: [${inYaml}\n` },
    { name: "values with a tab", text: `password: ${inYaml}\n\tother: 1\n` },
    { name: "an unknown alias", text: `password: *${secret}\n` },
    { name: "an unknown tag", text: `password: !!pa55 ${inYaml}\n` },
    { name: "a scalar", text: `${inYaml}\n` },
    { name: "an open quote", text: `password: "pa55Never\n` },
    { name: "a duplicate key", text: `password: ${inYaml}\npassword: ${inYaml}\n` },
  ])("a values file with $name", async ({ text }) => {
    const { told } = await run(["override", "chart", ...hub, "-f", "bad.yaml", ...detail], {
      "bad.yaml": text,
    });
    expectUntold(told);
  });

  test.each([
    "web: SECRET",
    "imagePassword: SECRET",
    "imageCredentials:\n  registry: docker.io\n  username: me\n  password: SECRET",
    "web:\n  image:\n    pullSecret: SECRET",
    "web:\n  image: nginx:1\n  imagePullSecrets:\n    - SECRET",
    'password: "{{ .Values.x }}SECRET"',
    "token: Bearer SECRET",
  ])("values of the form %j", async (form) => {
    const text = form.replace("SECRET", "pa55-Never:Told");
    const { told } = await run(["override", "chart", ...all, "-f", "form.yaml", ...detail], {
      "form.yaml": text,
    });
    expect(["pa55", "Never"].filter((part) => told.includes(part))).toEqual([]);
  });

  test.each([
    { name: "a comma in --set", args: ["--set", `password=${secret},Never`] },
    { name: "a bracket in --set", args: ["--set", "password=x,pa55[Never]=1"] },
    { name: "a dot in --set", args: ["--set", "web=x,web.pa55Never=1"] },
    { name: "a brace in --set", args: ["--set", "password={pa55,Never"] },
    { name: "a misspelled flag", args: [`--set-strnig=password=${secret}`] },
    { name: "blanks around =", args: ["--set", "password", "=", secret] },
    { name: "a user at the target", args: ["-t", "https://me:pa55Never@harbor.example.com"] },
    { name: "a user at a source", args: ["-s", "https://me:pa55Never@quay.io"] },
    { name: "a user at an exclusion", args: ["-e", "me:pa55Never@quay.io"] },
  ])("$name", async ({ args }) => {
    const { told, exitCode } = await run(["override", "chart", ...hub, ...args, ...detail]);
    expect(exitCode, told).toBe(2);
    expectUntold(told);
  });

  test("a user at a configured registry", async () => {
    const config =
      "target_registry: https://me:pa55Never@harbor.example.com\nsource_registries: [docker.io]\n";
    const { told, exitCode } = await run(["override", "chart", "--config", "c.yaml"], { "c.yaml": config });
    expect(exitCode, told).toBe(2);
    expectUntold(told);
  });
}
