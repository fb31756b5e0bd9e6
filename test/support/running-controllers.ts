import { openState } from "../../src/automation/state/automation-state.ts";
import type { ObjectApi } from "../../src/cluster/api/object-api.ts";
import { ControllerManager } from "../../src/cluster/controllers/controller-manager.ts";
import { ImageAutomation } from "../../src/cluster/controllers/image-automation.ts";
import { ImageReflector } from "../../src/cluster/controllers/image-reflector.ts";
import type { ControllerEnvironment } from "../../src/cluster/controllers/controller-environment.ts";
import { createRepositoryClients } from "../../src/cluster/controllers/repository-clients.ts";
import type { ServiceAccountToken } from "../../src/registry/cloud/cloud-account.ts";
import { createPlatformTokens } from "../../src/registry/cloud/platform-tokens.ts";
import { createLogger } from "../../src/core/log.ts";
import type { Occurrence, RecordedObject } from "../../src/notification/recorder/recorded-object.ts";

export interface RunningControllersOptions {
  readonly api: ObjectApi;
  readonly noCrossNamespaceRefs?: boolean;
  readonly requeueDependencyMs?: number;
  readonly labelSelector?: string;
  readonly serviceAccountToken?: ServiceAccountToken;
  /** A watch that is silent for so long is taken for lost. */
  readonly idleMs?: number;
  /** Of what is noted of the log; default: warnings and errors. */
  readonly logLevel?: "info" | "warn";
}

/** The image controllers in this process; what fails is tried again soon. */
export interface RunningControllers {
  /** What they told, such as `Warning ImagePolicy/apps/a InvalidPolicy: …`. */
  readonly told: readonly string[];
  /** The log. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
}

/** Starts the image controllers over a cluster or a folder. */
export async function startImageControllers(options: RunningControllersOptions): Promise<RunningControllers> {
  const { api, noCrossNamespaceRefs = false, requeueDependencyMs = 500, labelSelector, idleMs } = options;
  const told: string[] = [];
  const logged: string[] = [];
  const log = createLogger({
    level: options.logLevel ?? "warn",
    format: "text",
    write: (line) => logged.push(line),
  });
  const environment: ControllerEnvironment = {
    api,
    occurrences: {
      record: ({ kind, namespace, name }: RecordedObject, { type, reason, message }: Occurrence) =>
        told.push(`${type} ${kind}/${namespace}/${name} ${reason}: ${message}`),
    },
    log,
    concurrency: 4,
    backOff: { firstDelayMs: 50, maxDelayMs: 1000 },
    labelSelector,
    ...(idleMs === undefined ? {} : { idleMs }),
  };
  const tags = await openState(undefined);
  const memory = await openState(undefined);
  const reflector = new ImageReflector(environment, {
    state: tags,
    connect: createRepositoryClients({ api, inherited: {}, log }),
    noCrossNamespaceRefs,
    requeueDependencyMs,
    nowMs: () => Date.now(),
  });
  const automation = new ImageAutomation(environment, {
    state: memory,
    tokens: createPlatformTokens({ environment: {}, log }),
    serviceAccountToken: options.serviceAccountToken,
    policies: labelSelector === undefined ? reflector.policies : undefined,
    noCrossNamespaceRefs,
    allowFile: false,
    environment: { PATH: process.env["PATH"] },
    nowMs: () => Date.now(),
  });
  const manager = new ControllerManager({ groups: [reflector, automation], log });
  manager.watch();
  const running = manager.run();
  return {
    told,
    logged,
    stop: async () => {
      await manager.stop(5_000);
      await running;
      tags.close();
      memory.close();
    },
  };
}
