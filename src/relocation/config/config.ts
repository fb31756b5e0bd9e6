import { z } from "zod";
import { parseSourceRegistry } from "../../reference/registry-host.ts";
import { isRepositoryPath } from "../../reference/grammar.ts";
import { parseExcludedRegistries, parseSourceRegistries } from "../registry-selection.ts";
import type { SourceRule } from "../relocator.ts";
import { libraryRules, type LibraryRule } from "../strategy/library.ts";
import { strategyNames } from "../strategy/strategies.ts";
import type { StrategyName } from "../strategy/strategy.ts";
import { parseTargetRegistry } from "../target-registry.ts";
import type { TargetType } from "../targets/target.ts";
import { targetTypes } from "../targets/targets.ts";
import { parseConfigDocument, type ConfigDocument, type ConfigSource } from "./config-document.ts";
import type { SettingsLayer } from "./settings.ts";

interface SourceEntry {
  readonly strategy?: StrategyName | undefined;
  readonly target?: string | undefined;
  readonly target_path?: string | undefined;
}

interface ConfigFile {
  readonly target_registry?: string | undefined;
  readonly target_type?: TargetType | undefined;
  readonly source_registries?: readonly string[] | undefined;
  readonly exclude_registries?: readonly string[] | undefined;
  readonly path_strategy?: StrategyName | undefined;
  readonly library?: LibraryRule | undefined;
  readonly threshold?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly image_keys?: readonly string[] | undefined;
  readonly registries?: Readonly<Record<string, SourceEntry>> | undefined;
}

const hosts = z.array(z.string().max(320)).max(1000);

const strategy = z.enum(strategyNames).describe("How a source's registry and path become the target's path.");

const imageKey = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9_.*[\]"/ -]+$/u, "a pattern is a key or value path in which * is any run of characters");

const sourceEntry = z
  .strictObject({
    strategy: strategy.optional(),
    target: z.string().optional().describe("Another registry for this source: host[:port][/path]."),
    target_path: z
      .string()
      .refine(isRepositoryPath, "not a path of lower-case components")
      .optional()
      .describe("A path at the target registry in place of its own; without a strategy, flat below it."),
  })
  .refine(
    (entry) => entry.target === undefined || entry.target_path === undefined,
    "target and target_path exclude each other",
  );

const configSchema: z.ZodType<ConfigFile> = z
  .strictObject({
    target_registry: z.string().optional().describe("Where images are to come from: host[:port][/path]."),
    target_type: z.enum(targetTypes).optional().describe("The target's kind, where its host does not tell."),
    source_registries: hosts.optional().describe("Hosts to move images from; * is every registry."),
    exclude_registries: hosts.optional().describe("Hosts to leave alone; * is any run of characters."),
    path_strategy: strategy.optional(),
    library: z
      .enum(libraryRules)
      .optional()
      .describe("Whether official images of Docker Hub keep library/ in their path."),
    threshold: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe("Percent of the images in scope that must move."),
    strict: z.boolean().optional().describe("Whether an unsupported structure fails the run."),
    image_keys: z
      .array(imageKey)
      .max(1000)
      .optional()
      .describe("Further keys or value paths that hold an image; * is any run of characters."),
    registries: z.record(z.string(), sourceEntry).optional().describe("Rules for single source registries."),
  })
  .meta({ title: "fairlead configuration" });

/**
 * Reads a configuration file (document 002, §6.1.5 and §9.2), YAML or JSON.
 * @throws FairleadError `config-invalid` with file, line and column; unknown keys are refused.
 */
export function parseConfig(text: string, source: ConfigSource): SettingsLayer {
  const document = parseConfigDocument(text, configSchema, source);
  const { content } = document;
  const target = content.target_registry;
  return {
    target:
      target === undefined ? undefined : document.at(["target_registry"], () => parseTargetRegistry(target)),
    targetType: content.target_type,
    sources: readEach(document, "source_registries", parseSourceRegistries),
    excluded: readEach(document, "exclude_registries", parseExcludedRegistries),
    strategy: content.path_strategy,
    library: content.library,
    perSource: content.registries && readRules(document, content.registries),
    threshold: content.threshold,
    strict: content.strict,
    imageKeys: content.image_keys,
  };
}

/** The JSON Schema (draft 2020-12) of the configuration file, for editors and the documentation. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(configSchema);
}

function readEach<List>(
  document: ConfigDocument<ConfigFile>,
  key: "source_registries" | "exclude_registries",
  parse: (texts: readonly string[]) => List,
): List | undefined {
  const texts = document.content[key];
  if (texts === undefined) return undefined;
  for (const [index, text] of texts.entries()) document.at([key, index], () => parse([text]));
  return parse(texts);
}

function readRules(
  document: ConfigDocument<ConfigFile>,
  entries: Readonly<Record<string, SourceEntry>>,
): ReadonlyMap<string, SourceRule> {
  const rules = new Map<string, SourceRule>();
  for (const [source, { strategy, target, target_path: targetPath }] of Object.entries(entries)) {
    const path = ["registries", source];
    const identity = document.at(path, () => parseSourceRegistry(source));
    if (rules.has(identity)) throw document.error(path, `Two rules for the source registry ${identity}`);
    rules.set(identity, {
      strategy,
      target:
        target === undefined
          ? undefined
          : document.at([...path, "target"], () => parseTargetRegistry(target)),
      targetPath,
    });
  }
  return rules;
}
