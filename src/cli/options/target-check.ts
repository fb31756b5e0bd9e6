import { type Command } from "commander";
import type { Logger } from "../../core/log.ts";
import type { ChartResult } from "../../relocation/result.ts";
import type { CliIo } from "../io.ts";
import type { RegistryOptions } from "./registry-options.ts";
import { registryClientFor } from "./registry-options.ts";

/** The flag of commands that can ask the target for the images. */
export interface TargetCheckOptions extends RegistryOptions {
  readonly checkTarget?: boolean;
}

/** Adds {@link TargetCheckOptions}, but for how registries are reached. */
export function addTargetCheckOption(command: Command): Command {
  return command.option(
    "--check-target",
    "fail where the target lacks a new reference, or has another image than the source as it",
  );
}

/**
 * A result with what the target has, where the flag asks for it.
 * @throws FairleadError when the target cannot be asked
 */
export async function withTargetCheck(
  result: ChartResult,
  options: TargetCheckOptions,
  { io, log }: { readonly io: CliIo; readonly log: Logger },
): Promise<ChartResult> {
  if (options.checkTarget !== true) return result;
  const { checkTarget } = await import("../../relocation/check-target.ts");
  // What is allowed of the target need not be allowed of anyone else.
  const { insecure: _insecure, certFile: _certFile, keyFile: _keyFile, ...sourceOptions } = options;
  return checkTarget(result, {
    target: await registryClientFor(options, io, log),
    source: await registryClientFor(sourceOptions, io, log),
    signal: io.signal,
    timeoutMs: options.timeout,
  });
}
