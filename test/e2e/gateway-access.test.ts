import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../support/certificates.ts";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import {
  type ApiAccess,
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  patchTypes,
} from "../support/kubernetes/api-client.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import { type Deployment, deploymentManifest } from "../support/kubernetes/workloads.ts";
import { describeWithTools } from "../support/tools.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const users = ["patcher", "creator", "updater", "reader", "nobody"];
const etcd = { name: "app", imageSpec: { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } } };
const spoofed = { "x-remote-user": "admin", "x-remote-group": "system:masters" };
const patchOf = (container: object): object => ({
  spec: { template: { spec: { containers: [container] } } },
});

interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

await describeWithTools(["etcd", "kube-apiserver", "kubectl", "openssl"], "who may do what", (paths) => {
  let cluster: KubernetesCluster;
  let gateway: ClusterGateway;
  let kubectl: Kubectl;
  const clients: ApiClient[] = [];

  beforeAll(async () => {
    cluster = await startKubernetes(paths, { users });
    gateway = await startClusterGateway(cluster);
    kubectl = createKubectl(paths.kubectl, gateway.kubeconfig, cluster.folder);
    const rule = { apiGroups: ["apps"], resources: ["deployments"] };
    await cluster.grant("patcher", { ...rule, verbs: ["patch"] });
    await cluster.grant("creator", { ...rule, verbs: ["create"] });
    await cluster.grant("updater", { ...rule, verbs: ["get", "update"] });
    await cluster.grant("reader", { ...rule, verbs: ["get", "list", "watch"] });
    for (const user of users) await cluster.api.post(deployments, deploymentManifest(user, [image("v1")]));
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    await gateway?.stop();
    await cluster?.stop();
  });

  /** A client of the gateway that tells of itself no more than this. */
  function clientOf(who: Pick<ApiAccess, "token" | "client">): ApiClient {
    const client = createApiClient({ url: gateway.url, caFile: gateway.caFile, ...who });
    clients.push(client);
    return client;
  }

  const userOf = (name: string): ApiClient => clientOf({ token: cluster.tokenOf(name) });

  /** The status of each kind of request about a Deployment, all with imageSpec. */
  async function allowed(user: string): Promise<Readonly<Record<string, number>>> {
    const client = userOf(user);
    const live = await gateway.api.get<Deployment>(`${deployments}/${user}`);
    const patch = (type: keyof typeof patchTypes, body: object): Promise<number> =>
      statusOf(
        client.request(
          "PATCH",
          `${deployments}/${user}?fieldManager=test${type === "apply" ? "&force=true" : ""}`,
          {
            body,
            contentType: patchTypes[type],
          },
        ),
      );
    const path = "/spec/template/spec/containers/0/imageSpec";
    return {
      get: await statusOf(client.request("GET", `${deployments}/${user}`)),
      list: await statusOf(client.request("GET", deployments)),
      create: await statusOf(
        client.request("POST", deployments, { body: deploymentManifest(`${user}-new`, [etcd]) }),
      ),
      update: await statusOf(client.request("PUT", `${deployments}/${user}`, { body: live })),
      merge: await patch("merge", patchOf(etcd)),
      strategic: await patch("strategic", patchOf(etcd)),
      json: await patch("json", [{ op: "add", path, value: etcd.imageSpec }]),
      apply: await patch("apply", deploymentManifest(user, [etcd])),
      delete: await statusOf(client.request("DELETE", `${deployments}/${user}`)),
    };
  }

  const denied = {
    get: 403,
    list: 403,
    create: 403,
    update: 403,
    merge: 403,
    strategic: 403,
    json: 403,
    apply: 403,
    delete: 403,
  };

  test.each([
    ["nobody", {}],
    ["reader", { get: 200, list: 200 }],
    ["creator", { create: 201 }],
    ["updater", { get: 200, update: 200 }],
    ["patcher", { merge: 200, strategic: 200, json: 200, apply: 200 }],
  ])("%s may do with imageSpec what it may without", async (user, granted) => {
    expect(await allowed(user)).toEqual({ ...denied, ...granted });
  });

  describe("headers of a front proxy", () => {
    test("do not stand for credentials", async () => {
      const { status } = await clientOf({}).request("GET", deployments, { headers: spoofed });
      expect(status).toBe(401);
    });

    test("do not change whose token it is", async () => {
      const user = await whoIs(userOf("nobody"), spoofed);
      expect(user).toMatchObject({ username: "nobody", groups: ["system:authenticated"] });
      const { status } = await userOf("nobody").request("GET", deployments, { headers: spoofed });
      expect(status).toBe(403);
    });

    test("do not change whose certificate it is", async () => {
      const client = clientOf({ client: await cluster.authority.issue("guest", ["guests"]) });
      const extra = { ...spoofed, "x-remote-extra-scopes": "all", "x-remote-uid": "0" };
      const user = await whoIs(client, extra);
      expect(user).toEqual({ username: "guest", groups: ["guests", "system:authenticated"] });
    });
  });

  describe("client certificates", () => {
    test("say who asks, to kubectl too", async () => {
      const client = await cluster.authority.issue("operator", ["operators", "system:masters"]);
      const kubeconfig = await gateway.kubeconfigOf("operator", { client });
      const { stdout } = await kubectl("auth whoami -o json", { kubeconfig });
      const { userInfo } = (JSON.parse(stdout) as { readonly status: { readonly userInfo: UserInfo } })
        .status;
      expect(userInfo).toMatchObject({
        username: "operator",
        groups: ["operators", "system:masters", "system:authenticated"],
      });
      const created = await kubectl("create -f -", {
        kubeconfig,
        input: deploymentManifest("of-operator", [etcd]),
      });
      expect(created).toMatchObject({ exitCode: 0 });
    });

    test("of another authority say nothing", async () => {
      const other = await createAuthority(paths.openssl, cluster.folder, "other-ca");
      const client = clientOf({ client: await other.issue("stranger", ["system:masters"]) });
      const answer = client.request("GET", deployments).then(({ status }) => status);
      expect(await answer.catch(() => 401)).toBe(401);
    });

    test("of the gateway itself make nobody else", async () => {
      const client = clientOf({ client: cluster.frontProxy.client });
      const answer = client.request("GET", deployments, { headers: spoofed }).then(({ status }) => status);
      expect(await answer.catch(() => 401)).toBe(401);
    });
  });

  describe("impersonation", () => {
    test("acts as someone with fewer rights", async () => {
      const refused = await kubectl("get deployments --as=nobody");
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain('User "nobody" cannot list resource "deployments"');
      expect(await kubectl("get deployments --as=reader -o name")).toMatchObject({ exitCode: 0 });
    });

    test("works with a client certificate", async () => {
      const client = await cluster.authority.issue("auditor", ["system:masters"]);
      const user = await whoIs(clientOf({ client }), {
        "impersonate-user": "someone",
        "impersonate-group": "some",
      });
      expect(user).toEqual({ username: "someone", groups: ["some", "system:authenticated"] });
    });

    test("needs a right", async () => {
      const { status } = await userOf("nobody").request("GET", deployments, {
        headers: { "impersonate-user": "admin", "impersonate-group": "system:masters" },
      });
      expect(status).toBe(403);
    });
  });

  test("neither tokens nor groups are logged", async () => {
    const log = await gateway.log();
    expect(log).toContain(deployments);
    for (const user of ["admin", ...users]) expect(log).not.toContain(cluster.tokenOf(user));
    expect(log).not.toContain("system:masters");
  });
});

function image(tag: string): { readonly name: string; readonly image: string } {
  return { name: "app", image: `registry.example/team/app:${tag}` };
}

async function whoIs(client: ApiClient, headers: Readonly<Record<string, string>> = {}): Promise<UserInfo> {
  const { text } = await client.request("POST", reviews, { body: {}, headers });
  return (JSON.parse(text) as { readonly status: { readonly userInfo: UserInfo } }).status.userInfo;
}

async function statusOf(answer: Promise<ApiAnswer>): Promise<number> {
  return (await answer).status;
}
