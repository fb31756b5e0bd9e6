import { commentOf, commentPageSize, findComment } from "./change-request-comment.ts";
import { memberOf, textOf } from "./exchange.ts";
import { giteaApi } from "./gitea-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

/** A comment on a pull request of Gitea. */
export const giteaPullRequestCommentProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { number, marker, body } = commentOf(notification, settings, "flux-pr-comment-key");
    const { call, repository } = giteaApi(settings, context);
    const user = await call({ method: "GET", path: "/user", sample: '{"login":"fairlead"}' });
    const author = textOf(user, "login");
    const comments = `${repository}/issues/${number}/comments`;
    const id = await findComment(
      async (page) =>
        itemsOf(
          await call({
            method: "GET",
            path: `${comments}?page=${page}&limit=${commentPageSize}`,
            maxResponseBytes: maxListBytes,
            sample: "[]",
          }),
        ),
      (comment) =>
        textOf(memberOf(comment, "user"), "login") === author && textOf(comment, "body").includes(marker),
    );
    if (id === undefined) await call({ method: "POST", path: comments, json: { body } });
    else await call({ method: "PATCH", path: `${repository}/issues/comments/${id}`, json: { body } });
  },
};
