import { type Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";

const residualForms = ["kustomize", "post-renderer"] as const;

type ResidualForm = (typeof residualForms)[number];

/** The flag of a command that can write what its override leaves. */
export interface ResidualOptions {
  readonly residual?: readonly string[];
}

/** In which form, and into which folder, a residual plan is to be written. */
export interface ResidualChoice {
  readonly form: ResidualForm;
  readonly folder: string;
}

/** Adds {@link ResidualOptions}. */
export function addResidualOption(command: Command): Command {
  const option = new Option(
    "--residual <form-and-folder...>",
    "write what values do not reach, as kustomize or as post-renderer, into a folder",
  );
  // Not by `choices`, which would hold for the folder too.
  option.argChoices = [...residualForms];
  return command.addOption(option);
}

/**
 * The form and the folder that the flag names, as in `--residual kustomize patches`.
 * @throws FairleadError `input-invalid`
 */
export function residualChoiceOf({ residual }: ResidualOptions): ResidualChoice | undefined {
  if (residual === undefined) return undefined;
  const [name, folder, ...others] = residual;
  const form = residualForms.find((known) => known === name);
  if (form === undefined) {
    throw new FairleadError("input-invalid", `--residual knows no form ${name ?? ""}`, {
      hint: `give one of ${residualForms.join(", ")}, and then a folder`,
    });
  }
  if (folder === undefined || folder === "" || others.length > 0) {
    throw new FairleadError("input-invalid", "--residual takes a form and one folder", {
      hint: `name the chart before it: CHART --residual ${form} FOLDER`,
    });
  }
  return { form, folder };
}
