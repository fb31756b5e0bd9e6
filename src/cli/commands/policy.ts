import { Argument, Command, Option } from "commander";
import type { ImagePolicy } from "../../automation/objects/image-policy.ts";
import type { ImageRepository } from "../../automation/objects/image-repository.ts";
import { loadObjects } from "../../automation/objects/load-objects.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { AutomationObjects } from "../../automation/objects/objects.ts";
import { defaultExclusionList } from "../../automation/objects/read-image-repository.ts";
import type { Explanation } from "../../automation/policy/explanation.ts";
import { reflectDigest } from "../../automation/policy/latest-reference.ts";
import { findRepository } from "../../automation/policy/repository-access.ts";
import { explainSelection, type Selection } from "../../automation/policy/select-latest.ts";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { toImageSpec } from "../../reference/image-spec.ts";
import { formatReference, parseReference, type ImageReference } from "../../reference/reference.ts";
import type { RegistryClient } from "../../registry/registry-api.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { collect } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { readTags } from "../options/tag-input.ts";
import { type ChosenImage, formatLosses, formatSelection } from "../output/selection-text.ts";
import { tellerFor } from "../teller.ts";
import { version } from "../version.ts";

interface PolicyOptions extends LogOptions {
  readonly filename: readonly string[];
  readonly policy?: string;
  readonly tags?: string;
  readonly dockerConfig?: string;
  readonly explain?: boolean;
  readonly output: "json" | "text";
}

/** `fairlead policy select`: what an image policy chooses. */
export function createPolicyCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("policy")
    .description("Tell which tag an image policy chooses, with its attributes, and why the others lost.")
    .addArgument(new Argument("<ACTION>", "what to do").choices(["select"]))
    .option(
      "-f, --filename <path>",
      "file or folder with the ImagePolicy, its ImageRepository and its Secrets; repeatable",
      collect,
      [],
    )
    .option("--policy <name>", "NAMESPACE/NAME of the policy, where there are several")
    .option("--tags <file>", "choose among these tags, - for standard input, and ask no registry")
    .option(
      "--docker-config <directory>",
      "folder of docker's config.json, for a repository without Secrets (default: DOCKER_CONFIG, else ~/.docker)",
    )
    .option("--explain", "tell of each other tag why it lost")
    .addOption(
      new Option("--output <format>", "form of the choice").choices(["json", "text"]).default("json"),
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (_action: "select", options: PolicyOptions) => {
    exit(await runSelect(options, io));
  });
}

const examples = `
Examples:
  $ fairlead policy select -f clusters/prod/images
  $ fairlead policy select -f policy.yaml --tags tags.txt --explain --output text
  $ fairlead tags ghcr.io/org/app | fairlead policy select -f policy.yaml --tags -
  $ fairlead policy select -f clusters/prod --policy flux-system/app --explain

Tags are one a line, a JSON array, or JSON with a member tags.
`;

async function runSelect(options: PolicyOptions, io: CliIo): Promise<number> {
  if (options.filename.length === 0) {
    throw new FairleadError("input-invalid", "no objects are named", { hint: "name them with -f FILE" });
  }
  const teller = tellerFor(options, io);
  const { objects, diagnostics } = await loadObjects(options.filename, { signal: io.signal });
  teller.findings(diagnostics);
  const policy = findPolicy(objects, options.policy);
  const source = await openSource(policy, objects, options, io);
  const { selection, error, explanation } = explainSelection(policy.spec, source.tags, {
    exclusionList: source.repository?.spec.exclusionList ?? defaultExclusionList,
    where: policy.meta.where,
  });
  const told = options.explain === true ? explanation : undefined;
  if (selection === undefined) {
    if (told !== undefined) io.stdout(formatFailure(policy, error, told, options, io));
    throw error;
  }
  teller.findings(selection.diagnostics);
  io.stdout(formatChoice(await describeChoice(policy, selection, source, io), told, options, io));
  return 0;
}

function formatFailure(
  { meta }: ImagePolicy,
  { code, message, hint }: FairleadError,
  explanation: Explanation,
  { output }: PolicyOptions,
  { stdoutTerminal }: CliIo,
): string {
  return output === "json"
    ? formatJson({ policy: objectKey(meta), error: { code, message, hint }, explanation })
    : formatLosses(explanation, stdoutTerminal.colours);
}

/** @throws FairleadError `object-missing`, `input-invalid` */
function findPolicy({ imagePolicies }: AutomationObjects, name: string | undefined): ImagePolicy {
  const names = [...imagePolicies.keys()];
  if (name === undefined) {
    const [only, ...others] = imagePolicies.values();
    if (only !== undefined && others.length === 0) return only;
    throw only === undefined
      ? new FairleadError("object-missing", "there is no valid ImagePolicy among the objects")
      : new FairleadError("input-invalid", `there are ${names.length} policies among the objects`, {
          hint: `name one with --policy: ${listOf(names)}`,
        });
  }
  const policy = imagePolicies.get(name.includes("/") ? name : `default/${name}`);
  if (policy !== undefined) return policy;
  throw new FairleadError("object-missing", `there is no valid ImagePolicy ${name} among the objects`, {
    hint: names.length === 0 ? "there is none at all" : `there are ${listOf(names)}`,
  });
}

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${listed} and ${names.length - 10} more` : listed;
}

/** Where tags come from. */
interface TagSource {
  readonly tags: readonly string[];
  /** Undefined where tags are given and the repository is not. */
  readonly repository: ImageRepository | undefined;
  /** Asks the registry; undefined where tags are given. */
  readonly client: RegistryClient | undefined;
}

async function openSource(
  policy: ImagePolicy,
  objects: AutomationObjects,
  options: PolicyOptions,
  io: CliIo,
): Promise<TagSource> {
  if (options.tags !== undefined) {
    const tags = await readTags(options.tags, io);
    return { tags, repository: tryFindRepository(policy, objects), client: undefined };
  }
  const repository = findRepository(policy, objects);
  const client = await connect(repository, objects, options, io);
  const image = parseReference(repository.spec.image);
  const tags = await client.listTags(image, { signal: io.signal, timeoutMs: repository.spec.timeoutMs });
  return { tags, repository, client };
}

/** With tags at hand the repository need not be there, but it must not be a forbidden one. */
function tryFindRepository(policy: ImagePolicy, objects: AutomationObjects): ImageRepository | undefined {
  try {
    return findRepository(policy, objects);
  } catch (error) {
    if (error instanceof FairleadError && error.code === "object-missing") return undefined;
    throw error;
  }
}

async function connect(
  repository: ImageRepository,
  objects: AutomationObjects,
  options: PolicyOptions,
  io: CliIo,
): Promise<RegistryClient> {
  const { createRegistryClients } = await import("../../automation/run/registry-clients.ts");
  const { createDockerKeychain } = await import("../../registry/credentials/docker-keychain.ts");
  const log: Logger = loggerFor(options, io);
  return createRegistryClients({
    objects,
    keychain: createDockerKeychain({ configDir: options.dockerConfig, env: io.env }),
    inherited: io.env,
    userAgent: `fairlead/${version}`,
    log,
  })(repository);
}

/** The choice as a reference; its digest is asked for where the policy wants it and a registry may be asked. */
async function describeChoice(
  { meta, spec, latestRef }: ImagePolicy,
  { tag, attributes }: Selection,
  { repository, client }: TagSource,
  io: CliIo,
): Promise<ChosenImage> {
  const policy = objectKey(meta);
  if (repository === undefined) return { policy, tag, attributes };
  const { image: name, timeoutMs } = repository.spec;
  const image: ImageReference = { ...parseReference(name), tag };
  const chosen = { name, tag, attributes };
  const { digest = "" } = await reflectDigest(spec.digestReflectionPolicy, chosen, latestRef, async () => {
    const head = await client?.headManifest(image, { signal: io.signal, timeoutMs });
    return head?.digest ?? "";
  });
  const reference: ImageReference = digest === "" ? image : { ...image, digest };
  return {
    policy,
    reference: formatReference(reference),
    image: toImageSpec(reference),
    tag,
    ...(digest === "" ? {} : { digest }),
    attributes,
  };
}

function formatChoice(
  chosen: ChosenImage,
  explanation: Explanation | undefined,
  { output }: PolicyOptions,
  { stdoutTerminal: { colours } }: CliIo,
): string {
  if (output === "json") return formatJson({ ...chosen, ...(explanation && { explanation }) });
  return formatSelection(chosen, colours) + (explanation ? formatLosses(explanation, colours) : "");
}
