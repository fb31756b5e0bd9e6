import type { ImageRepository } from "../../automation/objects/image-repository.ts";
import { imageRepositoryKind } from "../../automation/objects/object-kinds.ts";
import { readImageRepository } from "../../automation/objects/read-image-repository.ts";
import { reconcileRepository } from "../../automation/scan.ts";
import type { AutomationState } from "../../automation/state/automation-state.ts";
import type { RepositoryStatus } from "../../automation/state/object-status.ts";
import type { Logger } from "../../core/log.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { conditionsOf, handledOf, imageOutcome } from "./image-outcome.ts";
import { repositoryFields } from "./image-status.ts";
import type { KindReconciler, StatusObject } from "./kind-reconciler.ts";
import type { ConnectRepository } from "./repository-clients.ts";

export interface ImageRepositoryPorts {
  /** Where tags are kept. */
  readonly state: AutomationState;
  readonly connect: ConnectRepository;
  /** Told of a repository whose tags are known from now on, although its status may say what it said before. */
  readonly foundTags: (name: { readonly namespace: string; readonly name: string }) => void;
  readonly nowMs: () => number;
  readonly log: Logger;
}

const kind = "ImageRepository";

/** Scans the repositories that ImageRepositories name. */
export function createImageRepositoryReconciler({
  state,
  connect,
  foundTags,
  nowMs,
  log,
}: ImageRepositoryPorts): KindReconciler<ImageRepository> {
  return {
    kind,
    type: resourceTypes.ImageRepository,
    reads: {
      ...imageRepositoryKind,
      read: (fields, meta) => readImageRepository(fields, meta, { takesAnyImage: true }),
    },
    reconcile: async (repository, raw, signal) => {
      const { meta } = repository;
      const known = knownStatus(raw, state.status(kind, meta));
      state.putStatus(kind, meta, known);
      const outcome = await reconcileRepository(repository, {
        state,
        connect: async (wanted) => connect(wanted, signal),
        nowMs,
        signal,
      });
      if (known.lastScan === undefined && outcome.status.lastScan !== undefined) foundTags(meta);
      const fields = repositoryFields(outcome.status);
      return imageOutcome({ kind, meta, raw, outcome, fields, log });
    },
    forget: (name) => state.remove(kind, name),
  };
}

/** What the state knows, unless the object says that it is another one: tags that are not here have to be listed. */
function knownStatus(raw: StatusObject, known: RepositoryStatus | undefined): RepositoryStatus {
  const isSame = known !== undefined && raw.status?.["lastScanResult"] !== undefined;
  return { ...(isSame ? known : {}), ...handledOf(raw), conditions: conditionsOf(raw) };
}
