import type { RequestOptions } from "node:https";
import { FairleadError } from "../../core/error.ts";
import { type KubeConfigOptions, type LoadedKubeConfig, loadKubeConfig } from "./kube-config.ts";

/** What one request shows of who it is from. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: ClusterTls;
}

/** Options of node:tls. */
export interface ClusterTls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized: boolean;
}

/** Files are looked at again after so long, for tokens and certificates that are renewed. */
const freshMs = 10_000;

/** An API server and the credentials for it, as they are renewed. */
export class ClusterAccess {
  readonly server: URL;
  readonly proxyUrl: string | undefined;
  /** Of the context. */
  readonly namespace: string | undefined;
  readonly #options: KubeConfigOptions;
  #loaded: LoadedKubeConfig | undefined;
  #current: { readonly credentials: Promise<Credentials>; readonly readAtMs: number } | undefined;

  constructor(loaded: LoadedKubeConfig, options: KubeConfigOptions) {
    this.server = loaded.server;
    this.proxyUrl = loaded.cluster.proxyUrl;
    this.namespace = loaded.namespace;
    this.#options = options;
    this.#loaded = loaded;
  }

  /** @throws FairleadError `credentials-invalid` where a file or a plugin gives none; its text is not repeated */
  async credentials(): Promise<Credentials> {
    const nowMs = performance.now();
    if (this.#current === undefined || nowMs - this.#current.readAtMs > freshMs) {
      const credentials = this.#read();
      this.#current = { credentials, readAtMs: nowMs };
      credentials.catch(() => {
        if (this.#current?.credentials === credentials) this.#current = undefined;
      });
    }
    return this.#current.credentials;
  }

  /** Reads all of it again, the kubeconfig too, as the API server did not take these. */
  async refuse(refused: Credentials): Promise<void> {
    const current = await this.#current?.credentials.catch(() => undefined);
    if (current !== refused) return;
    this.#loaded = undefined;
    this.#current = undefined;
  }

  async #read(): Promise<Credentials> {
    const { config } = (this.#loaded ??= await loadKubeConfig(this.#options));
    const headers: Record<string, string> = {};
    const options: RequestOptions = { headers };
    try {
      await config.applyToHTTPSOptions(options);
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
      throw new FairleadError("credentials-invalid", `the API server's credentials cannot be read${code}`, {
        hint: "Look at the token file, the certificates and the plugin that the kubeconfig names.",
        retryable: true,
      });
    }
    const { ca, cert, key, auth, servername, rejectUnauthorized = true } = options;
    if (typeof auth === "string") headers["Authorization"] = `Basic ${Buffer.from(auth).toString("base64")}`;
    return {
      // The client leaves the line end of a token file on it.
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()])),
      tls: { ca: pem(ca), cert: pem(cert), key: pem(key), servername, rejectUnauthorized },
    };
  }
}

/** @throws FairleadError `config-invalid` */
export async function openClusterAccess(options: KubeConfigOptions): Promise<ClusterAccess> {
  return new ClusterAccess(await loadKubeConfig(options), options);
}

function pem(value: unknown): string | undefined {
  return typeof value === "string" || Buffer.isBuffer(value) ? value.toString() : undefined;
}
