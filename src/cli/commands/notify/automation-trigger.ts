import { openState } from "../../../automation/state/automation-state.ts";
import type { Logger } from "../../../core/log.ts";
import type { Trigger } from "../../../notification/receivers/handle-webhook.ts";

const kinds = ["ImageRepository", "ImagePolicy", "ImageUpdateAutomation"] as const;

/** What a webhook asks for, written where automation looks before its next run. */
export interface AutomationTrigger {
  readonly trigger: Trigger;
  close(): void;
}

/**
 * Opens the state of automation for requests.
 * @param file undefined: requests are told in the log, and nobody acts on them
 * @throws FairleadError `state-invalid`
 */
export async function openAutomationTrigger(
  file: string | undefined,
  log: Logger,
): Promise<AutomationTrigger> {
  const state = file === undefined ? undefined : await openState(file);
  return {
    trigger: async ({ kind, namespace, name, requestedAt }) => {
      const known = kinds.find((candidate) => candidate === kind);
      if (state === undefined || known === undefined) {
        log.warn("nothing here looks at the object anew", { object: `${kind}/${namespace}/${name}` });
      } else state.putRequest(known, { namespace, name }, requestedAt);
      await Promise.resolve();
    },
    close: () => state?.close(),
  };
}
