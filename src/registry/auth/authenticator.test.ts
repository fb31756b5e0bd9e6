import { describe, expect, test, vi } from "vitest";
import { type Answer, endless, json, raw } from "../../../test/support/faulty-registry.ts";
import { clientWith, failureFrom, tagsOf, useFaultyRegistry } from "../../../test/support/registry-case.ts";
import { parseReference } from "../../reference/reference.ts";
import type { Credentials } from "../registry-api.ts";

const fixture = useFaultyRegistry();

const password = "s3cret-password";
const basic: Credentials = { kind: "basic", username: "me", password };

function challenge(realm: string): Record<string, string> {
  return { "www-authenticate": `Bearer realm="${realm}",service="s",scope="repository:x:pull"` };
}

describe("credentials", () => {
  test("are not told by an error, nor by a server that repeats them", async () => {
    const { image, path } = fixture.repository();
    const asked = json(401, {}, { "www-authenticate": 'Basic realm="x"' });
    fixture.registry().answer(`${path}/tags/list`, asked, (response, request) => {
      const sent = request.headers.authorization ?? "";
      json(403, { errors: [{ code: "DENIED", message: `${sent} ${atob(sent.slice(6))}` }] })(
        response,
        request,
        "",
      );
    });
    const error = await failureFrom(clientWith(basic).listTags(parseReference(image)));
    expect(error.code).toBe("registry-unauthorized");
    expect(error.message).toContain("DENIED: Basic [redacted]");
    expect(error.message).not.toContain(password);
  });

  test("are not sent to a token server by plain http on another host", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, json(401, {}, challenge("http://192.0.2.1/token")));
    const error = await failureFrom(clientWith(basic).listTags(parseReference(image)));
    expect(error).toMatchObject({ code: "registry-unauthorized" });
    expect(error.message).toContain("over plain http");
  });

  test.each(["ftp://x/token", "no address", "http://a:b@127.0.0.1/token"])(
    "are not sent to the token server %s",
    async (realm) => {
      const { image, path } = fixture.repository();
      fixture.registry().answer(`${path}/tags/list`, json(401, {}, challenge(realm)));
      const error = await failureFrom(clientWith(basic).listTags(parseReference(image)));
      expect(error).toMatchObject({ code: "registry-failed" });
    },
  );

  test.each<[string, Answer, string]>([
    ["no JSON", raw(200, "x"), "registry-failed"],
    ["no token", json(200, {}), "registry-failed"],
    ["a token that splits headers", json(200, { token: "a\r\nb" }), "registry-failed"],
    ["a token beyond all size", json(200, { token: "a".repeat(100_000) }), "registry-failed"],
    ["a refusal", json(401, { errors: [{ code: "UNAUTHORIZED" }] }), "registry-unauthorized"],
    ["404", json(404, {}), "registry-failed"],
    ["more than it may", endless(200, "a".repeat(65_536)), "limit-exceeded"],
  ])("of no use to a token server that gives %s", async (_name, answer, code) => {
    const { image, path } = fixture.repository();
    fixture
      .registry()
      .answer(`${path}/tags/list`, json(401, {}, challenge(`${fixture.registry().url}${path}/token`)));
    fixture.registry().answer(`${path}/token`, answer);
    expect(await failureFrom(clientWith(basic).listTags(parseReference(image)))).toMatchObject({ code });
  });

  test("are tried once more, and once only", async () => {
    const { image, path } = fixture.repository();
    fixture
      .registry()
      .answer(`${path}/tags/list`, json(401, {}, challenge(`${fixture.registry().url}${path}/token`)));
    fixture.registry().answer(`${path}/token`, json(200, { token: "a" }), json(200, { token: "b" }));
    await failureFrom(clientWith(basic).listTags(parseReference(image)));
    expect(fixture.requestsTo(`${path}/tags/list`)).toBe(2);
    expect(fixture.registry().seen.findLast((seen) => seen.path.startsWith(path))?.authorization).toBe(
      "Bearer a",
    );
  });

  test("are renewed when a token is refused", async () => {
    const { image, path } = fixture.repository();
    const refused = json(401, {}, challenge(`${fixture.registry().url}${path}/token`));
    fixture.registry().answer(`${path}/tags/list`, refused, tagsOf("a"), refused, tagsOf("a", "b"));
    fixture.registry().answer(`${path}/token`, json(200, { token: "a" }), json(200, { access_token: "b" }));
    const client = clientWith(basic);
    expect(await client.listTags(parseReference(image))).toEqual(["a"]);
    expect(await client.listTags(parseReference(image))).toEqual(["a", "b"]);
    const sent = fixture.registry().seen.filter((seen) => seen.path.startsWith(`${path}/tags`));
    expect(sent.map((seen) => seen.authorization)).toEqual([undefined, "Bearer a", "Bearer a", "Bearer b"]);
  });

  test("are asked for a token anew before it ends", async () => {
    const { image, path } = fixture.repository();
    const wanted = challenge(`${fixture.registry().url}${path}/token`);
    fixture.registry().answer(`${path}/tags/list`, json(401, {}, wanted), tagsOf("a"));
    fixture
      .registry()
      .answer(`${path}/token`, json(200, { token: "a", expires_in: 100 }), json(200, { token: "b" }));
    // Only the clock stands still: timers and the network go on.
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const client = clientWith(basic);
      const sentAfter = async (elapsedMs: number): Promise<string | undefined> => {
        vi.advanceTimersByTime(elapsedMs);
        await client.listTags(parseReference(image));
        return fixture.registry().seen.at(-1)?.authorization;
      };
      expect(await sentAfter(0)).toBe("Bearer a");
      expect(await sentAfter(85_000)).toBe("Bearer a");
      expect(await sentAfter(10_000)).toBe("Bearer b");
    } finally {
      vi.useRealTimers();
    }
  });
});
