import { readFileSync } from "node:fs";
import { chmod, cp, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createCheckout, repositoryRoot, type Checkout } from "../support/checkout.ts";
import { describeWithTools } from "../support/tools.ts";

interface Pipeline {
  readonly variables: Readonly<Record<string, string>>;
  readonly scripts: readonly string[];
}

interface GithubWorkflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly redirect: { readonly steps: readonly { readonly name: string; readonly run?: string }[] };
  };
}

interface GitlabPipeline {
  readonly variables: Readonly<Record<string, string>>;
  readonly redirect: { readonly script: readonly string[] };
  readonly deploy: { readonly script: readonly string[] };
}

const pipelines: readonly (readonly [string, () => Pipeline])[] = [
  ["GitHub Actions", readGithub],
  ["GitLab CI", readGitlab],
];

await describeWithTools(["helm3"], "the example pipelines", (tools) => {
  describe.each(pipelines)("%s", (_name, read) => {
    const { variables, scripts } = read();
    let checkout: Checkout;
    let scratch: string;
    let origin: string;

    beforeAll(async () => {
      checkout = await createCheckout(tools.helm3);
      scratch = path.dirname(checkout.path);
      origin = path.join(scratch, "origin.git");
      await createOrigin(checkout, origin, path.join(scratch, "first"));
      await replaceDeployment(path.join(scratch, "bin", "helm"), tools.helm3);
    });

    afterAll(() => checkout.remove());

    const runIn = async (clone: string): Promise<string> => {
      const folder = path.join(scratch, clone);
      await succeed(checkout, `git clone --quiet '${origin}' '${folder}'`);
      const env = { ...variables, PUSH_URL: origin, CI_COMMIT_BRANCH: "main" };
      let output = "";
      for (const script of scripts) output += await succeed(checkout, script, { cwd: folder, env });
      return output;
    };

    const historyOf = (): Promise<string> => succeed(checkout, `git -C '${origin}' log --format=%s main`);

    test("the first run commits the override and deploys with it", async () => {
      const output = await runIn("one");
      expect(await historyOf()).toBe("Update the image override\nAdd the chart\n");
      expect(output).toContain("image: harbor.example.com:5000/dockerio/nginx:1.23\n");
      expect(output).not.toContain("is current");
    });

    test("the second run finds the committed override", async () => {
      const output = await runIn("two");
      expect(output).toContain("The committed override is current.");
      expect(await historyOf()).toBe("Update the image override\nAdd the chart\n");
      const overrides = ["one", "two"].map((clone) =>
        readFile(path.join(scratch, clone, "overrides.yaml"), "utf8"),
      );
      expect(await overrides[1]).toBe(await overrides[0]);
    });
  });
});

function readGithub(): Pipeline {
  const { env, jobs } = readExample("github-actions.yaml") as GithubWorkflow;
  const scripts = jobs.redirect.steps
    .filter(({ name }) => !name.startsWith("Install"))
    .flatMap(({ run }) => (run === undefined ? [] : [run]));
  return { variables: env, scripts };
}

function readGitlab(): Pipeline {
  const { variables, redirect, deploy } = readExample("gitlab-ci.yaml") as GitlabPipeline;
  return { variables, scripts: [...redirect.script, ...deploy.script] };
}

function readExample(name: string): unknown {
  return parse(readFileSync(path.join(repositoryRoot, "examples/ci", name), "utf8"));
}

async function createOrigin(checkout: Checkout, origin: string, folder: string): Promise<void> {
  await cp(path.join(repositoryRoot, "examples/shop"), path.join(folder, "chart"), { recursive: true });
  await writeFile(path.join(folder, "values.yaml"), "search:\n  enabled: true\n");
  await succeed(
    checkout,
    `git init --quiet --initial-branch main
     git add --all
     git -c user.name=author -c user.email=author@example.com commit --quiet --message 'Add the chart'
     git clone --quiet --bare . '${origin}'`,
    { cwd: folder },
  );
}

/** There is no cluster here: a helm that renders what it was asked to install. */
async function replaceDeployment(program: string, helm: string): Promise<void> {
  await writeFile(
    `${program}.new`,
    `#!/bin/sh\nif [ "$1 $2" = "upgrade --install" ]; then shift 2; set -- template "$@"; fi\nexec '${helm}' "$@"\n`,
  );
  await chmod(`${program}.new`, 0o755);
  await rename(`${program}.new`, program);
}

async function succeed(
  checkout: Checkout,
  text: string,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const result = await checkout.shell(text, options);
  expect(result.exitCode, `${text}\n${result.stderr}`).toBe(0);
  return result.stdout;
}
