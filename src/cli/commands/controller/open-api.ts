import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import { ApiClient } from "../../../cluster/api/api-client.ts";
import { openClusterAccess } from "../../../cluster/api/cluster-access.ts";
import type { CliIo } from "../../io.ts";
import { version } from "../../version.ts";
import type { ControllerOptions } from "./controller-options.ts";

/**
 * Opens the place where the objects live: the cluster.
 * @throws FairleadError `config-invalid` for a kubeconfig that is none
 */
export async function openApi(options: ControllerOptions, io: CliIo): Promise<ObjectApi> {
  const kubeconfig = options.kubeconfig ?? (io.env["KUBECONFIG"] || undefined);
  const access = await openClusterAccess({ kubeconfig, context: options.context });
  return new ApiClient(access, { environment: io.env, userAgent: `fairlead/${version}` });
}
