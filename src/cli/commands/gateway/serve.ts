import { Command } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { type KeyPairFiles, startGateway } from "../../../imagespec/gateway/server/gateway.ts";
import { createTranslate } from "../../../imagespec/gateway/translate.ts";
import { parseUpstreamAddress } from "../../../imagespec/gateway/upstream/upstream-address.ts";
import type { ListenAddress } from "../../../serving/listener.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../../options/log-options.ts";
import { addressOption, durationOption, interrupted } from "../../options/server-options.ts";

interface ServeOptions extends LogOptions {
  readonly upstream: string;
  readonly upstreamCaFile?: string;
  readonly frontProxyCertFile?: string;
  readonly frontProxyKeyFile?: string;
  readonly listen: ListenAddress;
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly clientCaFile?: string;
  readonly allowPlainText?: boolean;
  readonly metricsListen: ListenAddress;
  /** Milliseconds. */
  readonly grace: number;
}

/** `fairlead gateway serve`, and `fairlead gateway` alone. */
export function createGatewayServeCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("serve")
    .description("Serve the API until it is interrupted; `serve` itself may be left out.")
    .requiredOption("--upstream <url>", "the API server, such as https://10.0.0.1:6443")
    .option(
      "--upstream-ca-file <file>",
      "PEM of the authorities of the API server's certificate (default: those of the platform)",
    )
    .option(
      "--front-proxy-cert-file <file>",
      "PEM of the certificate by which the API server believes the gateway who asks",
    )
    .option("--front-proxy-key-file <file>", "PEM of its key")
    .addOption(addressOption("--listen <address>", "where clients ask", "127.0.0.1:8443"))
    .option("--tls-cert-file <file>", "PEM of the gateway's certificate; without it plain HTTP is served")
    .option("--tls-key-file <file>", "PEM of its key")
    .option(
      "--client-ca-file <file>",
      "PEM of the authorities whose client certificates say who asks; needs a front-proxy certificate",
    )
    .option("--allow-plain-text", "serve plain HTTP beyond loopback too: tokens pass in the clear")
    .addOption(
      addressOption("--metrics-listen <address>", "/metrics, /healthz and /readyz", "127.0.0.1:8444"),
    )
    .addOption(
      durationOption("--grace <duration>", "how long requests may take at the end", "30s", { min: 0 }),
    );
  addLogOptions(command, "info");
  return command.addHelpText("after", examples).action(async (options: ServeOptions) => {
    await runServe(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead gateway --upstream http://127.0.0.1:8001
  $ fairlead gateway --upstream https://10.0.0.1:6443 --upstream-ca-file ca.pem --listen :8443 --tls-cert-file tls.pem --tls-key-file tls.key

Tokens pass to the API server as they are. Certificates are read again when their files change.
`;

async function runServe(options: ServeOptions, io: CliIo): Promise<void> {
  const log = loggerFor(options, io);
  const gateway = await startGateway({
    upstream: parseUpstreamAddress(options.upstream),
    upstreamCaFile: options.upstreamCaFile,
    frontProxy: pairOf("--front-proxy", options.frontProxyCertFile, options.frontProxyKeyFile),
    listen: options.listen,
    metricsListen: options.metricsListen,
    tls: pairOf("--tls", options.tlsCertFile, options.tlsKeyFile),
    clientCaFile: options.clientCaFile,
    allowPlainText: options.allowPlainText,
    translate: createTranslate(),
    log,
  });
  io.stdout(`${JSON.stringify(gateway.addresses)}\n`);
  await interrupted(io.signal);
  log.info("stopping");
  await gateway.stop(options.grace);
}

/** @throws FairleadError `input-invalid` where one of the two is missing */
function pairOf(flags: string, cert: string | undefined, key: string | undefined): KeyPairFiles | undefined {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new FairleadError("input-invalid", `${flags}-cert-file and ${flags}-key-file need each other`);
}
