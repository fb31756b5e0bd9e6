import { describe, expect, test } from "vitest";
import { type Answer, json, raw } from "../../../test/support/faulty-registry.ts";
import {
  clientWith,
  failureFrom,
  quickClient,
  tagsOf,
  useFaultyRegistry,
} from "../../../test/support/registry-case.ts";
import { parseReference } from "../../reference/reference.ts";
import { digestOf } from "../content-digest.ts";
import type { Credentials } from "../registry-api.ts";

const fixture = useFaultyRegistry();
const other = useFaultyRegistry();

const basic: Credentials = { kind: "basic", username: "me", password: "s3cret-password" };

function to(location: string): Answer {
  return raw(307, "", { location });
}

describe("a redirect", () => {
  const content = "a blob";
  const digest = digestOf(Buffer.from(content), "sha256");
  const token: Credentials = { kind: "registry-token", token: "registry-token" };

  test("to another host is followed without credentials", async () => {
    const { image, path } = fixture.repository();
    fixture
      .registry()
      .answer(`${path}/blobs/${digest}`, to(`${other.registry().url}${path}/stored?signature=x`));
    other.registry().answer(`${path}/stored`, raw(200, content));
    const blob = await clientWith(token).getBlob(parseReference(image), digest, { maxBytes: 100 });
    expect(Buffer.from(blob).toString()).toBe(content);
    expect(fixture.registry().seen.at(-1)?.authorization).toBe("Bearer registry-token");
    expect(other.registry().seen.at(-1)).toEqual({
      method: "GET",
      path: `${path}/stored?signature=x`,
      authorization: undefined,
    });
  });

  test("on the same host keeps them", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/blobs/${digest}`, to(`${path}/stored`));
    fixture.registry().answer(`${path}/stored`, raw(200, content));
    await clientWith(token).getBlob(parseReference(image), digest, { maxBytes: 100 });
    expect(fixture.registry().seen.at(-1)).toMatchObject({ authorization: "Bearer registry-token" });
  });

  test("of a list of tags is gone on with where it leads, without credentials", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, to(`${other.registry().url}${path}/moved`));
    other
      .registry()
      .answer(
        `${path}/moved`,
        json(200, { tags: ["a"] }, { link: `<${path}/moved?last=a>; rel="next"` }),
        tagsOf("b"),
      );
    expect(await clientWith(token).listTags(parseReference(image))).toEqual(["a", "b"]);
    expect(
      other
        .registry()
        .seen.slice(-2)
        .map((seen) => seen.authorization),
    ).toEqual([undefined, undefined]);
  });

  test("whose target wants credentials gets none", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, to(`${other.registry().url}${path}/moved`));
    other.registry().answer(`${path}/moved`, json(401, {}, { "www-authenticate": 'Basic realm="x"' }));
    const error = await failureFrom(clientWith(basic).listTags(parseReference(image)));
    expect(error.code).toBe("registry-unauthorized");
    expect(other.requestsTo(`${path}/moved`)).toBe(1);
  });

  test.each<[string, (path: string) => string, RegExp]>([
    ["to itself", (path) => `${path}/blobs/${digest}`, /redirects more than 5 times/u],
    ["to no address", () => "http://", /redirects to no address/u],
    ["to a file", () => "file:///etc/passwd", /to another scheme/u],
    ["with a user", () => `http://a:b@${other.registry().host}/`, /with a user/u],
  ])("%s is refused", async (_name, location, message) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/blobs/${digest}`, to(location(path)));
    const error = await failureFrom(quickClient().getBlob(parseReference(image), digest, { maxBytes: 100 }));
    expect(error).toMatchObject({ code: "registry-failed" });
    expect(error.message).toMatch(message);
  });
});
