import { finalStatusOf } from "./commit-status.ts";
import { githubApi } from "./github-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { isCurrent, maxListBytes } from "./status-list.ts";

/** What GitHub takes of a status. */
const limits = { description: 140, context: 255 };

/** The status of a commit on GitHub. */
export const githubProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const { call, repository } = await githubApi(settings, context);
    const { sha, state, description } = status;
    const list = await call({
      method: "GET",
      path: `${repository}/commits/${sha}/statuses?per_page=50`,
      maxResponseBytes: maxListBytes,
      sample: "[]",
    });
    if (isCurrent(list, status)) return;
    const json = { state, description, context: status.context };
    await call({ method: "POST", path: `${repository}/statuses/${sha}`, json });
  },
};
