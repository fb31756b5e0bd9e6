import { type ApiCall, createApiCaller } from "./api-call.ts";
import { parseGitAddress } from "./git-address.ts";
import type { DeliveryContext, ProviderSettings } from "./provider.ts";
import { tryToken, unusable } from "./request.ts";

/** GitLab's REST API (version 4) for one project. */
export interface GitlabApi {
  readonly call: ApiCall;
  /** `/projects/<id>`. */
  readonly project: string;
}

/** GitLab's API as the token of the Secret. @throws FairleadError `delivery-failed` */
export function gitlabApi(settings: ProviderSettings, context: DeliveryContext): GitlabApi {
  const { origin, path } = parseGitAddress(settings.address);
  const token = tryToken(settings) ?? settings.secret["password"]?.trim() ?? "";
  if (token === "") throw unusable("the Secret of the provider has no token");
  const call = createApiCaller(settings, context, `${origin}/api/v4`, { "private-token": token }, [token]);
  return { call, project: `/projects/${encodeURIComponent(path.join("/")).replaceAll(".", "%2E")}` };
}
