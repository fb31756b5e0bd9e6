import { z } from "zod";
import { parseSourceRegistry } from "../../reference/registry-host.ts";
import type { SourceRule } from "../relocator.ts";
import { parseTargetRegistry } from "../target-registry.ts";
import { parseConfigDocument, type ConfigSource } from "./config-document.ts";
import type { SettingsLayer } from "./settings.ts";

interface Mapping {
  readonly source: string;
  readonly target: string;
  readonly enabled?: boolean | undefined;
  readonly description?: string | undefined;
}

interface MappingsFile {
  readonly version?: string | number | undefined;
  readonly registries?:
    | {
        readonly mappings: readonly Mapping[];
        readonly defaultTarget?: string | undefined;
        readonly strictMode?: boolean | undefined;
      }
    | undefined;
  readonly compatibility?: unknown;
  readonly mappings?: readonly Mapping[] | undefined;
}

const mappings = z
  .array(
    z.strictObject({
      source: z.string(),
      target: z.string(),
      enabled: z.boolean().optional(),
      description: z.string().optional(),
    }),
  )
  .min(1)
  .max(1000);

const mappingsSchema: z.ZodType<MappingsFile> = z
  .strictObject({
    version: z.union([z.string(), z.number()]).optional(),
    registries: z
      .strictObject({
        mappings,
        defaultTarget: z.string().optional(),
        strictMode: z.boolean().optional(),
      })
      .optional(),
    compatibility: z.unknown().optional(),
    mappings: mappings.optional(),
  })
  .refine(
    (file) => (file.registries === undefined) !== (file.mappings === undefined),
    "one of registries.mappings and mappings is needed",
  );

/**
 * Reads irr's file of registry mappings, with `mappings` under `registries` or, as in its older form, at the
 * top. A mapped image keeps its path under the mapping's target, without a prefix. A mapping that is not
 * enabled is skipped, `defaultTarget` is the target of every other source, and under `strictMode` each source
 * needs a mapping. `compatibility` has no meaning here.
 * @throws FairleadError `config-invalid` with file, line and column; unknown keys are refused.
 */
export function parseRegistryMappings(text: string, source: ConfigSource): SettingsLayer {
  const document = parseConfigDocument(text, mappingsSchema, source);
  const { registries, mappings: older = [] } = document.content;
  const listPath = registries === undefined ? ["mappings"] : ["registries", "mappings"];
  const perSource = new Map<string, SourceRule>();
  for (const [index, mapping] of (registries?.mappings ?? older).entries()) {
    if (mapping.enabled === false) continue;
    const path = [...listPath, index];
    const identity = document.at([...path, "source"], () => parseSourceRegistry(mapping.source.trim()));
    if (perSource.has(identity)) throw document.error(path, `Two enabled mappings for ${identity}`);
    const target = document.at([...path, "target"], () => parseTargetRegistry(mapping.target.trim()));
    perSource.set(identity, { target });
  }
  const fallback = registries?.defaultTarget;
  return {
    target:
      fallback === undefined
        ? undefined
        : document.at(["registries", "defaultTarget"], () => parseTargetRegistry(fallback.trim())),
    perSource,
    requireRule: registries?.strictMode,
  };
}
