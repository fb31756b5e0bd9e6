import { type ApiCall, createApiCaller } from "./api-call.ts";
import { ownerAndName, parseGitAddress } from "./git-address.ts";
import type { DeliveryContext, ProviderSettings } from "./provider.ts";
import { tryToken, unusable } from "./request.ts";

/** Gitea's API (version 1), which Forgejo has as well, for one repository. */
export interface GiteaApi {
  readonly call: ApiCall;
  /** `/repos/<owner>/<name>`. */
  readonly repository: string;
}

/** Gitea's API as the token of the Secret. @throws FairleadError `delivery-failed` */
export function giteaApi(settings: ProviderSettings, context: DeliveryContext): GiteaApi {
  const address = parseGitAddress(settings.address);
  const token = tryToken(settings) ?? settings.secret["password"]?.trim() ?? "";
  if (token === "") throw unusable("the Secret of the provider has no token");
  const headers = { authorization: `token ${token}` };
  const call = createApiCaller(settings, context, `${address.origin}/api/v1`, headers, [token]);
  return { call, repository: `/repos/${ownerAndName(address)}` };
}
