import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import { type AppcPlatform, toArchitecture } from "./ac-types.ts";
import type { AciApp } from "./image-app.ts";
import { type ImageManifest, labelOf } from "./image-manifest.ts";

/** Who owns a file of the rendered image; undefined: there is none. */
export type OwnerOf = (path: string) => { readonly uid: number; readonly gid: number } | undefined;

/** Of one entry of `ports`; they only inform. */
const maxPortsOfRange = 1000;

/**
 * The OCI image configuration of a rendered image (OCI image specification, "Image Configuration"), as data whose
 * JSON is always the same.
 * @param platform for what the image leaves open
 * @throws FairleadError `aci-invalid` for a user or group that is the owner of a file that is not there
 */
export function toOciConfig(
  manifest: ImageManifest,
  platform: AppcPlatform,
  layers: readonly string[],
  ownerOf: OwnerOf,
): object {
  const created = manifest.annotations.find(({ name }) => name === "created")?.value;
  const labels = manifest.annotations.map(({ name, value }) => [name, value] as const);
  return {
    ...(created !== undefined && isTime(created) ? { created } : {}),
    ...toArchitecture(labelOf(manifest, "arch") ?? platform.arch),
    os: labelOf(manifest, "os") ?? platform.os,
    config: {
      ...(manifest.app === undefined ? {} : toRunConfig(manifest.app, ownerOf)),
      ...(labels.length === 0 ? {} : { Labels: Object.fromEntries(labels) }),
    },
    rootfs: { type: "layers", diff_ids: layers },
  };
}

/** Files whose owners the configuration needs, as paths below the root. */
export function ownedPaths({ app }: ImageManifest): readonly string[] {
  return [app?.user, app?.group].flatMap((owner) => (owner?.startsWith("/") === true ? [pathOf(owner)] : []));
}

function toRunConfig(app: AciApp, ownerOf: OwnerOf): object {
  const ports = app.ports.flatMap(({ protocol, port, count }) =>
    Array.from({ length: Math.min(count, maxPortsOfRange) }, (_, index) => `${port + index}/${protocol}`),
  );
  const resolve = (owner: string, part: "uid" | "gid"): string => {
    if (!owner.startsWith("/")) return owner;
    const found = ownerOf(pathOf(owner));
    if (found !== undefined) return String(found[part]);
    throw new FairleadError(
      "aci-invalid",
      `the image runs as the owner of '${excerpt(owner)}', which it does not have`,
    );
  };
  return {
    User: `${resolve(app.user, "uid")}:${resolve(app.group, "gid")}`,
    ...(ports.length === 0 ? {} : { ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])) }),
    Env: app.environment.map(({ name, value }) => `${name}=${value}`),
    ...(app.exec.length === 0 ? {} : { Entrypoint: app.exec }),
    WorkingDir: app.workingDirectory ?? "/",
  };
}

function pathOf(owner: string): string {
  return Buffer.from(owner, "utf8")
    .toString("latin1")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** RFC 3339; a container runtime refuses a configuration with another. */
function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
