import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { arrangements } from "./deploy/arrangements.ts";
import { chartFiles } from "./deploy/chart-files.ts";
import { alert } from "./deploy/crds/alert.ts";
import { type CustomResource, customResourceDefinition } from "./deploy/crds/custom-resource-definition.ts";
import { gitRepository } from "./deploy/crds/git-repository.ts";
import { imagePolicy } from "./deploy/crds/image-policy.ts";
import { imageRepository } from "./deploy/crds/image-repository.ts";
import { imageUpdateAutomation } from "./deploy/crds/image-update-automation.ts";
import { provider } from "./deploy/crds/provider.ts";
import { receiver } from "./deploy/crds/receiver.ts";
import { clusterRoles, leaseRole, namespaceRoles, nodeRole, userRoles } from "./deploy/roles.ts";

const own = [imageRepository, imagePolicy, imageUpdateAutomation, alert, provider, receiver];

/** The files of `deploy/` that are made from data: path in the repository, and text. */
export function generatedManifests(): ReadonlyMap<string, string> {
  const manifests = new Map([
    ...own.map((resource) => definitionFile("deploy/crds", resource)),
    definitionFile("deploy/source-crd", gitRepository),
    ["deploy/rbac/cluster/roles.yaml", formatManifests(clusterRoles())],
    ["deploy/rbac/namespace/roles.yaml", formatManifests(namespaceRoles())],
    ["deploy/rbac/users/roles.yaml", formatManifests(userRoles())],
    ["deploy/controllers/base/role.yaml", formatManifests([leaseRole()])],
    ...[...arrangements()].map(
      ([file, manifests]) => [`deploy/controllers/${file}`, formatManifests(manifests)] as const,
    ),
    ["deploy/image-service/role.yaml", formatManifests([nodeRole()])],
  ]);
  return new Map([...manifests, ...chartFiles(manifests)]);
}

function definitionFile(folder: string, resource: CustomResource): readonly [path: string, text: string] {
  const { group, plural } = resource;
  return [`${folder}/${group}_${plural}.yaml`, formatManifests([customResourceDefinition(resource)])];
}

/** As YAML 1.1 and 1.2 read it alike. */
function formatManifests(manifests: readonly object[]): string {
  const texts = manifests.map((manifest) =>
    stringify(manifest, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `# Written by scripts/deploy.ts.\n${texts.join("---\n")}`;
}

if (import.meta.main) {
  for (const [file, text] of generatedManifests()) {
    const target = path.join(import.meta.dirname, "..", file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}
