import { createApiCaller } from "./api-call.ts";
import { finalStatusOf } from "./commit-status.ts";
import { memberOf, textOf } from "./exchange.ts";
import { type GitAddress, parseGitAddress } from "./git-address.ts";
import type { NotificationProvider } from "./provider.ts";
import { basic, segment, tryToken, unusable } from "./request.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

const limits = { description: 255, context: 255 };
const version = "api-version=7.1-preview.1";

/** The status of a commit on Azure DevOps, by a personal access token. */
export const azureDevOpsProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const token = tryToken(settings);
    if (token === undefined) {
      throw unusable(
        "the Secret of the provider has no token",
        "workload identity is not to be had here: give a personal access token",
      );
    }
    const authorization = basic("", token);
    const base = commitOf(parseGitAddress(settings.address), status.sha);
    const headers = { accept: "application/json", authorization };
    const call = createApiCaller(settings, context, base, headers, [authorization.slice("Basic ".length)]);
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
