import { finalStatusOf, shortKey } from "./commit-status.ts";
import { exchange, parseAnswer, textOf, tryExchange } from "./exchange.ts";
import { ownerAndName, parseGitAddress } from "./git-address.ts";
import type { NotificationProvider } from "./provider.ts";
import { basic, createRequest, tokenOf, unusable } from "./request.ts";

const limits = { description: 255, context: 1_024 };

/** The build status of a commit on Bitbucket Cloud; the token is `user:password`. */
export const bitbucketProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const address = parseGitAddress(settings.address);
    const token = tokenOf(settings);
    const colon = token.indexOf(":");
    if (colon < 1) throw unusable("the token of the Secret is not <user>:<password>");
    const authorization = basic(token.slice(0, colon), token.slice(colon + 1));
    const secrets = [authorization.slice("Basic ".length), token.slice(colon + 1)];
    const origin = address.origin === "https://bitbucket.org" ? "https://api.bitbucket.org" : address.origin;
    const path = `/2.0/repositories/${ownerAndName(address)}/commit/${status.sha}/statuses/build`;
    const json = {
      key: shortKey(status.context),
      url: "https://bitbucket.org",
      state: status.state === "failure" ? "FAILED" : "SUCCESSFUL",
      name: status.name,
      description: status.description,
    };
    const headers = { accept: "application/json", authorization };
    const query = createRequest(settings, {
      method: "GET",
      url: new URL(`${path}/${json.key}`, origin),
      headers,
      secrets,
      address: "open",
    });
    const known = await tryExchange(context, query);
    const current = known === undefined ? undefined : parseAnswer(query, known);
    if (textOf(current, "state") === json.state && textOf(current, "description") === json.description)
      return;
    await exchange(
      context,
      createRequest(settings, { url: new URL(path, origin), headers, secrets, json, address: "open" }),
    );
  },
};
