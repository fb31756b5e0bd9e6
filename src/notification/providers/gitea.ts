import { commitStatusOf } from "./commit-status.ts";
import { giteaApi } from "./gitea-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { isCurrent, maxListBytes } from "./status-list.ts";

const limits = { description: 255, context: 255 };

/** The status of a commit on Gitea; what is going on is pending. */
export const giteaProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = commitStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const { call, repository } = giteaApi(settings, context);
    const { sha, state, description } = status;
    const list = await call({
      method: "GET",
      path: `${repository}/commits/${sha}/statuses?page=1&limit=50`,
      maxResponseBytes: maxListBytes,
      sample: "[]",
    });
    // What one posts as state, one reads as status.
    if (isCurrent(list, status, "status")) return;
    const json = { state, target_url: "", description, context: status.context };
    await call({ method: "POST", path: `${repository}/statuses/${sha}`, json });
  },
};
