import { describe, expect, test } from "vitest";
import { parseReference } from "../../reference/reference.ts";
import type { TargetRegistry, TargetType } from "./target.ts";
import { checkTarget, requiredProjects, type TargetImage, targetTitle, targetTypes } from "./targets.ts";

const ecrHost = "123456789012.dkr.ecr.us-east-1.amazonaws.com";
const garHost = "europe-west1-docker.pkg.dev";

function imageAt(text: string, type: TargetType): TargetImage {
  const reference = parseReference(text);
  return { reference, target: { host: reference.registry, basePath: "", type } };
}

function brokenRules(type: TargetType, text: string): readonly string[] {
  const { reference, target } = imageAt(text, type);
  return checkTarget(reference, target).map(({ rule }) => rule);
}

describe("checkTarget accepts", () => {
  test.each<[string, TargetType, string]>([
    ["a Harbor project", "harbor", "harbor.lan/dockerio/bitnami/redis:7"],
    ["a Harbor project with dots", "harbor", "harbor.lan/docker.io/nginx"],
    ["single underscores at ECR", "ecr", `${ecrHost}/my_team/app_1.2-x`],
    ["a repository of one component at ECR", "ecr", `${ecrHost}/nginx`],
    ["an alias at the public ECR", "ecr", "public.ecr.aws/acme/nginx"],
    ["project, repository and image at Artifact Registry", "gar", `${garHost}/my-project/mirror/nginx`],
    ["a deep image at Artifact Registry", "gar", `${garHost}/my-project/mirror/dockerio/nginx`],
    ["a domain-scoped project", "gar", `${garHost}/example.com/my-project/mirror/nginx`],
    ["a project at Container Registry", "gcr", "eu.gcr.io/my-project/a/b"],
    ["any depth at ACR", "acr", "myregistry.azurecr.io/a/b/c"],
    ["one component at ACR", "acr", "myregistry.azurecr.io/nginx"],
    ["a scoped DNS label at ACR", "acr", "myregistry-a1b2c3.azurecr.io/nginx"],
    ["a custom host at ACR", "acr", "images.example.com/nginx"],
    ["organisation and repository at Quay", "quay", "quay.io/acme/nginx"],
    ["a deeper path at Quay", "quay", "quay.io/acme/dockerio/nginx"],
    ["an owner at GHCR", "ghcr", "ghcr.io/acme-corp/dockerio/nginx"],
    ["an enterprise's user at GHCR", "ghcr", "ghcr.io/jo_acme/nginx"],
    ["namespace and repository at Docker Hub", "dockerhub", "docker.io/acme/nginx"],
    ["a key at Artifactory", "jfrog", "acme.jfrog.io/docker-remote/my_org/app"],
    ["no key in the path at Artifactory", "jfrog", "acme-docker.jfrog.io/my_app"],
    ["Nexus", "nexus", "nexus.lan:8082/nginx"],
    ["a generic registry", "generic", "localhost:5000/a__b/c---d:V_1.x"],
  ])("%s", (_name, type, text) => {
    expect(brokenRules(type, text)).toEqual([]);
  });
});

describe("checkTarget reports", () => {
  test.each<[string, TargetType, string, string]>([
    ["no project at Harbor", "harbor", "harbor.lan/nginx", "harbor-repository"],
    ["a doubled underscore in a Harbor project", "harbor", "harbor.lan/a__b/nginx", "harbor-project"],
    ["doubled dashes at ECR", "ecr", `${ecrHost}/a/b--c`, "ecr-separator"],
    ["doubled underscores at ECR", "ecr", `${ecrHost}/a__b`, "ecr-separator"],
    ["one character at ECR", "ecr", `${ecrHost}/a`, "ecr-length"],
    ["no alias at the public ECR", "ecr", "public.ecr.aws/nginx", "ecr-public-alias"],
    ["no image at Artifact Registry", "gar", `${garHost}/my-project/nginx`, "gar-path"],
    ["a short project", "gar", `${garHost}/short/mirror/nginx`, "google-project"],
    ["a repository with a dot", "gar", `${garHost}/my-project/docker.io/nginx`, "gar-repository"],
    ["a repository of one letter", "gar", `${garHost}/my-project/m/nginx`, "gar-repository"],
    ["a repository of 64", "gar", `${garHost}/my-project/m${"x".repeat(63)}/nginx`, "gar-repository"],
    ["no project at Container Registry", "gcr", "gcr.io/nginx", "gcr-path"],
    ["a project with an underscore", "gcr", "gcr.io/my_project/nginx", "google-project"],
    ["a short registry name at ACR", "acr", "acme.azurecr.io/nginx", "acr-registry"],
    ["no organisation at Quay", "quay", "quay.io/nginx", "quay-path"],
    ["a short organisation", "quay", "quay.io/a/nginx", "quay-organisation"],
    ["no owner at GHCR", "ghcr", "ghcr.io/nginx", "ghcr-path"],
    ["an owner with dots", "ghcr", "ghcr.io/docker.io/nginx", "ghcr-owner"],
    ["a deep path at Docker Hub", "dockerhub", "docker.io/acme/dockerio/nginx", "dockerhub-path"],
    ["an underscore in a key", "jfrog", "acme.jfrog.io/mirror.lan_5000/app", "jfrog-repository-key"],
    ["a key of 65", "jfrog", `acme.jfrog.io/${"k".repeat(65)}/app`, "jfrog-repository-key"],
    ["host and path of 256", "generic", `r.lan/${"a".repeat(250)}`, "name-length"],
  ])("%s", (_name, type, text, rule) => {
    expect(brokenRules(type, text)).toContain(rule);
  });

  test.each([
    ["path-grammar", { registry: "r.lan", path: "A//b", writtenPath: "A//b" }],
    ["tag-grammar", { registry: "r.lan", path: "a", writtenPath: "a", tag: "-x" }],
  ])("%s for parts that no parser made", (rule, reference) => {
    const target: TargetRegistry = { host: "r.lan", basePath: "", type: "generic" };
    expect(checkTarget(reference, target).map((violation) => violation.rule)).toEqual([rule]);
  });

  test("the repository, the target and the requirement", () => {
    const reference = parseReference("harbor.lan/nginx:1");
    expect(checkTarget(reference, { host: "harbor.lan", basePath: "", type: "harbor" })).toEqual([
      {
        rule: "harbor-repository",
        message: "harbor.lan/nginx breaks a naming rule of Harbor: a path has the form project/repository",
      },
    ]);
  });
});

describe("requiredProjects", () => {
  test.each<[TargetType, readonly string[], readonly string[]]>([
    [
      "harbor",
      ["h.lan/quayio/a/b", "h.lan/dockerio/c", "h.lan/quayio/d"],
      ["project dockerio", "project quayio"],
    ],
    ["harbor", ["h.lan/nginx"], []],
    ["ecr", [`${ecrHost}/b/x:1`, `${ecrHost}/a`, `${ecrHost}/b/x:2`], ["repository a", "repository b/x"]],
    ["ecr", ["public.ecr.aws/acme/b/x"], ["repository b/x"]],
    ["gar", [`${garHost}/my-project/mirror/a`], ["repository my-project/mirror"]],
    ["gar", [`${garHost}/example.com/my-project/mirror/a`], ["repository example.com/my-project/mirror"]],
    ["gcr", ["gcr.io/my-project/a/b"], ["project my-project"]],
    ["acr", ["myregistry.azurecr.io/a/b"], []],
    ["quay", ["quay.io/acme/a"], ["organisation acme"]],
    ["ghcr", ["ghcr.io/acme/a"], ["owner acme"]],
    ["dockerhub", ["docker.io/acme/a"], ["namespace acme"]],
    ["jfrog", ["acme.jfrog.io/mirror/a"], ["repository key mirror"]],
    ["nexus", ["nexus.lan/mirror/a"], ["repository mirror"]],
    ["generic", ["localhost:5000/dockerio/a", "localhost:5000/b"], ["namespace dockerio"]],
  ])("%s: %j", (type, texts, expected) => {
    const projects = requiredProjects(texts.map((text) => imageAt(text, type)));
    expect(projects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected);
  });

  test.each([
    [`${ecrHost}/dockerio/a`, "a pull-through cache rule with the prefix dockerio"],
    [`${ecrHost}/${"p".repeat(31)}/a`, undefined],
    [`${ecrHost}/p/a`, undefined],
  ])("%s may be cached by: %s", (text, alternative) => {
    const [project] = requiredProjects([imageAt(text, "ecr")]);
    expect(project?.alternative).toBe(alternative);
  });

  test("keeps the targets of one run apart", () => {
    const images = [imageAt("b.lan/hub/x", "harbor"), imageAt("a.lan/hub/x", "harbor")];
    expect(requiredProjects(images)).toEqual([
      { host: "a.lan", kind: "project", name: "hub" },
      { host: "b.lan", kind: "project", name: "hub" },
    ]);
  });
});

test("every type has a title", () => {
  for (const type of targetTypes) expect(targetTitle(type)).not.toBe("");
});
