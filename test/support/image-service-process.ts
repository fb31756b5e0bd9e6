import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { commandEnvironment, commandLine } from "./cli.ts";

/** A `fairlead image-service` of its own process. */
export interface ImageServiceProcess {
  readonly endpoint: string;
  /** `host:port` of what is told to Prometheus. */
  readonly metrics: string;
  /** Ends it as an operator does, and gives its exit code and what it told. */
  stop(): Promise<{ readonly exitCode: number | null; readonly told: string }>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts the built command.
 * @throws Error with what it told, where it does not serve
 */
export async function startImageServiceProcess(...args: readonly string[]): Promise<ImageServiceProcess> {
  const metricsListen = ["--metrics-listen", "127.0.0.1:0"];
  const [program = "", ...rest] = commandLine("fairlead", ["image-service", ...metricsListen, ...args]);
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], env: commandEnvironment() });
  const told = text(child.stderr);
  const ended = once(child, "exit");
  let first: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    first = line;
    break;
  }
  if (first === undefined) throw new Error(`the image service did not start: ${await told}`);
  const { imageService, metrics } = JSON.parse(first) as Readonly<Record<"imageService" | "metrics", string>>;
  return {
    endpoint: imageService,
    metrics,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      return { exitCode: child.exitCode, told: await told };
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
