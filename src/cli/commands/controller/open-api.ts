import { join } from "node:path";
import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import { ApiClient } from "../../../cluster/api/api-client.ts";
import type { ApiExchange } from "../../../cluster/api/api-transport.ts";
import { openClusterAccess } from "../../../cluster/api/cluster-access.ts";
import type { Logger } from "../../../core/log.ts";
import type { CliIo } from "../../io.ts";
import { tellerFor } from "../../teller.ts";
import { version } from "../../version.ts";
import { type ControllerOptions, logOptionsOf } from "./controller-options.ts";

/**
 * Opens the place where the objects live: the folder of `--config`, else the cluster.
 * @throws FairleadError `config-invalid` for a kubeconfig that is none, `input-unreadable`, `state-invalid`
 */
export async function openApi(
  options: ControllerOptions,
  onExchange: (exchange: ApiExchange) => void,
  log: Logger,
  io: CliIo,
): Promise<ObjectApi> {
  const { config, storagePath, pollInterval } = options;
  if (config.length > 0) {
    const { openFolderApi } = await import("../../../cluster/folder/folder-api.ts");
    const teller = tellerFor(logOptionsOf(options), io);
    return openFolderApi({
      paths: config,
      stateFile: storagePath === undefined ? undefined : join(storagePath, "objects.db"),
      pollMs: pollInterval,
      onDiagnostics: (diagnostics) => teller.findings(diagnostics),
      log,
    });
  }
  const kubeconfig = options.kubeconfig ?? (io.env["KUBECONFIG"] || undefined);
  const access = await openClusterAccess({ kubeconfig, context: options.context });
  return new ApiClient(access, { environment: io.env, userAgent: `fairlead/${version}`, onExchange });
}
