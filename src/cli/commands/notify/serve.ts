import { Command } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { defaultRetryPolicy } from "../../../notification/outbox/back-off.ts";
import { defaultRetentionPolicy } from "../../../notification/outbox/retention.ts";
import type { ListenAddress } from "../../../serving/listener.ts";
import { FolderConfig } from "../../../notification/server/folder-config.ts";
import { NotificationServer } from "../../../notification/server/notification-server.ts";
import { createAddressGuard } from "../../../core/address-guard.ts";
import type { CliIo, Exit } from "../../io.ts";
import { collect } from "../../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../../options/log-options.ts";
import { addressOption, countOption, durationOption, interrupted } from "../../options/server-options.ts";
import { tellerFor } from "../../teller.ts";
import { defaultAdminAddress, readTokenFile } from "./admin-options.ts";
import { openAutomationTrigger } from "./automation-trigger.ts";

interface ServeOptions extends LogOptions {
  readonly config: readonly string[];
  readonly state: string;
  readonly automationState?: string;
  readonly listen: ListenAddress;
  readonly receiverListen: ListenAddress;
  readonly metricsListen: ListenAddress;
  readonly adminListen: ListenAddress;
  readonly adminTokenFile?: string;
  /** Milliseconds. */
  readonly rateLimitInterval: number;
  readonly dedupeNormalized?: boolean;
  readonly crossNamespaceRefs: boolean;
  readonly maxAttempts: number;
  readonly perDestination: number;
  readonly retention: number;
  readonly maxSize: number;
  readonly pollInterval: number;
  readonly grace: number;
  readonly allowAddress: readonly string[];
  readonly allowLoopback?: boolean;
}

/** SQLite's name for a database without a file. */
const inMemory = ":memory:";

/** `fairlead notify serve`: the notification server. */
export function createServeCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("serve")
    .description("Serve events and webhooks until it is interrupted.")
    .option(
      "--config <path>",
      "file or folder of Alerts, Providers, Receivers and Secrets; repeatable",
      collect,
      [],
    )
    .option(
      "--state <file>",
      `SQLite file for events and deliveries; ${inMemory}: what is queued is lost at the end`,
      "fairlead-notify.db",
    )
    .option("--automation-state <file>", "state of fairlead automate, which webhooks have look anew")
    .addOption(addressOption("--listen <address>", "where events are sent to", ":9090"))
    .addOption(
      addressOption("--receiver-listen <address>", "where webhooks of Receivers are called", ":9292"),
    )
    .addOption(addressOption("--metrics-listen <address>", "/metrics, /healthz and /readyz", ":8080"))
    .addOption(
      addressOption(
        "--admin-listen <address>",
        "the JSON API over events and deliveries",
        defaultAdminAddress,
      ),
    )
    .option("--admin-token-file <file>", "what the JSON API asks for; needed beyond loopback")
    .addOption(
      durationOption(
        "--rate-limit-interval <duration>",
        "how long equal events are duplicates; 0s: never",
        "5m",
        { min: 0 },
      ),
    )
    .option("--dedupe-normalized", "take events for equal that differ in IDs, durations and times alone")
    .option(
      "--no-cross-namespace-refs",
      "let Alerts and Receivers refer to objects of their own namespace only",
    )
    .addOption(
      countOption(
        "--max-attempts <count>",
        "attempts to deliver before a dead letter",
        defaultRetryPolicy.maxAttempts,
      ),
    )
    .addOption(countOption("--per-destination <count>", "deliveries to one Provider at a time", 4))
    .addOption(
      durationOption("--retention <duration>", "how long what has ended is kept", "168h", { min: 1000 }),
    )
    .addOption(
      countOption(
        "--max-size <MiB>",
        "size of the state beyond which events are refused",
        defaultRetentionPolicy.maxBytes / 1024 / 1024,
      ),
    )
    .addOption(
      durationOption("--poll-interval <duration>", "how often the configuration is looked at", "10s", {
        min: 100,
      }),
    )
    .addOption(
      durationOption("--grace <duration>", "how long deliveries may take at the end", "10s", { min: 0 }),
    )
    .option(
      "--allow-address <address>",
      "address, network or name to deliver to although it is link-local; repeatable",
      collect,
      [],
    )
    .option("--allow-loopback", "deliver to this machine itself");
  addLogOptions(command, "info");
  return command.addHelpText("after", examples).action(async (options: ServeOptions) => {
    await runServe(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead notify serve --config clusters/prod --state notify.db
  $ fairlead notify serve --config clusters/prod --state notify.db --log-format json

Files are read again when they change. What is queued at the end is delivered by the next run with the same --state.
`;

async function runServe(options: ServeOptions, io: CliIo): Promise<void> {
  if (options.config.length === 0) {
    throw new FairleadError("input-invalid", "no objects are named", {
      hint: "name them with --config PATH",
    });
  }
  const log = loggerFor(options, io);
  const teller = tellerFor(options, io);
  const { adminTokenFile } = options;
  const automation = await openAutomationTrigger(options.automationState, log);
  const server = await NotificationServer.start({
    config: new FolderConfig({
      paths: options.config,
      pollMs: options.pollInterval,
      onDiagnostics: (diagnostics) => teller.findings(diagnostics),
      log,
    }),
    stateFile: options.state === inMemory ? undefined : options.state,
    listen: {
      events: options.listen,
      receivers: options.receiverListen,
      metrics: options.metricsListen,
      admin: options.adminListen,
    },
    adminToken: adminTokenFile === undefined ? undefined : await readTokenFile(adminTokenFile),
    dedupe: {
      windowMs: options.rateLimitInterval,
      ignoresVolatileParts: options.dedupeNormalized === true,
    },
    noCrossNamespaceRefs: !options.crossNamespaceRefs,
    retry: { ...defaultRetryPolicy, maxAttempts: options.maxAttempts },
    retention: { maxAgeMs: options.retention, maxBytes: options.maxSize * 1024 * 1024 },
    perDestination: options.perDestination,
    guard: createAddressGuard({
      allowAddresses: options.allowAddress,
      allowLoopback: options.allowLoopback === true,
    }),
    environment: io.env,
    trigger: automation.trigger,
    log,
  });
  io.stdout(`${JSON.stringify(server.addresses)}\n`);
  await interrupted(io.signal);
  log.info("stopping");
  await server.stop(options.grace);
  automation.close();
}
