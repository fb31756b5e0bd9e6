import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { hashSync } from "bcryptjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { createAuthority } from "../support/certificates.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import { startHttpServer, type TestServer } from "../support/http-server.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const shop = path.join(repositoryRoot, "examples/shop");
const target = ["-t", "harbor.example.com:5000", "-s", "docker.io,quay.io"];
const versions = ["1.0.0", "1.2.0", "1.10.0", "2.0.0-rc.1", "1.10.1+build.5"];

const versionTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: version
data:
  shop: {{ .Chart.Version | quote }}
`;

await describeWithTools(
  ["helm3", "helm4", "registry", "openssl"],
  "charts of registries and repositories",
  (tools) => {
    let registry: Registry;
    let repository: TestServer;
    let other: TestServer;
    let folder: TempDir;
    let override: string;
    const asked: { readonly path: string; readonly authorization: string | undefined }[] = [];

    const helm = async (program: string, ...args: readonly string[]): Promise<RunResult> => {
      const result = await run(program, args, { env: { PATH: process.env["PATH"], HOME: folder.path } });
      if (result.exitCode !== 0) throw new Error(result.stderr);
      return result;
    };
    const fairlead = async (
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<RunResult> => runCommand("fairlead", args, { env: { HOME: folder.path, ...env } });
    beforeAll(async () => {
      await buildCommands();
      folder = await createTempDir("remote-charts");
      registry = await startRegistry(tools.registry);
      const served = path.join(folder.path, "served");
      await mkdir(served);
      const chart = path.join(folder.path, "shop");
      await cp(shop, chart, { recursive: true });
      await writeFile(path.join(chart, "templates/version.yaml"), versionTemplate);
      for (const version of versions) {
        await helm(tools.helm3, "package", chart, "--version", version, "--destination", served);
        const archive = path.join(served, `shop-${version}.tgz`);
        await helm(tools.helm3, "push", "--plain-http", archive, `oci://${registry.host}/charts`);
      }
      other = await startHttpServer(serve(path.join(folder.path, "elsewhere"), asked));
      await cp(served, path.join(folder.path, "elsewhere"), { recursive: true });
      await helm(tools.helm3, "repo", "index", served);
      await mkdir(path.join(served, "absolute"));
      await cp(path.join(served, "index.yaml"), path.join(served, "absolute/index.yaml"));
      await helm(tools.helm3, "repo", "index", path.join(folder.path, "elsewhere"), "--url", other.url);
      await cp(path.join(folder.path, "elsewhere/index.yaml"), path.join(served, "absolute/index.yaml"));
      repository = await startHttpServer(serve(served, asked));
      override = (await fairlead(["override", shop, ...target])).stdout;
      expect(override).toContain("harbor.example.com:5000");
    });

    afterAll(async () => {
      await repository.stop();
      await other.stop();
      await registry.stop();
      await folder.remove();
    });

    describe("give the same override as the folder", () => {
      test.each([
        { name: "a chart of a registry", chart: () => [`oci://${registry.host}/charts/shop`] },
        { name: "with a tag", chart: () => [`oci://${registry.host}/charts/shop:1.2.0`] },
        { name: "a chart of a repository", chart: () => ["shop", "--repo", repository.url] },
        { name: "at another host", chart: () => ["shop", "--repo", `${repository.url}/absolute/`] },
        { name: "by helm", chart: () => [`oci://${registry.host}/charts/shop`, "--helm", tools.helm3] },
      ])("$name", async ({ chart }) => {
        const { exitCode, stdout, stderr } = await fairlead(["override", ...chart(), ...target]);
        expect(stderr).toContain("OK");
        expect(exitCode).toBe(0);
        expect(stdout).toBe(override);
      });
    });

    test.each([
      { name: "the newest release", version: "1.10.1+build.5", flags: [] },
      { name: "an exact version", version: "1.2.0", flags: ["--version", "1.2.0"] },
      { name: "a range", version: "1.2.0", flags: ["--version", "~1.2"] },
      { name: "a range of two bounds", version: "1.2.0", flags: ["--version", ">=1.0.0 <1.10.0"] },
      { name: "pre-releases", version: "2.0.0-rc.1", flags: ["--version", ">=2.0.0-0"] },
      { name: "metadata", version: "1.10.1+build.5", flags: ["--version", "1.10.1+build.5"] },
    ])("choose as helm does: $name", async ({ version, flags }) => {
      const sources = [[`oci://${registry.host}/charts/shop`], ["shop", "--repo", repository.url]];
      for (const [chart = "", ...repo] of sources) {
        const plain = chart.startsWith("oci:") ? ["--plain-http"] : [];
        const rendered = [(await fairlead(["render", chart, ...repo, ...flags])).stdout];
        for (const program of [tools.helm3, tools.helm4]) {
          rendered.push((await helm(program, "template", chart, ...repo, ...flags, ...plain)).stdout);
        }
        for (const text of rendered) expect(text).toContain(`\n  shop: "${version}"\n`);
      }
    });

    test.each(["images", "explain", "render"])("%s takes them", async (command) => {
      for (const chart of [[`oci://${registry.host}/charts/shop`], ["shop", "--repo", repository.url]]) {
        const remote = await fairlead([command, ...chart, "--version", "1.0.0"]);
        expect(remote.stderr).toBe("");
        expect(remote.stdout.length).toBeGreaterThan(200);
      }
    });

    test("diff takes two versions", async () => {
      const flags = ["--repo", repository.url, "--old-version", "1.0.0", "--version", "^1.2", "--all"];
      const { exitCode, stdout } = await fairlead(["diff", "shop", "shop", ...flags, "--output", "json"]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        old: { version: "1.0.0" },
        new: { version: "1.10.1+build.5" },
      });
    });

    test("verify takes them", async () => {
      const file = path.join(folder.path, "override.yaml");
      await writeFile(file, override);
      const args = ["verify", `oci://${registry.host}/charts/shop`, ...target, "--override", file];
      expect(await fairlead(args)).toMatchObject({ exitCode: 0 });
    });

    test("survey takes several, in threads too, and reads the index once", async () => {
      asked.length = 0;
      const one = await fairlead(["survey", "shop", "shop", "--repo", repository.url, ...target]);
      expect(one).toMatchObject({ exitCode: 0 });
      expect(asked.filter(({ path: name }) => name.endsWith("index.yaml"))).toHaveLength(1);
      const charts = versions.map((version) => `oci://${registry.host}/charts/shop:${version}`);
      expect(await fairlead(["survey", ...charts, ...target])).toMatchObject({ exitCode: 0 });
    });

    test("leave no trace in the temporary folder", async () => {
      const temporary = path.join(folder.path, "temporary");
      await mkdir(temporary);
      const args = ["override", `oci://${registry.host}/charts/shop`, ...target, "--helm", tools.helm3];
      expect(await fairlead(args, { TMPDIR: temporary })).toMatchObject({ exitCode: 0 });
      expect((await readdir(temporary)).filter((name) => name.startsWith("fairlead"))).toEqual([]);
    });

    test("helm-image-override takes them too", async () => {
      const args = [`oci://${registry.host}/charts/shop`, "--version", "1.2.0", ...target];
      const { stdout } = await runCommand("helm-image-override", args, { env: { HOME: folder.path } });
      expect(stdout).toBe(override);
      const version = await runCommand("helm-image-override", ["--version"]);
      expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
    });

    describe("credentials of a repository", () => {
      const password = "s3cret-of-the-repository";

      test.each([
        { name: "go to its own host alone", flags: [], elsewhere: undefined },
        {
          name: "go to others where the user says so",
          flags: ["--pass-credentials"],
          elsewhere: `Basic ${Buffer.from(`robot:${password}`).toString("base64")}`,
        },
      ])("$name", async ({ flags, elsewhere }) => {
        asked.length = 0;
        const repo = ["--repo", `${repository.url}/absolute`, "--repo-username", "robot", ...flags];
        const env = { FAIRLEAD_REPO_PASSWORD: password };
        const { exitCode, stderr } = await fairlead(["images", "shop", ...repo, "--verbose"], env);
        expect(exitCode).toBe(0);
        expect(stderr).not.toContain(password);
        expect(asked).toEqual([
          { path: "/absolute/index.yaml", authorization: expect.stringMatching(/^Basic /u) as string },
          { path: expect.stringMatching(/\.tgz$/u) as string, authorization: elsewhere },
        ]);
      });

      test("come from a file", async () => {
        asked.length = 0;
        const file = path.join(folder.path, "password");
        await writeFile(file, `${password}\n`);
        const repo = ["--repo", repository.url, "--repo-username", "robot", "--repo-password-file", file];
        expect(await fairlead(["images", "shop", ...repo])).toMatchObject({ exitCode: 0 });
        const expected = `Basic ${Buffer.from(`robot:${password}`).toString("base64")}`;
        expect(asked.map(({ authorization }) => authorization)).toEqual([expected, expected]);
      });
    });

    test("the login of helm is taken for a registry", async () => {
      const htpasswdFile = path.join(folder.path, "htpasswd");
      await writeFile(htpasswdFile, `robot:${hashSync("s3cret-of-the-registry", 4)}\n`);
      const guarded = await startRegistry(tools.registry, { auth: { htpasswdFile } });
      try {
        const env = { PATH: process.env["PATH"], HOME: folder.path };
        const login = ["registry", "login", "--plain-http", guarded.host, "-u", "robot", "--password-stdin"];
        const stdin = "s3cret-of-the-registry";
        expect(await run(tools.helm3, login, { env, stdin })).toMatchObject({ exitCode: 0 });
        const archive = path.join(folder.path, "served/shop-1.2.0.tgz");
        await helm(tools.helm3, "push", "--plain-http", archive, `oci://${guarded.host}/charts`);
        const args = ["images", `oci://${guarded.host}/charts/shop`];
        expect(await fairlead(args)).toMatchObject({ exitCode: 0 });
        expect(await fairlead(args, { HOME: path.join(folder.path, "nobody") })).toMatchObject({
          exitCode: 1,
        });
      } finally {
        await guarded.stop();
      }
    });

    test("an authority of one's own is trusted with --ca-file", async () => {
      const authority = await createAuthority(tools.openssl, folder.path, "charts");
      const { certificateFile, keyFile } = await authority.issue("server");
      const [cert, key] = await Promise.all([readFile(certificateFile), readFile(keyFile)]);
      const secure = await startHttpServer(serve(path.join(folder.path, "served"), asked), { cert, key });
      try {
        const args = ["images", "shop", "--repo", secure.url];
        expect(await fairlead(args)).toMatchObject({ exitCode: 1, stdout: "" });
        expect(await fairlead([...args, "--ca-file", authority.certificateFile])).toMatchObject({
          exitCode: 0,
        });
      } finally {
        await secure.stop();
      }
    });

    test("an index that leads to a registry is followed", async () => {
      const index = await readFile(path.join(folder.path, "served/index.yaml"), "utf8");
      await mkdir(path.join(folder.path, "served/oci"));
      const led = index.replaceAll(
        /- shop-(\S+)\.tgz/gu,
        (_, version: string) => `- oci://${registry.host}/charts/shop:${version}`,
      );
      await writeFile(path.join(folder.path, "served/oci/index.yaml"), led);
      const { exitCode, stdout, stderr } = await fairlead([
        "override",
        "shop",
        "--repo",
        `${repository.url}/oci`,
        ...target,
      ]);
      expect(stderr).toContain("OK");
      expect(exitCode).toBe(0);
      expect(stdout).toBe(override);
    });

    test.each([
      {
        name: "a version for a folder",
        args: () => ["images", shop, "--version", "1.0.0"],
        stderr: /a version has no effect/u,
      },
      {
        name: "two versions",
        args: () => ["images", `oci://${registry.host}/charts/shop:1.0.0`, "--version", "1.2.0"],
        stderr: /names 1\.0\.0 and --version 1\.2\.0/u,
      },
      {
        name: "a version that is not there",
        args: () => ["images", `oci://${registry.host}/charts/shop`, "--version", "^7"],
        stderr: /no version of the chart that fits "\^7"/u,
      },
      {
        name: "a range that is none",
        args: () => ["images", "shop", "--repo", repository.url, "--version", "one"],
        stderr: /improper constraint/u,
      },
      {
        name: "a chart that is not there",
        args: () => ["images", "absent", "--repo", repository.url],
        stderr: /has no chart "absent"/u,
      },
      {
        name: "a password in the URL",
        args: () => ["images", "shop", "--repo", "https://robot:hunter2@example.com"],
        stderr: /holds a user or a password/u,
      },
      {
        name: "a repository that is no URL",
        args: () => ["images", "shop", "--repo", "charts"],
        stderr: /Invalid repository/u,
      },
      {
        name: "a user without a repository",
        args: () => ["images", shop, "--repo-username", "robot"],
        stderr: /--repo-username has no effect without --repo/u,
      },
      {
        name: "a user without a password",
        args: () => ["images", "shop", "--repo", repository.url, "--repo-username", "robot"],
        stderr: /has no password/u,
      },
      {
        name: "an address without a path",
        args: () => ["images", "oci://quay.io"],
        stderr: /Invalid chart address/u,
      },
    ])("$name is wrong input", async ({ args, stderr }) => {
      const result = await fairlead(args());
      expect(result.stderr).toMatch(stderr);
      expect(result.stderr).not.toContain("hunter2");
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    });
  },
);

/** Serves the files of a folder and notes what was asked for. */
function serve(
  folder: string,
  asked: { readonly path: string; readonly authorization: string | undefined }[],
): Parameters<typeof startHttpServer>[0] {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push({ path: pathname, authorization: request.headers.authorization });
    readFile(path.join(folder, decodeURIComponent(pathname))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  };
}
