import type { Diagnostic } from "../core/diagnostic.ts";
import { FairleadError } from "../core/error.ts";
import { mapConcurrent } from "../core/pool.ts";
import { parseReference, tryParseReference, withDefaultTag } from "../reference/reference.ts";
import type { RegistryClient, RequestOptions } from "../registry/registry-api.ts";
import type { ChartResult, ImageAtTarget, ImageFinding } from "./result.ts";

export interface TargetCheckOptions extends RequestOptions {
  /** Talks to the target. */
  readonly target: RegistryClient;
  /** Talks to the registries that the images come from. */
  readonly source: RegistryClient;
}

/** Images looked up at a time; clients bound what one registry gets. */
const concurrency = 16;

/** A registry that is not there must not hold up the check of one that is. */
const sourceTimeoutMs = 20_000;

/**
 * Looks up every new reference at the target, and compares its digest with that of the image it stands for. An
 * image that the target lacks or has with another digest is the finding `image-missing`; a source that cannot be
 * asked is told, and is no error. A reference with a digest says itself what it stands for.
 * @returns the result with what was found
 * @throws FairleadError when the target cannot be asked
 */
export async function checkTarget(result: ChartResult, options: TargetCheckOptions): Promise<ChartResult> {
  const askSource = createSourceLookup(options);
  const images = await mapConcurrent(result.images, concurrency, async (image) => {
    if (image.target === undefined || !isToBeThere(image, result)) return image;
    return { ...image, atTarget: await lookUp(image.source, image.target, options, askSource.digestOf) };
  });
  const checked = images.filter(({ atTarget }) => atTarget !== undefined);
  const having = (status: ImageAtTarget["status"]): number =>
    checked.filter(({ atTarget }) => atTarget?.status === status).length;
  return {
    ...result,
    images,
    diagnostics: [
      ...result.diagnostics,
      ...checked.flatMap((image) => findingsOf(image)),
      ...askSource.findings(),
    ],
    targetCheck: {
      checked: checked.length,
      same: having("same"),
      present: having("present"),
      missing: having("missing"),
      different: having("different"),
    },
  };
}

/** A residual plan moves what the override leaves. */
function isToBeThere({ status }: ImageFinding, { residual }: ChartResult): boolean {
  return status === "moved" || status === "planned" || (status === "not-moved" && residual !== undefined);
}

type SourceDigest = (source: string) => Promise<string | undefined>;

async function lookUp(
  source: string,
  targetText: string,
  { target, signal, timeoutMs }: TargetCheckOptions,
  sourceDigestOf: SourceDigest,
): Promise<ImageAtTarget> {
  const reference = withDefaultTag(parseReference(targetText));
  const [found, sourceDigest] = await Promise.all([
    target.headManifest(reference, { signal, timeoutMs }).catch(undefinedWhereMissing),
    reference.digest === undefined ? sourceDigestOf(source) : undefined,
  ]);
  const compared = sourceDigest === undefined ? {} : { sourceDigest };
  if (found === undefined) return { status: "missing", ...compared };
  const { digest } = found;
  if (reference.digest !== undefined) return { status: "same", digest };
  if (sourceDigest === undefined) return { status: "present", digest };
  return { status: digest === sourceDigest ? "same" : "different", digest, sourceDigest };
}

function undefinedWhereMissing(error: unknown): undefined {
  if (error instanceof FairleadError && error.code === "image-not-found") return undefined;
  throw error;
}

function findingsOf(image: ImageFinding): Diagnostic[] {
  const { source, target = "", atTarget, values } = image;
  const about = { code: "image-missing", severity: "error", where: values[0] ?? {}, image: source } as const;
  if (atTarget?.status === "missing") {
    return [
      {
        ...about,
        message: `the target does not have ${target}`,
        hint: `copy ${source} to it first, with crane copy or skopeo copy`,
      },
    ];
  }
  if (atTarget?.status !== "different") return [];
  const { digest = "", sourceDigest = "" } = atTarget;
  return [
    {
      ...about,
      message: `the target has another image as ${target}`,
      hint: `it is ${digest} there and ${sourceDigest} at the source; copy it with all its platforms`,
    },
  ];
}

interface SourceLookup {
  readonly digestOf: SourceDigest;
  /** What could not be compared, one finding a registry. */
  findings(): Diagnostic[];
}

/** Asks a registry that fails no more than the questions that are on their way. */
function createSourceLookup({ source, signal }: TargetCheckOptions): SourceLookup {
  const failures = new Map<string, { readonly message: string; images: number }>();
  const digestOf: SourceDigest = async (text) => {
    const reference = tryParseReference(text);
    if (reference === undefined) return undefined;
    const known = failures.get(reference.registry);
    if (known !== undefined) {
      known.images += 1;
      return undefined;
    }
    try {
      const timeoutMs = sourceTimeoutMs;
      return (await source.headManifest(withDefaultTag(reference), { signal, timeoutMs })).digest;
    } catch (error) {
      if (!(error instanceof FairleadError) || error.code === "aborted") throw error;
      const failed = failures.get(reference.registry);
      if (failed === undefined) failures.set(reference.registry, { message: error.message, images: 1 });
      else failed.images += 1;
      return undefined;
    }
  };
  return {
    digestOf,
    findings: () =>
      [...failures].map(([registry, { message, images }]) => ({
        code: "unverified",
        severity: "info",
        message: `${images === 1 ? "an image" : `${images} images`} of ${registry} could not be compared: ${message}`,
        where: {},
      })),
  };
}
