import { finalStatusOf } from "./commit-status.ts";
import { textOf } from "./exchange.ts";
import { gitlabApi } from "./gitlab-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

/** What GitLab takes of a status. */
const limits = { description: 255, context: 255 };

/** The status of a commit on GitLab. */
export const gitlabProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const { call, project } = gitlabApi(settings, context);
    const { sha, description, context: name } = status;
    const state = status.state === "failure" ? "failed" : "success";
    const list = await call({
      method: "GET",
      path: `${project}/repository/commits/${sha}/statuses?name=${encodeURIComponent(name)}`,
      maxResponseBytes: maxListBytes,
      sample: "[]",
    });
    const isThere = itemsOf(list).some(
      (item) =>
        textOf(item, "name") === name &&
        textOf(item, "status") === state &&
        textOf(item, "description") === description,
    );
    if (isThere) return;
    await call({ method: "POST", path: `${project}/statuses/${sha}`, json: { state, name, description } });
  },
};
