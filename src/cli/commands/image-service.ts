import { Command } from "commander";
import type { Logger } from "../../core/log.ts";
import { keepNodeLabels, type NodeLabels } from "../../cluster/node-labels.ts";
import { nodeFormatLabels } from "../../imagespec/convert/node-formats.ts";
import { type ImageProxy, startImageProxy } from "../../imagespec/service/proxy/image-proxy.ts";
import { createHealthHandler } from "../../serving/health-endpoint.ts";
import {
  type ListenAddress,
  type Listener,
  parseListenAddress,
  startListener,
} from "../../serving/listener.ts";
import type { CliIo, Exit } from "../io.ts";
import { type AciOptions, addAciOptions, openAcis } from "../options/aci-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { durationOption, interrupted } from "../options/server-options.ts";

interface ImageServiceOptions extends AciOptions, LogOptions {
  readonly listen: string;
  readonly node?: string;
  readonly kubeconfig?: string;
  readonly metricsListen?: ListenAddress;
  /** Milliseconds. */
  readonly grace: number;
}

const unlabelTimeoutMs = 5_000;

/** `fairlead image-service`: the container runtime interface with ACIs. */
export function createImageServiceCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("image-service")
    .description("Serve the container runtime interface of containerd, with ACIs, until it is interrupted.")
    .option(
      "--listen <address>",
      "socket for kubelet and other clients",
      "unix:///run/fairlead/image-service.sock",
    );
  addAciOptions(command)
    .option("--node <name>", "node that has the labels of its formats meanwhile")
    .option(
      "--kubeconfig <file>",
      "access to the API server for --node (default: KUBECONFIG, else that of the pod)",
    )
    .option("--metrics-listen <address>", "/metrics, /healthz and /readyz", parseListenAddress)
    .addOption(durationOption("--grace <duration>", "how long calls may take at the end", "30s", { min: 0 }));
  addLogOptions(command, "info");
  return command.addHelpText("after", examples).action(async (options: ImageServiceOptions) => {
    await runImageService(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead image-service --node worker-1 --trusted-key example.com=example.asc
  $ fairlead image-service --runtime-endpoint unix:///run/k3s/containerd/containerd.sock --metrics-listen :9092

Kubelet uses it by imageServiceEndpoint, or by containerRuntimeEndpoint for every call. --node takes the right to
patch nodes.
`;

async function runImageService(options: ImageServiceOptions, io: CliIo): Promise<void> {
  const log = loggerFor(options, io);
  await using opened = new AsyncDisposableStack();
  const acis = await openAcis(options, io, log);
  opened.defer(async () => acis?.close());
  const { listen, runtimeEndpoint, grace } = options;
  const proxy = await startImageProxy({ listen, runtimeEndpoint, acis, log });
  opened.defer(async () => proxy.stop(grace));
  const metrics = await startMetrics(options, proxy);
  opened.defer(async () => metrics?.close(0));
  const labels = await labelNode(options, io, log);
  opened.defer(async () => labels?.stop(unlabelTimeoutMs));
  io.stdout(`${JSON.stringify({ imageService: proxy.endpoint, metrics: metrics?.address })}\n`);
  await interrupted(io.signal);
  log.info("stopping");
}

async function startMetrics(
  { metricsListen }: ImageServiceOptions,
  proxy: ImageProxy,
): Promise<Listener | undefined> {
  return metricsListen === undefined
    ? undefined
    : startListener(metricsListen, createHealthHandler(proxy, proxy));
}

async function labelNode(
  { node, kubeconfig, aci }: ImageServiceOptions,
  io: CliIo,
  log: Logger,
): Promise<NodeLabels | undefined> {
  if (node === undefined) return undefined;
  // Of a list, kubectl writes to the first.
  const [first = ""] = (io.env["KUBECONFIG"] ?? "").split(":");
  return keepNodeLabels({
    node,
    kubeconfig: kubeconfig ?? (first === "" ? undefined : first),
    labels: { [nodeFormatLabels.dockerImage]: "true", [nodeFormatLabels.aci]: aci ? "true" : null },
    log,
  });
}
