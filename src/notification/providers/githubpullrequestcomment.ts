import { commentOf, commentPageSize, findComment } from "./change-request-comment.ts";
import { memberOf, textOf } from "./exchange.ts";
import { githubApi } from "./github-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

/** A comment on a pull request of GitHub. */
export const githubPullRequestCommentProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { number, marker, body } = commentOf(notification, settings, "flux-pr-comment-key");
    const { call, repository, login } = await githubApi(settings, context);
    const author = await login();
    const comments = `${repository}/issues/${number}/comments`;
    const id = await findComment(
      async (page) =>
        itemsOf(
          await call({
            method: "GET",
            path: `${comments}?per_page=${commentPageSize}&page=${page}`,
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
