import { finalStatusOf, shortKey } from "./commit-status.ts";
import { exchange, parseAnswer, textOf, tryExchange } from "./exchange.ts";
import type { NotificationProvider, ProviderSettings } from "./provider.ts";
import { addressOf, basic, createRequest, segment, tryLogin, tryToken, unusable } from "./request.ts";

const limits = { description: 255, context: 1_024 };

/** The build status of a commit on Bitbucket Server and Data Center; the address is that of a clone by http. */
export const bitbucketServerProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const status = finalStatusOf(notification, settings, limits);
    if (status === undefined) return;
    const url = new URL(`${commitsOf(settings)}/${status.sha}/builds`);
    const headers = {
      authorization: authorizationOf(settings),
      "x-atlassian-token": "no-check",
      "x-requested-with": "XMLHttpRequest",
    };
    const link = addressOf(settings);
    link.username = "";
    link.password = "";
    const json = {
      description: status.description,
      key: shortKey(status.context),
      // The name is what the server's pages show.
      name: `${status.name} [${status.description}]`,
      state: status.state === "failure" ? "FAILED" : "SUCCESSFUL",
      url: link.href,
    };
    const queryUrl = new URL(url);
    queryUrl.searchParams.set("key", json.key);
    const query = createRequest(settings, { method: "GET", url: queryUrl, headers, address: "open" });
    const known = await tryExchange(context, query);
    const current = known === undefined || known.body === "" ? undefined : parseAnswer(query, known);
    const keys = ["key", "state", "description", "name"] as const;
    if (keys.every((key) => textOf(current, key) === json[key])) return;
    await exchange(context, createRequest(settings, { url, headers, json, address: "open" }));
  },
};

function authorizationOf(settings: ProviderSettings): string {
  const token = tryToken(settings);
  if (token !== undefined) return `Bearer ${token}`;
  const login = tryLogin(settings);
  if (login !== undefined) return basic(login.username, login.password);
  throw unusable("the Secret of the provider has neither a token nor a username and password");
}

function commitsOf(settings: ProviderSettings): string {
  const url = addressOf(settings);
  const path = url.pathname.replace(/\.git$/u, "");
  const mark = path.lastIndexOf("/scm/");
  const [project = "", repository = "", ...more] = path.slice(mark + "/scm/".length).split("/");
  if (mark < 0 || project === "" || repository === "" || more.length > 0) {
    throw unusable("the address of the provider is no clone of Bitbucket Server by http", "it has /scm/");
  }
  const parts = [project, repository].map((part) => segment(decodeURIComponent(part)));
  const base = `${url.origin}${path.slice(0, mark)}/rest/api/latest`;
  return `${base}/projects/${parts[0] ?? ""}/repos/${parts[1] ?? ""}/commits`;
}
