import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { FairleadError } from "../core/error.ts";
import { formatTargetRegistry, parseTargetRegistry } from "./target-registry.ts";

function errorOf(text: string): FairleadError {
  try {
    parseTargetRegistry(text);
  } catch (error) {
    if (error instanceof FairleadError) return error;
    throw error;
  }
  throw new Error(`'${text}' was accepted`);
}

describe("parseTargetRegistry", () => {
  test.each([
    ["host", "myharbor.internal", "myharbor.internal", "", "generic"],
    ["host and port", "myharbor.internal:5000", "myharbor.internal:5000", "", "generic"],
    [
      "host, port and path",
      "myharbor.internal:5000/proxied-images",
      "myharbor.internal:5000",
      "proxied-images",
      "generic",
    ],
    ["deep path", "r.example.com/a/b__c/d.e", "r.example.com", "a/b__c/d.e", "generic"],
    ["capitals in the host", "MyHarbor.Local/x", "myharbor.local", "x", "generic"],
    ["localhost", "localhost/x", "localhost", "x", "generic"],
    ["bare name with a port", "registry:5000", "registry:5000", "", "generic"],
    ["IPv4", "10.0.0.1:5000/x", "10.0.0.1:5000", "x", "generic"],
    ["IPv6", "[2001:db8::1]:5000/x", "[2001:db8::1]:5000", "x", "generic"],
    ["IPv6 without a port", "[::1]", "[::1]", "", "generic"],
    ["Harbor by its name", "harbor.home.arpa", "harbor.home.arpa", "", "harbor"],
    ["Harbor elsewhere in the name", "my-harbor.home.arpa", "my-harbor.home.arpa", "", "generic"],
    [
      "ECR",
      "123456789012.dkr.ecr.us-east-1.amazonaws.com",
      "123456789012.dkr.ecr.us-east-1.amazonaws.com",
      "",
      "ecr",
    ],
    [
      "ECR in China",
      "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn",
      "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn",
      "",
      "ecr",
    ],
    [
      "ECR, dual stack",
      "123456789012.dkr-ecr.eu-west-1.on.aws",
      "123456789012.dkr-ecr.eu-west-1.on.aws",
      "",
      "ecr",
    ],
    ["ECR with a short account", "123.dkr.ecr.us-east-1.amazonaws.com", undefined, "", "generic"],
    ["public ECR", "public.ecr.aws/acme", "public.ecr.aws", "acme", "ecr"],
    [
      "Artifact Registry",
      "europe-west1-docker.pkg.dev/my-project/mirror",
      "europe-west1-docker.pkg.dev",
      "my-project/mirror",
      "gar",
    ],
    ["Container Registry", "eu.gcr.io/my-project", "eu.gcr.io", "my-project", "gcr"],
    ["Container Registry without a region", "gcr.io/my-project", "gcr.io", "my-project", "gcr"],
    ["ACR", "myregistry.azurecr.io", "myregistry.azurecr.io", "", "acr"],
    ["Quay", "quay.io/acme", "quay.io", "acme", "quay"],
    ["GHCR", "ghcr.io/acme", "ghcr.io", "acme", "ghcr"],
    ["Docker Hub", "docker.io/acme", "docker.io", "acme", "dockerhub"],
    ["Docker Hub's old index", "index.docker.io/acme", "docker.io", "acme", "dockerhub"],
    ["JFrog", "acme.jfrog.io/docker-remote", "acme.jfrog.io", "docker-remote", "jfrog"],
    ["Nexus by its name", "nexus.example.com:8082", "nexus.example.com:8082", "", "nexus"],
  ])("%s", (_name, text, host, basePath, type) => {
    expect(parseTargetRegistry(text)).toEqual({ host: host ?? text, basePath, type });
  });

  test.each([
    ["empty", "", "Invalid target registry '': is empty", "host[:port]"],
    ["a scheme", "https://r.example.com/x", "has a scheme", "Use 'r.example.com/x'."],
    ["a scheme and a password", "https://me:secret@r.example.com", "has a scheme", "Use 'r.example.com'."],
    ["a password", "me:secret@r.example.com", "has a user name or a digest", "Use 'r.example.com'."],
    ["illegal characters", "foo;bar", "'foo;bar': contains illegal characters", "host[:port]"],
    ["a space", "r.example.com /x", "contains illegal characters", "host[:port]"],
    ["a line end", "r.example.com\n", "'r.example.com\\n': contains illegal", "host[:port]"],
    ["port 0", "r.example.com:0", "is not a host with an optional port", "host[:port]"],
    ["port 65536", "r.example.com:65536", "is not a host with an optional port", "host[:port]"],
    ["a port of letters", "r.example.com:http", "is not a host with an optional port", "host[:port]"],
    ["an empty label", "r..example.com", "is not a host with an optional port", "host[:port]"],
    ["an IPv6 address without brackets", "::1", "is not a host with an optional port", "host[:port]"],
    ["brackets around nonsense", "[1::2::3]:80", "is not a host with an optional port", "host[:port]"],
    ["a bare name", "harbor", "is read as a path at Docker Hub", "'harbor:443'"],
    [
      "capitals do not make a bare name a host",
      "Harbor/x",
      "is read as a path at Docker Hub",
      "'harbor:443'",
    ],
    ["a trailing slash", "r.example.com/x/", "has a path that no repository", "Use 'r.example.com/x'."],
    ["an empty path", "r.example.com/", "has a path that no repository can have", "Use 'r.example.com'."],
    ["a doubled slash", "r.example.com/a//b", "has a path that no repository can have", "host[:port]"],
    ["capitals in the path", "r.example.com/Proxy", "has a path that", "Use 'r.example.com/proxy'."],
    ["a tag", "r.example.com/x:1", "has a path that no repository can have", "host[:port]"],
    ["a path out of the tree", "r.example.com/../x", "has a path that no repository", "host[:port]"],
    ["a very long host", `${"a".repeat(9999)}.example`, "is not a host with an optional", "host[:port]"],
  ])("refuses %s", (_name, text, message, hint) => {
    const error = errorOf(text);
    expect(error.code).toBe("target-invalid");
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("secret");
    expect(error.hint).toContain(hint);
    expect(error.hint).not.toContain("secret");
  });

  test("any text gives a target that formats and parses to itself, or a FairleadError", () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9.:/_@[\]-]{0,40}$/u);
    fc.assert(
      fc.property(fc.oneof(fc.string(), part), (text) => {
        try {
          const target = parseTargetRegistry(text);
          expect(parseTargetRegistry(formatTargetRegistry(target))).toEqual(target);
        } catch (error) {
          if (!(error instanceof FairleadError)) throw error;
        }
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});
