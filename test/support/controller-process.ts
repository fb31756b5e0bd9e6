import path from "node:path";
import { commandEnvironment, commandLine } from "./cli.ts";
import { freePort } from "./http-server.ts";
import { type ServerProcess, startServerProcess } from "./kubernetes/server-process.ts";

/** The loopback ports of a `fairlead controller`, which stay when it is started again. */
export interface ControllerPorts {
  readonly metrics: number;
  readonly health: number;
  readonly events: number;
  readonly receivers: number;
}

export interface ControllerProcessOptions {
  /** How the cluster is reached; without it `args` has `--config`. */
  readonly kubeconfig?: string;
  /** Where its log goes, which several processes share where they have one name. */
  readonly folder: string;
  /** Of its log; default: `controller`. */
  readonly name?: string;
  /** Default: free ones. */
  readonly ports?: ControllerPorts;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A `fairlead controller` of its own process; its log is standard output and standard error. */
export interface ControllerProcess extends ServerProcess {
  readonly ports: ControllerPorts;
  /** Where events are posted. */
  readonly eventsUrl: string;
  /** Where webhooks of Receivers are called, without a slash at its end. */
  readonly receiversUrl: string;
  /** What Prometheus is told. */
  metrics(): Promise<string>;
}

/** Longer than the grace that the controllers give to work that has begun. */
const stopTimeoutMs = 30_000;

/** Finds ports for a controller, or for one after another. */
export async function freeControllerPorts(): Promise<ControllerPorts> {
  const [metrics = 0, health = 0, events = 0, receivers = 0] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  );
  return { metrics, health, events, receivers };
}

/** The program and arguments of the built command with all controllers; it may deliver to this machine. */
export function controllerCommand(
  { kubeconfig, args = [] }: Pick<ControllerProcessOptions, "kubeconfig" | "args">,
  ports: ControllerPorts,
): readonly string[] {
  return commandLine("fairlead", [
    "controller",
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    `--metrics-addr=127.0.0.1:${ports.metrics}`,
    `--health-addr=127.0.0.1:${ports.health}`,
    `--events-listen=127.0.0.1:${ports.events}`,
    `--receiver-addr=127.0.0.1:${ports.receivers}`,
    "--allow-loopback",
    ...args,
  ]);
}

/**
 * Starts the built command with all controllers, and waits until it is ready; it may deliver to this machine.
 * @throws Error with the end of its log when it ends, or is not ready within two minutes
 */
export async function startControllerProcess(options: ControllerProcessOptions): Promise<ControllerProcess> {
  const { folder, name = "controller", env = {} } = options;
  const ports = options.ports ?? (await freeControllerPorts());
  const [program = "", ...rest] = controllerCommand(options, ports);
  const server = await startServerProcess({
    name,
    program,
    args: rest,
    folder,
    env: commandEnvironment({ HOME: path.join(folder, "home"), ...env }),
    stopTimeoutMs,
    isReady: async () => (await fetch(`http://127.0.0.1:${ports.health}/readyz`)).ok,
  });
  return {
    ...server,
    ports,
    eventsUrl: `http://127.0.0.1:${ports.events}/`,
    receiversUrl: `http://127.0.0.1:${ports.receivers}`,
    metrics: async () => (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text(),
  };
}
