import { homedir } from "node:os";
import path from "node:path";
import { FairleadError } from "../../core/error.ts";
import { lazy } from "../../core/lazy.ts";
import {
  type ChartRepository,
  checkArchive,
  openChartRepository,
  parseRepositoryUrl,
} from "../../registry/charts/chart-repository.ts";
import { createFileFetcher } from "../../registry/charts/file-fetcher.ts";
import { isOciAddress, parseOciAddress } from "../../registry/charts/oci-address.ts";
import { fetchOciChart } from "../../registry/charts/oci-chart.ts";
import type { RemoteChart, VersionChoice } from "../../registry/charts/remote-chart.ts";
import { createDockerKeychain } from "../../registry/credentials/docker-keychain.ts";
import { joinKeychains } from "../../registry/credentials/joined-keychain.ts";
import type { Credentials, RegistryAccess, RegistryClient } from "../../registry/registry-api.ts";
import { createRegistryClient } from "../../registry/registry-client.ts";
import { readInput } from "../output/read-input.ts";
import { version as ownVersion } from "../version.ts";
import type { ChartSourceContext, ChartSourceOptions } from "./chart-source-options.ts";
import { readAccess } from "./registry-options.ts";

/** What fetches charts. */
export interface RemoteSource {
  fetch(name: string, version: VersionChoice): Promise<RemoteChart>;
}

/**
 * What fetches charts of registries and of the repository that `--repo` names.
 * @throws FairleadError `input-invalid`, `input-unreadable`, `config-invalid`
 */
export async function openRemoteSource(
  options: ChartSourceOptions,
  context: ChartSourceContext,
): Promise<RemoteSource> {
  const access = await readAccess(options);
  const client = lazy(() => createChartClient(options, context, access));
  const fetchOptions = (version: VersionChoice): Parameters<ChartRepository["fetchChart"]>[1] => ({
    version,
    maxBytes: options.maxChartBytes,
    signal: context.signal,
    timeoutMs: options.timeout,
  });
  const fromRegistry = async (address: string, version: VersionChoice): Promise<RemoteChart> =>
    fetchOciChart(client(), parseOciAddress(address), fetchOptions(version));
  if (options.repo === undefined) return { fetch: fromRegistry };
  const repository = await openRepository(options.repo, options, context, access);
  return {
    fetch: async (name, version) => {
      if (isOciAddress(name)) {
        throw new FairleadError("input-invalid", "--repo has no effect for a chart of a registry", {
          hint: "leave --repo out",
        });
      }
      const found = await repository.fetchChart(name, fetchOptions(version));
      if ("archive" in found) return found;
      // The index has chosen, and its address names the version.
      const chart = await fromRegistry(found.ociAddress, { ...version, wanted: undefined });
      checkArchive(chart.archive, found.sha256, { file: chart.location });
      return chart;
    },
  };
}

async function openRepository(
  repo: string,
  options: ChartSourceOptions,
  { env, signal }: ChartSourceContext,
  access: RegistryAccess,
): Promise<ChartRepository> {
  const home = parseRepositoryUrl(repo);
  const credentials = await readCredentials(options, env);
  const passCredentials = options.passCredentials === true;
  const fetcher = createFileFetcher({
    home,
    access,
    environment: env,
    credentials,
    passCredentials,
    userAgent: `fairlead/${ownVersion}`,
  });
  return openChartRepository(fetcher, home, { signal, timeoutMs: options.timeout });
}

async function readCredentials(
  { repoUsername, repoPasswordFile }: ChartSourceOptions,
  env: ChartSourceContext["env"],
): Promise<Extract<Credentials, { readonly kind: "basic" }> | undefined> {
  const password =
    repoPasswordFile === undefined
      ? env["FAIRLEAD_REPO_PASSWORD"]
      : (await readInput(repoPasswordFile, { maxBytes: 64 * 1024 })).replace(/\r?\n$/u, "");
  if (repoUsername === undefined) {
    if (repoPasswordFile === undefined) return undefined;
    throw new FairleadError("input-invalid", "--repo-password-file has no effect without --repo-username");
  }
  if (password === undefined || password === "") {
    throw new FairleadError("input-invalid", "--repo-username has no password", {
      hint: "put it into a file for --repo-password-file, or into FAIRLEAD_REPO_PASSWORD",
    });
  }
  return { kind: "basic", username: repoUsername, password };
}

/** Helm keeps the logins of `helm registry login` in a file of its own, and looks there before docker's. */
function createChartClient(
  { dockerConfig }: ChartSourceOptions,
  { env, log }: ChartSourceContext,
  access: RegistryAccess,
): RegistryClient {
  const docker = createDockerKeychain({ configDir: dockerConfig, env });
  const helm = createDockerKeychain({ configFile: helmRegistryConfig(env), env });
  return createRegistryClient({
    access,
    keychain: dockerConfig === undefined ? joinKeychains(helm, docker) : docker,
    env,
    userAgent: `fairlead/${ownVersion}`,
    log,
  });
}

/** Where Helm keeps them (helm.sh/helm/v3, pkg/cli/environment.go and pkg/helmpath). */
function helmRegistryConfig(env: ChartSourceContext["env"]): string {
  const named = env["HELM_REGISTRY_CONFIG"] ?? "";
  if (named !== "") return named;
  const home = env["HOME"] ?? homedir();
  const settings =
    process.platform === "darwin" ? path.join(home, "Library", "Preferences") : path.join(home, ".config");
  const folder = env["HELM_CONFIG_HOME"] || path.join(env["XDG_CONFIG_HOME"] || settings, "helm");
  return path.join(folder, "registry", "config.json");
}
