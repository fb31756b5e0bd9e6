import { type ApiCall, createApiCaller } from "./api-call.ts";
import { textOf } from "./exchange.ts";
import { githubApiOf, githubHeaders, hasGithubApp } from "../../registry/cloud/github-app.ts";
import { ownerAndName, parseGitAddress } from "./git-address.ts";
import { githubAppLogin, githubAppToken } from "./github-app.ts";
import type { DeliveryContext, ProviderSettings } from "./provider.ts";
import { tryToken, unusable } from "./request.ts";

/** GitHub's REST API for one repository. */
export interface GithubApi {
  readonly call: ApiCall;
  /** `/repos/<owner>/<name>`. */
  readonly repository: string;
  /** The login under which comments are written. */
  readonly login: () => Promise<string>;
}

/**
 * GitHub's API, as the token of the Secret or as the GitHub App that it describes.
 * @throws FairleadError `delivery-failed`
 */
export async function githubApi(settings: ProviderSettings, context: DeliveryContext): Promise<GithubApi> {
  const address = parseGitAddress(settings.address);
  const base = githubApiOf(address.origin);
  const repository = `/repos/${ownerAndName(address)}`;
  const given = tryToken(settings) ?? settings.secret["password"]?.trim();
  const token = given === undefined || given === "" ? await appToken(settings, context, base) : given;
  const call = createApiCaller(settings, context, base, githubHeaders(token), [token]);
  const login = async (): Promise<string> => {
    if (given === undefined || given === "") return githubAppLogin(settings, context, base);
    return textOf(await call({ method: "GET", path: "/user", sample: '{"login":"fairlead"}' }), "login");
  };
  return { call, repository, login };
}

async function appToken(settings: ProviderSettings, context: DeliveryContext, base: string): Promise<string> {
  if (hasGithubApp(settings.secret)) return githubAppToken(settings, context, base);
  throw unusable(
    "the Secret of the provider has neither a token nor a GitHub App",
    "an App has githubAppID, githubAppInstallationID or githubAppInstallationOwner, and githubAppPrivateKey",
  );
}
