import { expect, test } from "vitest";
import { gatewayKubeconfig } from "./kubeconfig.ts";

const first = {
  file: "/opt/a/.kube/config",
  text: `
current-context: prod
contexts:
- name: prod
  context: {cluster: prod, user: jane, namespace: shop}
- name: lost
  context: {cluster: prod, user: nobody}
users:
- name: jane
  user:
    client-certificate: certs/jane.pem
    client-key: /etc/jane.key
    tokenFile: ../token
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: [a]}
`,
};
const second = {
  file: "/etc/kube/other",
  text: `
current-context: other
contexts:
- name: prod
  context: {cluster: x, user: eve}
- name: other
  context: {cluster: x, user: eve}
users:
- name: eve
  user: {token: "0123", exec: {command: login}}
`,
};
const options = { server: "https://127.0.0.1:8443", name: "gateway" };

test("user and namespace stay, the cluster is the gateway, and paths hold anywhere", () => {
  const certificateAuthority = "/etc/ca.pem";
  expect(gatewayKubeconfig([first, second], { ...options, certificateAuthority })).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "gateway", cluster: { server: options.server, "certificate-authority": certificateAuthority } },
    ],
    users: [
      {
        name: "jane",
        user: {
          "client-certificate": "/opt/a/.kube/certs/jane.pem",
          "client-key": "/etc/jane.key",
          tokenFile: "/opt/a/token",
          exec: {
            apiVersion: "client.authentication.k8s.io/v1",
            command: "/opt/a/.kube/bin/login",
            args: ["a"],
          },
        },
      },
    ],
    contexts: [{ name: "gateway", context: { cluster: "gateway", user: "jane", namespace: "shop" } }],
    "current-context": "gateway",
  });
});

test("another context is taken by its name", () => {
  expect(gatewayKubeconfig([first, second], { ...options, context: "other" })).toMatchObject({
    users: [{ name: "eve", user: { token: "0123", exec: { command: "login" } } }],
    contexts: [{ name: "gateway", context: { cluster: "gateway", user: "eve" } }],
  });
});

test.each([
  ["no context at all", [], undefined, "object-missing"],
  ["an unknown context", [first], "none", "object-missing"],
  ["a context of an unknown user", [first], "lost", "object-missing"],
  ["a list", [{ file: "/a", text: "- a" }], undefined, "input-invalid"],
])("%s is refused", (_title, files, context, code) => {
  expect(() => gatewayKubeconfig(files, { ...options, context })).toThrow(expect.objectContaining({ code }));
});
