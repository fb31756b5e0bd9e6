import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { runInProcess } from "../support/cli.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

let folder: TempDir;
beforeEach(async () => {
  folder = await createTempDir("imagespec");
});
afterEach(() => folder.remove());

const pod = `# keep
apiVersion: v1
kind: Pod
metadata: { name: test-pod }
spec:
  containers:
  - name: foo
    image: test-repo/foo # keep
`;
const podWithBoth = `${pod}    imageSpec:
      dockerImage:
        registry: docker.io
        name: test-repo/foo
`;
const aci = `apiVersion: batch/v1
kind: CronJob
spec:
  jobTemplate:
    spec:
      template:
        spec:
          initContainers:
            - imageSpec: { aci: { name: coreos.com/etcd, tag: v2.2.0 } }
              name: etcd
`;
const aciAsImage = `apiVersion: batch/v1
kind: CronJob
spec:
  jobTemplate:
    spec:
      template:
        metadata:
          annotations:
            image-spec.fairlead.dev/etcd: '{"image":"coreos.com/etcd:v2.2.0","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v2.2.0"}}}'
        spec:
          initContainers:
            - image: coreos.com/etcd:v2.2.0
              name: etcd
`;

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

const read = (name: string): Promise<string> => readFile(path.join(folder.path, name), "utf8");

/** Runs a subcommand; what begins with `./` is in the folder. */
function imagespec(args: readonly string[], stdin?: string): Promise<RunResult> {
  const found = args.map((arg) => (arg.startsWith("./") ? path.join(folder.path, arg) : arg));
  return runInProcess("fairlead", ["imagespec", ...found], Buffer.from(stdin ?? ""));
}

describe("fairlead imagespec convert", () => {
  test("prints what a file becomes", async () => {
    await write({ "pod.yaml": pod });
    const result = await imagespec(["convert", "--to", "both", "-f", "./pod.yaml"]);
    expect(result).toEqual({ exitCode: 0, stdout: podWithBoth, stderr: "" });
    expect(await read("pod.yaml")).toBe(pod);
  });

  test("takes standard input, with its byte order mark", async () => {
    const result = await imagespec(["convert", "--to", "both", "-f", "-"], `\ufeff${pod}`);
    expect(result).toEqual({ exitCode: 0, stdout: `\ufeff${podWithBoth}`, stderr: "" });
  });

  test("joins several files to one stream", async () => {
    await write({
      "m/a.yaml": pod.trimEnd(),
      "m/b/c.yml": "---\nkind: Other\n",
      "m/d.json": "{}",
      "m/e.txt": "x",
    });
    const { stdout } = await imagespec(["convert", "--to", "both", "-f", "./m"]);
    expect(stdout).toBe(`${podWithBoth}---\nkind: Other\n---\n{}`);
  });

  test("writes files in place, and keeps their modes and links", async () => {
    await write({ "m/pod.yaml": pod, "m/aci.yaml": aci, "m/other.yaml": "a: 1" });
    await chmod(path.join(folder.path, "m/pod.yaml"), 0o600);
    await symlink("pod.yaml", path.join(folder.path, "m/link.yaml"));
    const untouched = await stat(path.join(folder.path, "m/other.yaml"));
    const there = await imagespec(["convert", "--to", "image", "-i", "-f", "./m"]);
    expect(there).toMatchObject({ exitCode: 0, stderr: "" });
    expect(there.stdout).toMatch(
      /coreos\.com\/etcd:v2\.2\.0, annotation set\nConverted 1 container in 1 file\.\n$/u,
    );
    expect(await read("m/aci.yaml")).toBe(aciAsImage);
    await imagespec(["convert", "--to", "imageSpec", "-i", "-f", "./m/pod.yaml", "./m/aci.yaml"]);
    expect(await read("m/pod.yaml")).toBe(
      podWithBoth.replace("image: test-repo/foo # keep\n    imageSpec:", "imageSpec: # keep"),
    );
    expect(await read("m/aci.yaml")).not.toContain("annotations");
    expect((await stat(path.join(folder.path, "m/pod.yaml"))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(folder.path, "m/other.yaml"))).mtimeMs).toBe(untouched.mtimeMs);
  });

  test("shows a diff, and lists changes for programs, without writing", async () => {
    await write({ "pod.yaml": pod });
    const diff = await imagespec(["convert", "--to", "both", "-i", "--dry-run", "-f", "./pod.yaml"]);
    expect(diff.stdout).toContain("+        registry: docker.io\n");
    const list = await imagespec(["convert", "--to", "imageSpec", "--output", "json", "-f", "./pod.yaml"]);
    expect(JSON.parse(list.stdout)).toEqual({
      written: false,
      files: [
        {
          path: path.join(folder.path, "pod.yaml"),
          changes: [
            {
              field: "spec.containers[0]",
              container: "foo",
              line: 7,
              image: "test-repo/foo",
              imageSpec: { dockerImage: { registry: "docker.io", name: "test-repo/foo" } },
              annotation: "kept",
            },
          ],
        },
      ],
      diagnostics: [],
    });
    expect(await read("pod.yaml")).toBe(pod);
  });

  test.each([
    {
      name: "a template",
      text: "a: b\nimage: {{ .Values.image }}\n",
      told: ["bad.yaml:2:", "render it first"],
    },
    { name: "an invalid spec", text: aci.replace("etcd,", "ETCD,"), told: ["bad.yaml:9:", "aci.name"] },
    {
      name: "two images",
      text: podWithBoth.replace("/foo #", "/bar #"),
      told: ["bad.yaml:8:", "docker.io/test-repo/foo"],
    },
  ])("leaves a file with $name, and ends with 2", async ({ text, told }) => {
    await write({ "bad.yaml": text, "pod.yaml": pod });
    const printed = await imagespec(["convert", "--to", "both", "-f", "./bad.yaml", "-f", "./pod.yaml"]);
    expect(printed).toMatchObject({ exitCode: 2, stdout: "" });
    for (const piece of told) expect(printed.stderr).toContain(piece);
    const written = await imagespec(["convert", "--to", "both", "-i", "-f", "./bad.yaml", "./pod.yaml"]);
    expect(written.exitCode).toBe(2);
    expect(await read("bad.yaml")).toBe(text);
    expect(await read("pod.yaml")).toBe(podWithBoth);
  });

  test.each([
    { name: "an image that cannot be parsed", text: pod.replace("test-repo/foo", "BAD Name") },
    { name: "an alias", text: pod.replace("test-repo/foo", "*foo").replace("test-pod", "&foo test-pod") },
    {
      name: "a merge",
      text: pod.replace("image: test-repo/foo", "<<: *foo").replace("{ name", "&foo { image"),
    },
    { name: "a key twice", text: `${pod}    image: b\n` },
    {
      name: "a comment within the image",
      text: pod.replace("test-repo/foo #", "# x\n      test-repo/foo #"),
    },
  ])("passes over a container with $name; --strict ends with 4", async ({ text }) => {
    await write({ "odd.yaml": text });
    const args = ["convert", "--to", "imageSpec", "-f", "./odd.yaml"];
    const result = await imagespec(args);
    expect(result).toMatchObject({ exitCode: 0, stdout: text });
    expect(result.stderr).toMatch(/warning: .*\n {2}at .*odd\.yaml:\d+:\d+ \(spec\.containers\[0\]/u);
    expect(await imagespec([...args, "--strict"])).toMatchObject({ exitCode: 4, stdout: "" });
  });

  test.each([
    { name: "a missing file", args: ["-f", "./missing.yaml"], told: "no such file or folder" },
    { name: "standard input in place", args: ["-i", "-f", "-"], told: "cannot be written in place" },
    { name: "no file", args: [], told: "required option" },
  ])("refuses $name", async ({ args, told }) => {
    const result = await imagespec(["convert", "--to", "both", ...args]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(told);
  });

  test("does not print what is not UTF-8", async () => {
    await writeFile(path.join(folder.path, "a.yaml"), Buffer.from([0x61, 0x3a, 0xff]));
    const result = await imagespec(["convert", "--to", "both", "-f", "./a.yaml"]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("not UTF-8");
  });
});

const two = (first: string, second: string): string =>
  `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    ${first}\n  - name: b\n    ${second}\n`;

describe("fairlead imagespec validate", () => {
  const valid = { "a.yaml": podWithBoth, "b.yaml": aciAsImage, "c.yaml": aci };

  test("accepts what is well", async () => {
    await write(valid);
    const result = await imagespec(["validate", "-f", "./"]);
    expect(result).toEqual({ exitCode: 0, stdout: "3 containers in 3 files: valid.\n", stderr: "" });
  });

  test("takes one of image and imageSpec alone under --strict", async () => {
    await write(valid);
    const { exitCode, stdout } = await imagespec(["validate", "--strict", "-f", "./"]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      "a.yaml:7:5 (spec.containers[0]): error: a write takes only one of image and imageSpec\n",
    );
    expect(stdout.split("\n")).toHaveLength(3);
  });

  test.each([
    {
      name: "two members",
      text: two("imageSpec: {aci: {name: a}, dockerImage: {registry: q.io, name: a}}", "image: a"),
      told: "x.yaml:6:16 (spec.containers[0].imageSpec): error: Invalid value: ",
    },
    {
      name: "parts that do not fit together",
      text: two("imageSpec: {dockerImage: {registry: myhost, name: x}}", "image: a"),
      told: "x.yaml:6:30 (spec.containers[0].imageSpec.dockerImage): error: ",
    },
    {
      name: "a broken ACI id",
      text: two("image: a", "imageSpec: {aci: {name: a, id: sha512-00}}"),
      told: "x.yaml:8:36 (spec.containers[1].imageSpec.aci.id): error: ",
    },
    {
      name: "an image in two formats",
      text: two("imageSpec: {aci: {name: q.io/a}}", "image: q.io/a"),
      told: "x.yaml:7:5 (spec.containers[1]): error: image q.io/a is aci in another container of the pod, and dockerImage here",
    },
    {
      name: "a key twice",
      text: two("image: a", "image: b\n    image: c"),
      told: "error: the key is given twice",
    },
    {
      name: "a broken annotation",
      text: aciAsImage.replace('"name":"coreos.com/etcd"', '"name":"C"'),
      told: 'x.yaml:9:43 (spec.jobTemplate.spec.template.metadata.annotations["image-spec.fairlead.dev/etcd"]): error: in the annotation, imageSpec.aci.name',
    },
    {
      name: "an annotation that is no JSON",
      text: aciAsImage.replace("'{", "'"),
      told: "error: the annotation is not JSON",
    },
  ])("names $name", async ({ text, told }) => {
    await write({ "x.yaml": text });
    const { exitCode, stdout } = await imagespec(["validate", "-f", "./x.yaml"]);
    expect({ exitCode, told: stdout.includes(told) }, stdout).toEqual({ exitCode: 2, told: true });
  });

  test.each([
    { name: "of another image", text: aciAsImage.replace("image: coreos.com/etcd:v2.2.0\n", "image: b\n") },
    { name: "of no container", text: aciAsImage.replace("name: etcd\n", "name: b\n") },
  ])("warns of an annotation $name", async ({ text }) => {
    await write({ "x.yaml": text });
    const { exitCode, stdout } = await imagespec(["validate", "--output", "json", "-f", "./x.yaml"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      containers: 1,
      diagnostics: [{ code: "image-spec-stale", severity: "warning", where: { line: 9 } }],
    });
  });
});
