import { createApiCaller } from "./api-call.ts";
import { finalStatusOf } from "./commit-status.ts";
import { memberOf, textOf } from "./exchange.ts";
import { type GitAddress, parseGitAddress } from "./git-address.ts";
import type { DeliveryContext, NotificationProvider, ProviderSettings } from "./provider.ts";
import { basic, segment, tryToken, unusable } from "./request.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

const limits = { description: 255, context: 255 };
const version = "api-version=7.1-preview.1";

/** Azure DevOps, as Entra ID knows it. */
const scope = "499b84ac-1321-427f-aa17-267ca6975798/.default";

/** The status of a commit on Azure DevOps, by a personal access token or the workload's identity. */
export const azureDevOpsProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const base = commitOf(parseGitAddress(settings.address), status.sha);
    const authorization = await authorizationFor(base, settings, context);
    const headers = { accept: "application/json", authorization };
    const secret = authorization.replace(/^\w+ /u, "");
    const call = createApiCaller(settings, context, base, headers, [secret]);
    const { summary } = notification.metadata;
    const genre = summary === undefined ? "fluxcd" : `fluxcd:${summary}`;
    const json = {
      context: { genre, name: status.context },
      description: status.description,
      state: status.state === "failure" ? "error" : "succeeded",
    };
    const list = await call({
      method: "GET",
      path: `/statuses?${version}`,
      maxResponseBytes: maxListBytes,
      sample: '{"value":[]}',
    });
    const known = itemsOf(memberOf(list, "value")).find((item) => {
      const itemContext = memberOf(item, "context");
      return textOf(itemContext, "name") === status.context && textOf(itemContext, "genre") === genre;
    });
    const isThere =
      textOf(known, "state") === json.state && textOf(known, "description") === json.description;
    if (!isThere) await call({ method: "POST", path: `/statuses?${version}`, json });
  },
};

async function authorizationFor(
  base: string,
  settings: ProviderSettings,
  { workload }: DeliveryContext,
): Promise<string> {
  const token = tryToken(settings);
  if (token !== undefined) return basic("", token);
  if (workload === undefined) {
    throw unusable(
      "the Secret of the provider has no token",
      "there is no workload identity here: give a personal access token",
    );
  }
  const { protocol, host } = new URL(base);
  if (protocol !== "https:" || !/^(?:dev\.azure\.com|[a-z0-9-]+\.visualstudio\.com)$/u.test(host)) {
    throw unusable(`${host} is no host of Azure DevOps, to which alone the tokens of a workload are sent`);
  }
  return `Bearer ${await workload.azureToken(scope)}`;
}

function commitOf({ origin, path }: GitAddress, sha: string): string {
  // By SSH, the path is v3/<organisation>/<project>/<repository>, on a host of its own.
  const isSsh = path[0] === "v3";
  const [organisation, project, mark, last] = isSsh ? [path[1], path[2], "_git", path[3]] : path;
  if (path.length !== 4 || mark !== "_git" || !organisation || !project || !last) {
    throw unusable("the address of the provider is no repository of Azure DevOps", "it has /_git/");
  }
  const host = isSsh ? "https://dev.azure.com" : origin;
  const projectPath = `${segment(organisation)}/${segment(project)}`;
  return `${host}/${projectPath}/_apis/git/repositories/${segment(last)}/commits/${sha}`;
}
