import { join } from "node:path";
import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import { ApiClient } from "../../../cluster/api/api-client.ts";
import type { ApiExchange } from "../../../cluster/api/api-transport.ts";
import { openClusterAccess } from "../../../cluster/api/cluster-access.ts";
import { createServiceAccountTokens } from "../../../cluster/api/service-account-token.ts";
import type { ServiceAccountToken } from "../../../registry/cloud/cloud-account.ts";
import type { Logger } from "../../../core/log.ts";
import type { CliIo } from "../../io.ts";
import { tellerFor } from "../../teller.ts";
import { version } from "../../version.ts";
import { type ControllerOptions, logOptionsOf } from "./controller-options.ts";

/** Where objects live. */
export interface OpenedApi {
  readonly api: ObjectApi;
  /** Undefined: it is no cluster. */
  readonly serviceAccountToken: ServiceAccountToken | undefined;
}

/**
 * Opens the place where the objects live: the folder of `--config`, else the cluster.
 * @throws FairleadError `config-invalid` for a kubeconfig that is none, `input-unreadable`, `state-invalid`
 */
export async function openApi(
  options: ControllerOptions,
  onExchange: (exchange: ApiExchange) => void,
  log: Logger,
  io: CliIo,
): Promise<OpenedApi> {
  const { config, storagePath, pollInterval } = options;
  if (config.length > 0) {
    const { openFolderApi } = await import("../../../cluster/folder/folder-api.ts");
    const teller = tellerFor(logOptionsOf(options), io);
    const api = await openFolderApi({
      paths: config,
      stateFile: storagePath === undefined ? undefined : join(storagePath, "objects.db"),
      pollMs: pollInterval,
      onDiagnostics: (diagnostics) => teller.findings(diagnostics),
      log,
    });
    return { api, serviceAccountToken: undefined };
  }
  const kubeconfig = options.kubeconfig ?? (io.env["KUBECONFIG"] || undefined);
  const access = await openClusterAccess({ kubeconfig, context: options.context });
  const api = new ApiClient(access, {
    environment: io.env,
    userAgent: `fairlead/${version}`,
    onExchange,
  });
  return { api, serviceAccountToken: createServiceAccountTokens(api) };
}
