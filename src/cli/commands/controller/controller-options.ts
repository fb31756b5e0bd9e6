import { hostname } from "node:os";
import { createHash } from "node:crypto";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { defaultRetryPolicy } from "../../../notification/outbox/back-off.ts";
import { tryParseLabelSelector } from "../../../objects/parse-label-selector.ts";
import type { ListenAddress } from "../../../serving/listener.ts";
import { booleanOption } from "../../options/boolean-option.ts";
import { collect } from "../../options/chart-options.ts";
import { parseEventsAddress } from "../../options/events-address.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { addressOption, countOption, durationOption } from "../../options/server-options.ts";

/** The controllers of this program, by the names of Flux's without `-controller`. */
export type ControllerName = "image-reflector" | "image-automation" | "notification";

const controllerNames: readonly ControllerName[] = ["image-reflector", "image-automation", "notification"];

/** The flags of `fairlead controller`; durations are milliseconds. */
export interface ControllerOptions extends LogOptions {
  readonly controllers: readonly ControllerName[];
  readonly config: readonly string[];
  readonly pollInterval: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly concurrent: number;
  readonly eventsAddr?: string;
  readonly watchAllNamespaces: boolean;
  /** Empty: all objects. */
  readonly watchLabelSelector: string;
  readonly crossNamespaceRefs: boolean;
  readonly requeueDependency: number;
  readonly minRetryDelay: number;
  readonly maxRetryDelay: number;
  readonly intervalJitterPercentage: number;
  readonly storagePath?: string;
  readonly metricsAddr: ListenAddress;
  readonly healthAddr: ListenAddress;
  readonly enableLeaderElection: boolean;
  readonly leaderElectionLeaseDuration: number;
  readonly leaderElectionRenewDeadline: number;
  readonly leaderElectionRetryPeriod: number;
  readonly eventsListen: ListenAddress;
  readonly receiverAddr: ListenAddress;
  readonly rateLimitInterval: number;
  readonly maxAttempts: number;
  readonly allowAddress: readonly string[];
  readonly allowLoopback?: boolean;
  readonly allowFileUrls?: boolean;
  readonly grace: number;
  readonly logEncoding?: "json" | "console";
}

/** Adds {@link ControllerOptions}; those that Flux's controllers have are named as there. */
export function addControllerOptions(command: Command): Command {
  command
    .addOption(
      new Option("--controllers <names>", `which of ${controllerNames.join(", ")} run in this process`)
        .argParser(parseControllers)
        .default(controllerNames, "all"),
    )
    .option(
      "--config <path>",
      "file or folder of objects to work on instead of a cluster; repeatable",
      collect,
      [],
    )
    .addOption(
      durationOption("--poll-interval <duration>", "how often files of --config are looked at", "10s", {
        min: 100,
      }),
    )
    .option("--kubeconfig <file>", "how the cluster is reached (default: KUBECONFIG, or as a pod of it)")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(countOption("--concurrent <count>", "objects of a kind that are reconciled at a time", 4))
    .option(
      "--events-addr <url>",
      "where events are posted (default: the notification controller, if it runs in this process)",
    )
    .addOption(
      booleanOption(
        "--watch-all-namespaces",
        "watch all namespaces, not only that of RUNTIME_NAMESPACE",
        true,
      ),
    )
    .addOption(
      new Option(
        "--watch-label-selector <selector>",
        "look after objects with these labels only, such as sharding.fluxcd.io/key=shard1",
      )
        .argParser(parseSelector)
        .default("", "all objects"),
    )
    .addOption(
      booleanOption("--no-cross-namespace-refs", "let objects refer to objects of their own namespace only"),
    )
    .addOption(
      durationOption(
        "--requeue-dependency <duration>",
        "when a missing dependency is looked for again",
        "30s",
        {
          min: 100,
        },
      ),
    )
    .addOption(
      durationOption("--min-retry-delay <duration>", "first rest after a failure", "750ms", { min: 1 }),
    )
    .addOption(
      durationOption("--max-retry-delay <duration>", "longest rest after failures", "15m", { min: 1 }),
    )
    .addOption(
      new Option("--interval-jitter-percentage <percentage>", "how much longer intervals are by chance")
        .argParser(parsePercentage)
        .default(5),
    )
    .option(
      "--storage-path <folder>",
      "folder for tags, events and deliveries, which outlive the process there (default: in memory)",
    )
    .addOption(addressOption("--metrics-addr <address>", "/metrics", ":8080"))
    .addOption(addressOption("--health-addr <address>", "/healthz and /readyz", ":9440"))
    .addOption(
      booleanOption("--enable-leader-election", "let one of several processes work at a time", false),
    )
    .addOption(
      durationOption("--leader-election-lease-duration <duration>", "how long a lease lasts", "35s", {
        min: 1000,
      }),
    )
    .addOption(
      durationOption(
        "--leader-election-renew-deadline <duration>",
        "when a leader gives up to renew it",
        "30s",
        {
          min: 500,
        },
      ),
    )
    .addOption(
      durationOption("--leader-election-retry-period <duration>", "how often it is renewed", "5s", {
        min: 100,
      }),
    )
    .addOption(
      addressOption("--events-listen <address>", "where the notification controller takes events", ":9090"),
    )
    .addOption(addressOption("--receiver-addr <address>", "where webhooks of Receivers are called", ":9292"))
    .addOption(
      durationOption(
        "--rate-limit-interval <duration>",
        "how long equal events are duplicates; 0s: never",
        "5m",
        {
          min: 0,
        },
      ),
    )
    .addOption(
      countOption(
        "--max-attempts <count>",
        "attempts to deliver before a dead letter",
        defaultRetryPolicy.maxAttempts,
      ),
    )
    .option(
      "--allow-address <address>",
      "address, network or name to deliver to although it is link-local; repeatable",
      collect,
      [],
    )
    .option("--allow-loopback", "deliver to this machine itself")
    .option("--allow-file-urls", "take GitRepositories with file:// URLs")
    .addOption(durationOption("--grace <duration>", "how long work may take at the end", "10s", { min: 0 }))
    .addOption(new Option("--log-encoding <encoding>").choices(["json", "console"]).hideHelp());
  return addLogOptions(command, "info");
}

/** How the log is written; Flux's name for it counts as well. */
export function logOptionsOf(options: ControllerOptions): LogOptions {
  return options.logEncoding === "json" ? { ...options, logFormat: "json" } : options;
}

/** This process among others of its kind. */
export function identity(random: string): string {
  return `${hostname()}_${random}`;
}

/** The name of the lease of a controller: Flux's own, so that none of both works beside the other. */
export function leaseName(controller: ControllerName, labelSelector: string): string {
  const name = `${controller}-controller-leader-election`;
  if (labelSelector === "") return name;
  return `${name}-${createHash("sha256").update(labelSelector).digest("hex").slice(0, 8)}`;
}

/**
 * Where events are posted: where the user says, else to the notification controller of this process; undefined: nowhere.
 * @throws FairleadError `input-invalid`
 */
export function eventsUrl({ eventsAddr, controllers, eventsListen }: ControllerOptions): string | undefined {
  if (eventsAddr !== undefined) return parseEventsAddress("--events-addr", eventsAddr);
  if (!controllers.includes("notification")) return undefined;
  const { host = "127.0.0.1", port } = eventsListen;
  if (port !== 0) return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  throw new FairleadError("input-invalid", "--events-listen with any port needs --events-addr", {
    hint: "name the port, so that the other controllers of this process can post their events there",
  });
}

/** @throws FairleadError `input-invalid` for flags that do not go together */
export function requireConsistentOptions(options: ControllerOptions): void {
  const { config, kubeconfig, context, enableLeaderElection, minRetryDelay, maxRetryDelay } = options;
  if (minRetryDelay > maxRetryDelay) {
    throw new FairleadError("input-invalid", "--min-retry-delay is longer than --max-retry-delay", {
      hint: "the first rest after a failure is the shortest: swap them, or set both",
    });
  }
  if (config.length === 0) return;
  const excluded = [
    ...(kubeconfig === undefined ? [] : ["--kubeconfig"]),
    ...(context === undefined ? [] : ["--context"]),
    ...(enableLeaderElection ? ["--enable-leader-election"] : []),
  ];
  if (excluded.length > 0) {
    throw new FairleadError("input-invalid", `--config and ${excluded.join(", ")} exclude each other`, {
      hint: "objects are looked after in files, by --config, or in a cluster",
    });
  }
}

function parseControllers(text: string): readonly ControllerName[] {
  const names = text.split(",").map((name) => name.trim().replace(/-controller$/u, ""));
  const known = controllerNames.filter((name) => names.includes(name));
  if (names.some((name) => !controllerNames.some((each) => each === name))) {
    throw new InvalidArgumentError(`It must be some of ${controllerNames.join(", ")}.`);
  }
  return known;
}

function parseSelector(text: string): string {
  if (tryParseLabelSelector(text) !== undefined) return text.trim();
  throw new InvalidArgumentError(
    "It must be a label selector such as key=value, 'key in (one,other)' or '!key'.",
  );
}

function parsePercentage(text: string): number {
  const percentage = Number(text);
  if (!/^\d+$/u.test(text) || percentage > 100) {
    throw new InvalidArgumentError("It must be a whole number from 0 to 100.");
  }
  return percentage;
}
