import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openState } from "../../../automation/state/automation-state.ts";
import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import type { ControllerGroup } from "../../../cluster/controllers/controller-group.ts";
import { ControllerManager } from "../../../cluster/controllers/controller-manager.ts";
import { ImageAutomation } from "../../../cluster/controllers/image-automation.ts";
import { ImageReflector } from "../../../cluster/controllers/image-reflector.ts";
import type { ControllerEnvironment } from "../../../cluster/controllers/controller-environment.ts";
import { createRepositoryClients } from "../../../cluster/controllers/repository-clients.ts";
import { apiLease } from "../../../cluster/lease/api-lease.ts";
import { LeaderElection } from "../../../cluster/lease/leader-election.ts";
import { ControllerMetrics } from "../../../cluster/metrics/controller-metrics.ts";
import { type AddressGuard, createAddressGuard } from "../../../core/address-guard.ts";
import type { ServiceAccountToken } from "../../../registry/cloud/cloud-account.ts";
import { createPlatformTokens, type PlatformTokens } from "../../../registry/cloud/platform-tokens.ts";
import { systemClock } from "../../../core/clock.ts";
import { FairleadError } from "../../../core/error.ts";
import type { Logger } from "../../../core/log.ts";
import { createHealthHandler } from "../../../serving/health-endpoint.ts";
import { type Handler, startListener } from "../../../serving/listener.ts";
import type { CliIo } from "../../io.ts";
import { loggerFor } from "../../options/log-options.ts";
import { interrupted } from "../../options/server-options.ts";
import { version } from "../../version.ts";
import { Closers } from "./closers.ts";
import {
  type ControllerName,
  type ControllerOptions,
  eventsUrl,
  identity,
  leaseName,
  logOptionsOf,
  requireConsistentOptions,
} from "./controller-options.ts";
import { type EventSink, openEventSink } from "./event-sink.ts";
import { NotificationService } from "./notification-service.ts";
import { namingFlags } from "./naming-flags.ts";
import { openApi } from "./open-api.ts";
import { processUsage } from "./process-usage.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { prepareStorage } from "./storage-folder.ts";

/** What the controllers of a process share. */
interface Shared {
  readonly options: ControllerOptions;
  readonly api: ObjectApi;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined: the objects are files. */
  readonly serviceAccountToken: ServiceAccountToken | undefined;
  /** Tokens of clouds, which all ask for together. */
  readonly tokens: PlatformTokens;
  readonly guard: AddressGuard;
  readonly metrics: ControllerMetrics;
  readonly sinks: EventSink[];
  readonly closers: Closers;
  readonly log: Logger;
  readonly io: CliIo;
}

/**
 * Runs controllers until the user interrupts them.
 * @throws FairleadError `input-invalid`, `config-invalid`, `state-invalid`; `aborted` where another process leads
 */
export async function runController(options: ControllerOptions, io: CliIo): Promise<void> {
  requireConsistentOptions(options);
  eventsUrl(options);
  keepHeapSmall();
  const log = loggerFor(logOptionsOf(options), io);
  const closers = new Closers();
  try {
    if (options.storagePath !== undefined) await prepareStorage(options.storagePath);
    const metrics = new ControllerMetrics({ concurrency: options.concurrent, usage: processUsage });
    const opened = await openApi(options, (exchange) => metrics.requested(exchange), log, io);
    closers.add(async () => opened.api.close());
    const guard = createAddressGuard({
      allowAddresses: options.allowAddress,
      allowLoopback: options.allowLoopback === true,
    });
    const tokens = createPlatformTokens({ environment: io.env, guard, log });
    const namespace = namespaceOf(options, io);
    await runOver({ ...opened, options, namespace, tokens, guard, metrics, sinks: [], closers, log, io });
  } finally {
    await closers.close();
  }
}

async function runOver(shared: Shared): Promise<void> {
  const { options, metrics, sinks, closers, log, io } = shared;
  const groups = await createGroups(shared);
  const managers = groups.map(({ name, group, service }) => {
    const election = electionFor(name, shared);
    const onLeading = (isLeader: boolean): void => {
      if (election !== undefined) metrics.leads(leaseName(name, options.watchLabelSelector), isLeader);
    };
    return { service, manager: new ControllerManager({ groups: [group], election, onLeading, log }) };
  });
  const notification = groups.find(({ name }) => name === "notification")?.service;
  const unreadyReason = (): string | undefined =>
    [...managers.map(({ manager }) => manager.unreadyReason), notification?.unreadyReason].find(
      (reason) => reason !== undefined,
    );
  const format = (): string => `${metrics.format()}${notification?.formatMetrics() ?? ""}`;
  const addresses = await listen(shared, createHealthHandler({ format }, { unreadyReason }));
  closers.add(async () => {
    log.info("stopping");
    const stopAll = async (isServing: boolean): Promise<unknown> =>
      Promise.all(
        managers
          .filter(({ service }) => (service !== undefined) === isServing)
          .map(async ({ manager }) => manager.stop(options.grace)),
      );
    await stopAll(false);
    // The server of this process may be the one that takes them.
    await Promise.all(sinks.map(async (sink) => sink.flush(options.grace)));
    await notification?.stop(options.grace);
    // What it serves is known by the controllers alone.
    await stopAll(true);
  });
  for (const { manager } of managers) manager.watch();
  const work = async (): Promise<void> => {
    const served = await notification?.serve();
    io.stdout(`${JSON.stringify({ ...addresses, ...served })}\n`);
    await Promise.all(managers.map(async ({ manager }) => manager.run()));
  };
  const failing = new AbortController();
  try {
    await Promise.race([interrupted(AbortSignal.any([io.signal, failing.signal])), work()]);
  } finally {
    // Whoever waits for an interruption keeps the process alive.
    failing.abort();
  }
}

async function listen({ options, closers }: Shared, handler: Handler): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {};
  for (const [name, flag, address] of [
    ["metrics", "--metrics-addr", options.metricsAddr],
    ["health", "--health-addr", options.healthAddr],
  ] as const) {
    const listener = await namingFlags(flag, startListener(address, handler));
    closers.add(async () => listener.close(0));
    addresses[name] = listener.address;
  }
  return addresses;
}

interface NamedGroup {
  readonly name: ControllerName;
  readonly group: ControllerGroup;
  readonly service?: NotificationService;
}

async function createGroups(shared: Shared): Promise<readonly NamedGroup[]> {
  const { controllers } = shared.options;
  const groups: NamedGroup[] = [];
  if (controllers.includes("notification")) {
    const { sink, environment } = await environmentFor("notification", shared);
    const { kubernetesEvents } = sink;
    const service = new NotificationService({ ...shared, environment, kubernetesEvents });
    groups.push({ name: "notification", group: service.controllers, service });
  }
  const reflector = controllers.includes("image-reflector") ? await createReflector(shared) : undefined;
  if (reflector !== undefined) groups.push({ name: "image-reflector", group: reflector });
  if (controllers.includes("image-automation")) {
    groups.push({ name: "image-automation", group: await createAutomation(shared, reflector) });
  }
  return groups;
}

async function createReflector(shared: Shared): Promise<ImageReflector> {
  const { options, api, closers, log, io } = shared;
  const { storagePath, crossNamespaceRefs, requeueDependency } = options;
  const state = await openState(storagePath === undefined ? undefined : join(storagePath, "tags.db"));
  closers.add(() => state.close());
  return new ImageReflector((await environmentFor("image-reflector", shared)).environment, {
    state,
    connect: createRepositoryClients({
      api,
      tokens: shared.tokens,
      serviceAccountToken: shared.serviceAccountToken,
      inherited: io.env,
      userAgent: `fairlead/${version}`,
      log,
    }),
    noCrossNamespaceRefs: !crossNamespaceRefs,
    requeueDependencyMs: requeueDependency,
    nowMs: () => systemClock.nowMs(),
  });
}

async function createAutomation(
  shared: Shared,
  reflector: ImageReflector | undefined,
): Promise<ImageAutomation> {
  const { options, closers, io } = shared;
  const { watchLabelSelector, crossNamespaceRefs, allowFileUrls } = options;
  const state = await openState(undefined);
  closers.add(() => state.close());
  return new ImageAutomation((await environmentFor("image-automation", shared)).environment, {
    state,
    tokens: shared.tokens,
    serviceAccountToken: shared.serviceAccountToken,
    // With a selector the reflector does not see them all.
    policies: watchLabelSelector === "" ? reflector?.policies : undefined,
    noCrossNamespaceRefs: !crossNamespaceRefs,
    allowFile: allowFileUrls === true,
    environment: io.env,
    nowMs: () => systemClock.nowMs(),
  });
}

async function environmentFor(
  controller: ControllerName,
  { options, api, namespace, metrics, sinks, closers, log, io }: Shared,
): Promise<{ readonly environment: ControllerEnvironment; readonly sink: EventSink }> {
  const { storagePath } = options;
  const sink = await openEventSink({ controller, api, url: eventsUrl(options), storagePath, log }, io);
  sinks.push(sink);
  closers.add(async () => sink.close());
  const environment = {
    api,
    occurrences: sink.occurrences,
    observer: metrics,
    log,
    concurrency: options.concurrent,
    backOff: { firstDelayMs: options.minRetryDelay, maxDelayMs: options.maxRetryDelay },
    jitter: options.intervalJitterPercentage / 100,
    namespace,
    labelSelector: options.watchLabelSelector || undefined,
  };
  return { environment, sink };
}

function electionFor(controller: ControllerName, shared: Shared): LeaderElection | undefined {
  const { options, api, log, io } = shared;
  if (!options.enableLeaderElection) return undefined;
  const name = leaseName(controller, options.watchLabelSelector);
  return new LeaderElection({
    name,
    identity: identity(randomUUID()),
    lease: apiLease(api, { namespace: runtimeNamespace(io), name }),
    durations: {
      leaseDurationMs: options.leaderElectionLeaseDuration,
      renewDeadlineMs: options.leaderElectionRenewDeadline,
      retryPeriodMs: options.leaderElectionRetryPeriod,
    },
    log,
  });
}

function namespaceOf(options: ControllerOptions, io: CliIo): string | undefined {
  return options.watchAllNamespaces ? undefined : runtimeNamespace(io);
}

/** @throws FairleadError `input-invalid` where nothing says which it is */
function runtimeNamespace({ env }: CliIo): string {
  const { RUNTIME_NAMESPACE: namespace = "" } = env;
  if (namespace !== "") return namespace;
  throw new FairleadError("input-invalid", "the namespace of this program is not known", {
    hint: "set RUNTIME_NAMESPACE, as a Deployment does it from metadata.namespace",
  });
}
