import { commentOf, commentPageSize, findComment } from "./change-request-comment.ts";
import { memberOf, textOf } from "./exchange.ts";
import { gitlabApi } from "./gitlab-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

/** A comment on a merge request of GitLab. */
export const gitlabMergeRequestCommentProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { number, marker, body } = commentOf(notification, settings, "flux-mr-comment-key");
    const { call, project } = gitlabApi(settings, context);
    const user = await call({ method: "GET", path: "/user", sample: '{"username":"fairlead"}' });
    const author = textOf(user, "username");
    const notes = `${project}/merge_requests/${number}/notes`;
    const id = await findComment(
      async (page) =>
        itemsOf(
          await call({
            method: "GET",
            path: `${notes}?order_by=created_at&sort=asc&per_page=${commentPageSize}&page=${page}`,
            maxResponseBytes: maxListBytes,
            sample: "[]",
          }),
        ),
      (note) =>
        textOf(memberOf(note, "author"), "username") === author && textOf(note, "body").includes(marker),
    );
    if (id === undefined) await call({ method: "POST", path: notes, json: { body } });
    else await call({ method: "PUT", path: `${notes}/${id}`, json: { body } });
  },
};
