import { type Command, InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { tryParseDuration } from "../../objects/duration.ts";
import { formatFamiliar, joinReference } from "../../reference/reference.ts";
import { dockerHub } from "../../reference/registry-host.ts";
import type { MovedImage } from "../../relocation/moved-images.ts";
import { overridePath } from "../../relocation/override.ts";
import type { PinnedLeaves } from "../../relocation/relocate-chart-input.ts";
import type { CommentAt } from "../../yaml/dump.ts";
import { formatValuePath, type ValuePath } from "../../yaml/value-path.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { FollowedImage, FollowedLeaf } from "../../automation/follow/leaf-choice.ts";

/** Flags of an override that image policies keep up to date. */
export interface FollowOptions {
  readonly markers?: string;
  readonly policies?: string;
  /** Default: target. */
  readonly scan?: "target" | "source";
  /** Default: {@link defaultInterval}. */
  readonly scanInterval?: string;
  readonly scanSecret?: string;
}

const defaultInterval = "10m";

/** Adds {@link FollowOptions}. */
export function addFollowOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--markers <policy-namespace>",
        "write markers of image policies of this namespace behind tags and images; with --policies",
      ).argParser(objectName),
    )
    .option("--policies <file>", "file for the ImageRepository and ImagePolicy objects of --markers")
    .addOption(
      new Option("--scan <registry>", "whose tags the policies follow (default: target)").choices([
        "target",
        "source",
      ]),
    )
    .addOption(
      new Option(
        "--scan-interval <duration>",
        `how often the ImageRepository objects are scanned (default: ${defaultInterval})`,
      ).argParser(interval),
    )
    .addOption(
      new Option(
        "--scan-secret <name>",
        "Secret with the scanned registry's login, for the ImageRepository objects (default: none)",
      ).argParser(objectName),
    );
}

/** The longest that a namespace's name can be; a Secret's may be longer, and hardly is. */
const maxNameLength = 63;

function objectName(text: string): string {
  if (text.length <= maxNameLength && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(text)) return text;
  throw new InvalidArgumentError("It must be a name of a-z, 0-9 and -, such as flux-system.");
}

function interval(text: string): string {
  if ((tryParseDuration(text) ?? 0) >= 1000) return text;
  throw new InvalidArgumentError("It must be a duration of a second or more, such as 10m or 1h.");
}

interface CheckedOptions extends FollowOptions {
  readonly verify?: boolean;
  readonly dryRun?: boolean;
  readonly outputFormat: "yaml" | "json";
}

/**
 * Refuses flags that are of no use together.
 * @throws FairleadError `input-invalid`
 */
export function checkFollowOptions(options: CheckedOptions): void {
  const { markers, policies, scan, scanInterval, scanSecret, verify, dryRun, outputFormat } = options;
  if (markers === undefined) {
    const flags = {
      "--policies": policies,
      "--scan": scan,
      "--scan-interval": scanInterval,
      "--scan-secret": scanSecret,
    };
    const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined)
      refuse(`${flag} has no effect without --markers`, "name a namespace: --markers flux-system");
    return;
  }
  if (policies === undefined && dryRun !== true) {
    refuse(
      "--markers needs a file for the objects that its markers name",
      "give it with --policies FILE, or print all with --dry-run",
    );
  }
  if (outputFormat === "json") {
    refuse("JSON has no comments, and so no markers", "leave --output-format json or --markers out");
  }
  if (verify === false) {
    refuse("--markers has no effect with --no-verify", "only a rendering tells which values hold tags");
  }
}

function refuse(message: string, hint: string): never {
  throw new FairleadError("input-invalid", message, { hint });
}

/** What an override follows; known once its images are planned. */
export interface OverrideFollowing {
  readonly pin: (images: readonly MovedImage[]) => PinnedLeaves;
  /** The marker behind a value of the override. */
  readonly commentAt: CommentAt;
  /** The objects that the markers name. */
  readonly objects: () => readonly YamlMap[];
}

/**
 * Lets an override follow registries as the flags ask for.
 * @param chart its name goes before the names of the objects, so that those of several charts can share a namespace
 * @returns undefined where the flags ask for nothing
 */
export async function followingFor(
  {
    markers,
    scan = "target",
    scanInterval = defaultInterval,
    scanSecret,
    insecure,
  }: FollowOptions & { readonly insecure?: boolean },
  chart: string,
): Promise<OverrideFollowing | undefined> {
  if (markers === undefined) return undefined;
  const { followImages } = await import("../../automation/follow/follow-images.ts");
  const { policyObjects } = await import("../../automation/follow/policy-objects.ts");
  const setters = new Map<string, string>();
  let objects: readonly YamlMap[] = [];
  return {
    pin: (images) => {
      const followed = images.map((image) => followedImage(image, scan, chart));
      const { repositories, leaves, diagnostics } = followImages(followed, formatValuePath);
      for (const { leaf, part, policy } of leaves) {
        const setter = `${markers}:${policy}${part === "" ? "" : `:${part}`}`;
        setters.set(formatValuePath(overridePath(leaf.path)), setter);
      }
      const isInsecure = insecure === true && scan === "target";
      const own = {
        namespace: markers,
        interval: scanInterval,
        secretName: scanSecret,
        insecure: isInsecure,
      };
      objects = policyObjects(repositories, own);
      const pinned = leaves.filter(({ leaf }) => leaf.role === "tag" || leaf.role === "digest");
      return { entries: pinned.map(({ leaf }) => ({ path: leaf.path, to: leaf.value })), diagnostics };
    },
    commentAt: (path) => {
      const setter = setters.get(formatValuePath(path));
      return setter === undefined ? undefined : `{"$imagepolicy": ${JSON.stringify(setter)}}`;
    },
    objects: () => objects,
  };
}

function followedImage(
  { source, target, text, leaves }: MovedImage,
  scan: "target" | "source",
  chart: string,
): FollowedImage<ValuePath> {
  const { registry, path } = scan === "target" ? target : source;
  const shortPath = formatFamiliar({ registry: dockerHub, path: source.path, writtenPath: source.path });
  return {
    repository: joinReference(registry, path, {}),
    isOfRepository: scan === "target",
    text,
    labels: [`${chart}-${shortPath}`, `${chart}-${joinReference(source.registry, source.path, {})}`],
    ...(source.tag === undefined ? {} : { tag: source.tag }),
    ...(source.digest === undefined ? {} : { digest: source.digest }),
    leaves: leaves satisfies readonly FollowedLeaf<ValuePath>[],
  };
}
