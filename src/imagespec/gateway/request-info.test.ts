import { expect, test } from "vitest";
import { readRequestInfo } from "./request-info.ts";

/** Verb and `group/version/namespace/resource/name/subresource`, `-` where there is none. */
function inShort(method: string, target: string): string {
  const { verb, resource } = readRequestInfo(method, target);
  if (resource === undefined) return verb;
  const { group, version, namespace = "-", name = "-", subresource = "-" } = resource;
  return `${verb} ${group}/${version}/${namespace}/${resource.resource}/${name}/${subresource}`;
}

test.each([
  ["GET", "/api/v1/namespaces", "list /v1/-/namespaces/-/-"],
  ["GET", "/api/v1/namespaces/other", "get /v1/other/namespaces/other/-"],
  ["GET", "/api/v1/namespaces/other/status", "get /v1/other/namespaces/other/status"],
  ["PUT", "/api/v1/namespaces/other/finalize", "update /v1/other/namespaces/other/finalize"],
  ["GET", "/api/v1/namespaces/other/pods", "list /v1/other/pods/-/-"],
  ["GET", "/api/v1/namespaces/other/pods/", "list /v1/other/pods/-/-"],
  ["HEAD", "/api/v1/namespaces/other/pods/foo", "get /v1/other/pods/foo/-"],
  ["GET", "/api/v1/pods", "list /v1/-/pods/-/-"],
  ["POST", "/api/v1/pods", "create /v1/-/pods/-/-"],
  ["POST", "/api/v1/namespaces/other/pods", "create /v1/other/pods/-/-"],
  ["PUT", "/api/v1/namespaces/other/pods/foo", "update /v1/other/pods/foo/-"],
  ["PATCH", "/api/v1/namespaces/other/pods/foo", "patch /v1/other/pods/foo/-"],
  ["DELETE", "/api/v1/namespaces/other/pods/foo", "delete /v1/other/pods/foo/-"],
  ["DELETE", "/api/v1/namespaces/other/pods", "deletecollection /v1/other/pods/-/-"],
  ["POST", "/api/v1/namespaces/other/pods/foo/exec?command=a", "create /v1/other/pods/foo/exec"],
  ["GET", "/api/v1/namespaces/a/pods/b/proxy/c//../d%2Fe", "get /v1/a/pods/b/proxy"],
  ["GET", "/api/v1/nodes/n/proxy/a/b", "get /v1/-/nodes/n/proxy"],
  ["PUT", "/apis/apps/v1/namespaces/a/deployments/b/scale", "update apps/v1/a/deployments/b/scale"],
  ["GET", "/apis/batch/v1/cronjobs", "list batch/v1/-/cronjobs/-/-"],
  // Watches
  ["GET", "/api/v1/pods?watch=true", "watch /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?watch=1", "watch /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?watch", "watch /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?watch=False", "list /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?watch=0", "list /v1/-/pods/-/-"],
  ["GET", "/api/v1/namespaces/a/pods/b?watch=true", "get /v1/a/pods/b/-"],
  ["GET", "/api/v1/watch/pods", "watch /v1/-/pods/-/-"],
  ["GET", "/api/v1/watch/namespaces/a/pods/b", "watch /v1/a/pods/b/-"],
  ["GET", "/apis/apps/v1/watch/namespaces/a/deployments", "watch apps/v1/a/deployments/-/-"],
  ["GET", "/api/v1/watch", "get"],
  ["GET", "/api/v1/proxy/namespaces/a/pods/b/c/d", "proxy /v1/a/pods/b/-"],
  // One object of a list
  ["GET", "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Db", "list /v1/a/pods/b/-"],
  ["GET", "/api/v1/pods?watch=1&fieldSelector=metadata.name==b,spec.nodeName=n", "watch /v1/-/pods/b/-"],
  ["GET", "/api/v1/pods?fieldSelector=spec.nodeName=n,metadata.name=b", "list /v1/-/pods/b/-"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name!=b", "list /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name=a/b", "list /v1/-/pods/-/-"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name=", "list /v1/-/pods/-/-"],
  ["DELETE", "/api/v1/pods?fieldSelector=metadata.name=b", "deletecollection /v1/-/pods/-/-"],
  // No resource
  ["GET", "/", "get"],
  ["GET", "/api", "get"],
  ["GET", "/api/v1", "get"],
  ["GET", "/apis/apps/v1", "get"],
  ["GET", "/openapi/v3/apis/apps/v1", "get"],
  ["POST", "/version", "post"],
  ["OPTIONS", "/api/v1/pods", "options /v1/-/pods/-/-"],
  // Decoded before they are split, as the API server does
  ["GET", "/api/v1/namespaces/a%2Fpods/b", "get /v1/a/pods/b/-"],
  ["GET", "/%61pi/v1/namespaces/a/p%6Fds", "list /v1/a/pods/-/-"],
  ["GET", "//api/v1/pods", "list /v1/-/pods/-/-"],
  // Irregular
  ["GET", "/api/v1/namespaces//pods/b", "get"],
  ["GET", "/api//v1/pods", "get"],
  ["GET", "/apis//v1/pods", "get"],
  ["GET", "/api/v1/namespaces/a/../pods", "get"],
  ["GET", "/api/v1/namespaces/a/pods/%2e%2e", "get"],
  ["GET", "/api/v1/namespaces/a/pods/%ff", "get"],
  ["GET", "/api/v1/namespaces/a/pods/%2", "get"],
])("%s %s", (method, target, expected) => {
  expect(inShort(method, target)).toBe(expected);
});

test("the path and the query stay as they were sent", () => {
  const { path, query } = readRequestInfo("GET", "/api/v1/pods%2F?labelSelector=a%3Db&limit=5");
  expect(path).toBe("/api/v1/pods%2F");
  expect([query.get("labelSelector"), query.get("limit")]).toEqual(["a=b", "5"]);
});
