import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Authority, type CertificateFiles, createAuthority } from "./certificates.ts";
import { freePort } from "./http-server.ts";
import { type ApiAccess, type ApiClient, createApiClient } from "./kubernetes/api-client.ts";
import { writeKubeconfig } from "./kubernetes/kubeconfig.ts";
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from "./kubernetes/server-process.ts";
import { createTempDir } from "./temp-dir.ts";

/** The programs of a control plane, by their component names (see tools.ts). */
export interface KubernetesPrograms {
  readonly etcd: string;
  readonly "kube-apiserver": string;
  readonly openssl: string;
  /** Without it nothing makes ReplicaSets of Deployments, or pods of ReplicaSets. */
  readonly "kube-controller-manager"?: string;
}

export interface KubernetesOptions {
  /** Names of users with a token and no rights; see {@link KubernetesCluster.grant}. */
  readonly users?: readonly string[];
  /** Flags of kube-apiserver beside those of every test. */
  readonly apiServerFlags?: readonly string[];
}

/** A rule of RBAC. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A real control plane of one test file, on loopback, with an admin of group `system:masters`. */
export interface KubernetesCluster extends ApiAccess {
  readonly url: string;
  readonly token: string;
  /** As admin. */
  readonly api: ApiClient;
  /** Of admin. */
  readonly kubeconfig: string;
  /** What it writes; removed when it stops. */
  readonly folder: string;
  /** Signs certificates of servers and clients; a client's CN is the user and its O the groups. */
  readonly authority: Authority;
  readonly frontProxy: FrontProxy;
  /** The bearer token of one of {@link KubernetesOptions.users}. */
  tokenOf(user: string): string;
  /** Allows a user something in the whole cluster. */
  grant(user: string, ...rules: readonly AccessRule[]): Promise<void>;
  createNamespace(name: string): Promise<void>;
  /** A Ready node whose kubelet serves on a loopback port. */
  createNode(name: string, options?: NodeOptions): Promise<void>;
  /** Stops kube-apiserver, and starts it again at the same address. */
  restartApiServer(): Promise<void>;
  /** Makes etcd forget all versions but those of now. */
  compactHistory(): Promise<void>;
  /** Ends all of it and removes its files. */
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly kubeletPort?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What lets a proxy say who asks, by X-Remote-User and its like. */
export interface FrontProxy {
  readonly caFile: string;
  readonly client: CertificateFiles;
}

const attempts = 3;
const clientName = "front-proxy";

/**
 * Starts etcd, kube-apiserver and, where its program is given, kube-controller-manager on free loopback ports,
 * with files in a temporary folder.
 * @throws Error with the end of the log of what did not start
 */
export async function startKubernetes(
  programs: KubernetesPrograms,
  options: KubernetesOptions = {},
): Promise<KubernetesCluster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryStart(programs, options);
    } catch (error) {
      // Another process may take a port between the search for it and its use.
      if (attempt === attempts || !String(error).includes("address already in use")) throw error;
    }
  }
}

async function tryStart(
  programs: KubernetesPrograms,
  options: KubernetesOptions,
): Promise<KubernetesCluster> {
  const temporary = await createTempDir("kubernetes");
  const folder = temporary.path;
  const running: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const server of running.toReversed()) await server.stop();
    await temporary.remove();
  };
  try {
    const etcdUrl = await startEtcd(programs.etcd, folder, running);
    const authority = await createAuthority(programs.openssl, folder, "kubernetes-ca");
    const proxyAuthority = await createAuthority(programs.openssl, folder, "front-proxy-ca");
    const frontProxy = {
      caFile: proxyAuthority.certificateFile,
      client: await proxyAuthority.issue(clientName),
    };
    const users = new Map(["admin", ...(options.users ?? [])].map((user) => [user, randomToken()]));
    const tokenOf = (user: string): string => {
      const token = users.get(user);
      if (token === undefined) throw new Error(`the cluster was started without the user ${user}`);
      return token;
    };
    const tokenFile = path.join(folder, "tokens.csv");
    const lines = [...users].map(
      ([user, token]) => `${token},${user},${user}${user === "admin" ? ",system:masters" : ""}`,
    );
    await writeFile(tokenFile, `${lines.join("\n")}\n`, { mode: 0o600 });
    const serving = await authority.issue("kube-apiserver");
    const kubeletClient = await authority.issue("kubelet-client", ["system:masters"]);
    const serviceAccount = await authority.issue("service-account");
    const port = await freePort();
    const access = {
      url: `https://127.0.0.1:${port}`,
      caFile: authority.certificateFile,
      token: tokenOf("admin"),
    };
    const api = createApiClient(access);
    const kubeconfig = await writeKubeconfig(path.join(folder, "admin.kubeconfig"), access);
    const apiServer: ServerProcessOptions = {
      name: "kube-apiserver",
      program: programs["kube-apiserver"],
      folder,
      args: [
        `--etcd-servers=${etcdUrl}`,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        `--secure-port=${port}`,
        "--endpoint-reconciler-type=none",
        `--cert-dir=${folder}`,
        `--tls-cert-file=${serving.certificateFile}`,
        `--tls-private-key-file=${serving.keyFile}`,
        `--client-ca-file=${authority.certificateFile}`,
        `--token-auth-file=${tokenFile}`,
        "--anonymous-auth=false",
        "--authorization-mode=RBAC",
        `--requestheader-client-ca-file=${frontProxy.caFile}`,
        `--requestheader-allowed-names=${clientName}`,
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-uid-headers=X-Remote-Uid",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        `--kubelet-certificate-authority=${authority.certificateFile}`,
        `--kubelet-client-certificate=${kubeletClient.certificateFile}`,
        `--kubelet-client-key=${kubeletClient.keyFile}`,
        "--kubelet-preferred-address-types=InternalIP",
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${serviceAccount.certificateFile}`,
        `--service-account-signing-key-file=${serviceAccount.keyFile}`,
        "--service-cluster-ip-range=10.0.0.0/24",
        // No controller makes the default ServiceAccounts that it asks for.
        "--disable-admission-plugins=ServiceAccount",
        ...(options.apiServerFlags ?? []),
      ],
      isReady: async () => (await api.request("GET", "/readyz")).status === 200,
    };
    const apiServerAt = running.push(await startServerProcess(apiServer)) - 1;
    const manager = programs["kube-controller-manager"];
    if (manager !== undefined)
      running.push(await startControllerManager(manager, { ...access, folder }, kubeconfig));
    return {
      ...access,
      api,
      kubeconfig,
      folder,
      authority,
      frontProxy,
      tokenOf,
      grant: (user, ...rules) => grant(api, user, rules),
      createNamespace: async (name) => void (await api.post("/api/v1/namespaces", { metadata: { name } })),
      createNode: (name, node = {}) => createNode(api, name, node),
      restartApiServer: async () => {
        await running[apiServerAt]?.stop();
        running[apiServerAt] = await startServerProcess(apiServer);
      },
      compactHistory: async () => {
        const { header } = await askEtcd<{ header: { revision: string } }>(etcdUrl, "maintenance/status", {});
        await askEtcd(etcdUrl, "kv/compaction", { revision: header.revision, physical: true });
      },
      stop: async () => {
        api.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEtcd(program: string, folder: string, running: ServerProcess[]): Promise<string> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  running.push(
    await startServerProcess({
      name: "etcd",
      program,
      folder,
      args: [
        `--data-dir=${path.join(folder, "etcd")}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=default=${peer}`,
        "--unsafe-no-fsync",
      ],
      isReady: async () => (await fetch(`${client}/health`)).ok,
    }),
  );
  return client;
}

async function askEtcd<Answer>(url: string, call: string, body: object): Promise<Answer> {
  const answer = await fetch(`${url}/v3/${call}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd ${call}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Only what tests have objects for. */
const controllers = [
  "deployment",
  "replicaset",
  "replicationcontroller",
  "daemonset",
  "statefulset",
  "job",
  "cronjob",
  "namespace",
  "garbage-collector",
];

/**
 * Starts kube-controller-manager as the user of a kubeconfig.
 * @param cluster whose serving certificate it uses for its health
 */
export async function startControllerManager(
  program: string,
  { folder, caFile }: Pick<KubernetesCluster, "folder" | "caFile">,
  kubeconfig: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const health = createApiClient({ url: `https://127.0.0.1:${port}`, caFile });
  try {
    return await startServerProcess({
      name: "kube-controller-manager",
      program,
      folder,
      args: [
        `--kubeconfig=${kubeconfig}`,
        `--controllers=${controllers.map((name) => `${name}-controller`).join(",")}`,
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
        `--secure-port=${port}`,
        `--tls-cert-file=${path.join(folder, "kube-apiserver.pem")}`,
        `--tls-private-key-file=${path.join(folder, "kube-apiserver.key")}`,
      ],
      isReady: async () => (await health.request("GET", "/healthz")).status === 200,
    });
  } finally {
    health.close();
  }
}

async function grant(api: ApiClient, user: string, rules: readonly AccessRule[]): Promise<void> {
  const metadata = { name: `${user}-${randomBytes(4).toString("hex")}` };
  const group = "rbac.authorization.k8s.io";
  await api.post(`/apis/${group}/v1/clusterroles`, { metadata, rules });
  await api.post(`/apis/${group}/v1/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: group, kind: "ClusterRole", name: metadata.name },
    subjects: [{ apiGroup: group, kind: "User", name: user }],
  });
}

async function createNode(api: ApiClient, name: string, { kubeletPort, labels }: NodeOptions): Promise<void> {
  await api.post("/api/v1/nodes", { metadata: { name, labels } });
  await api.patch(`/api/v1/nodes/${name}/status`, "merge", {
    status: {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      ...(kubeletPort === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } } }),
      conditions: [{ type: "Ready", status: "True", reason: "Test", message: "" }],
    },
  });
  // A new node is marked as not ready until the controller that tests do without sees that it is.
  await api.patch(`/api/v1/nodes/${name}`, "merge", { spec: { taints: null } });
}

function randomToken(): string {
  return randomBytes(16).toString("hex");
}
