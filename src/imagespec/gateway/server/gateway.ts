import { FairleadError } from "../../../core/error.ts";
import type { Logger } from "../../../core/log.ts";
import { createHealthHandler } from "../../../serving/health-endpoint.ts";
import {
  isLoopbackAddress,
  type ListenAddress,
  type Listener,
  startListener,
} from "../../../serving/listener.ts";
import type { Translate } from "../api-exchange.ts";
import type { UpstreamAddress } from "../upstream/upstream-address.ts";
import { CertificateFiles } from "./certificate-files.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { RequestHandler } from "./request-handler.ts";
import { UpgradeHandler } from "./upgrade-handler.ts";
import { startProbe, UpstreamAccess } from "./upstream-access.ts";
import { type WebLimits, WebServer } from "./web-server.ts";

/** A certificate with its key, in PEM files. */
export interface KeyPairFiles {
  readonly cert: string;
  readonly key: string;
}

export interface GatewayOptions {
  readonly upstream: UpstreamAddress;
  /** Authorities of the API server's certificate; default: those that the platform trusts. */
  readonly upstreamCaFile?: string | undefined;
  /** By what the API server knows the gateway, and believes it who asks. */
  readonly frontProxy?: KeyPairFiles | undefined;
  readonly listen: ListenAddress;
  readonly metricsListen: ListenAddress;
  /** Undefined: without TLS, and then on loopback unless `allowPlainText`. */
  readonly tls?: KeyPairFiles | undefined;
  readonly allowPlainText?: boolean | undefined;
  /** Authorities whose client certificates say who asks; needs `frontProxy`. */
  readonly clientCaFile?: string | undefined;
  readonly translate: Translate;
  readonly log: Logger;
  readonly limits?: Partial<WebLimits> | undefined;
  /** How often certificate files are looked at. */
  readonly pollMs?: number | undefined;
}

const standardLimits: WebLimits = {
  maxConnections: 10_000,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 300_000,
  idleMs: 120_000,
};
const standardPollMs = 10_000;
/** The API server counts as there for so long after an answer. */
const readyForMs = 20_000;

/** A running gateway. */
export interface Gateway {
  readonly addresses: { readonly gateway: string; readonly metrics: string };
  /** Ends watches at once, gives all else `graceMs` to end, and closes every connection. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts a proxy in front of a Kubernetes API server.
 * @throws FairleadError `config-invalid`
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  requireSound(options);
  const { tls, clientCaFile, frontProxy, upstreamCaFile, translate, log } = options;
  const limits = { ...standardLimits, ...options.limits };
  const metrics = new GatewayMetrics();
  const upstreamFiles = await CertificateFiles.open({ ...frontProxy, ca: upstreamCaFile });
  const ownFiles = tls === undefined ? undefined : await CertificateFiles.open({ ...tls, ca: clientCaFile });

  const access = new UpstreamAccess(options.upstream, upstreamFiles.current, metrics);
  const requests = new RequestHandler({ access, translate, metrics, log, requestMs: limits.requestMs });
  const upgrades = new UpgradeHandler({ access, metrics, log });
  const web = new WebServer(ownFiles?.current, limits, {
    serve: (request, response) => void requests.serve(request, response),
    upgrade: (request, socket, head) => void upgrades.serve(request, socket, head),
  });
  const gateway = await web.listen(options.listen);

  let isDraining = false;
  let health: Listener;
  try {
    health = await startListener(
      options.metricsListen,
      createHealthHandler(metrics, {
        unreadyReason: () => {
          if (isDraining) return "the gateway is shutting down";
          return access.answeredWithinMs(readyForMs) ? undefined : "the API server does not answer";
        },
      }),
    );
  } catch (error) {
    await web.close(Promise.resolve());
    throw error;
  }
  const probe = startProbe(access);
  const reload = (files: CertificateFiles | undefined, use: Parameters<CertificateFiles["watch"]>[1]): void =>
    files?.watch(
      options.pollMs ?? standardPollMs,
      (changed) => {
        use(changed);
        metrics.reloads.increment({ result: "used" });
        log.info("certificates reloaded");
      },
      (error) => {
        metrics.reloads.increment({ result: "refused" });
        const where = error instanceof FairleadError ? error.where.file : undefined;
        log.error("changed certificates are not usable: the old ones stay in force", { file: where });
      },
    );
  reload(ownFiles, (changed) => web.reload(changed));
  reload(upstreamFiles, (changed) => access.reload(changed));

  return {
    addresses: { gateway, metrics: health.address },
    stop: async (graceMs) => {
      isDraining = true;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      const answered = async (): Promise<void> => {
        await Promise.race([Promise.all([requests.drain(), upgrades.drain()]), late]);
        requests.abort();
        upgrades.abort();
      };
      await web.close(answered());
      clearTimeout(timer);
      probe.stop();
      upstreamFiles.close();
      ownFiles?.close();
      access.close();
      await health.close(0);
    },
  };
}

function requireSound({ tls, clientCaFile, frontProxy, allowPlainText, listen }: GatewayOptions): void {
  if (tls === undefined && allowPlainText !== true && !isLoopbackAddress(listen)) {
    throw new FairleadError("config-invalid", "beyond loopback the gateway needs a certificate", {
      hint: "tokens would pass in the clear: give a certificate and its key",
    });
  }
  if (clientCaFile === undefined) return;
  if (tls === undefined) {
    throw new FairleadError("config-invalid", "client certificates need a certificate of the gateway's own");
  }
  if (frontProxy === undefined) {
    throw new FairleadError("config-invalid", "client certificates need a front-proxy certificate", {
      hint: "the API server believes who asks only from a proxy whose certificate it trusts",
    });
  }
}
