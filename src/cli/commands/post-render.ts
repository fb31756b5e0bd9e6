import { Argument, Command } from "commander";
import { FairleadError } from "../../core/error.ts";
import { applyResidual } from "../../relocation/residual/apply-residual.ts";
import type { ResidualObject } from "../../relocation/residual/residual-object.ts";
import type { CliIo, Exit } from "../io.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { readInput } from "../output/read-input.ts";

interface PostRenderOptions extends LogOptions {
  readonly withoutHooks?: boolean;
}

const maxPlanBytes = 64 * 1024 * 1024;

/** `fairlead post-render`: makes the changes of a residual plan in manifests, for Helm or by hand. */
export function createPostRenderCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("post-render")
    .description("Make the changes of a residual plan in the manifests on standard input.")
    .addArgument(new Argument("<FILE>", "the residual.json that fairlead override --residual wrote"))
    .option("--without-hooks", "go on where hooks are missing, as Helm 3 keeps them from post-renderers");
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (file: string, options: PostRenderOptions) => {
    const log = loggerFor(options, io);
    const objects = await readPlan(file);
    const manifests = decode(await io.stdin());
    const { text, missingHooks } = applyResidual(manifests, objects, {
      withoutHooks: options.withoutHooks === true,
    });
    for (const { kind, name } of missingHooks) {
      log.warn("a hook is missing, its images do not move", { kind, name });
    }
    io.stdout(text);
    exit(0);
  });
}

const examples = `
Examples:
  $ helm template shop examples/shop --values override.yaml | fairlead post-render residual/residual.json

Only the characters of the named texts change. It ends with 4, and prints nothing, where the manifests are not
those of the plan.
`;

async function readPlan(file: string): Promise<ResidualObject[]> {
  const text = await readInput(file, { maxBytes: maxPlanBytes });
  // No other command needs it, and it would cost each its start-up.
  const { parseResidualPlan } = await import("../../relocation/residual/plan-document.ts");
  return parseResidualPlan(text, file);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FairleadError("input-invalid", "standard input is not UTF-8 text", { cause });
  }
}
