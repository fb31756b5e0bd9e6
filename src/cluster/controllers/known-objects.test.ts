import { expect, test } from "vitest";
import type { ApiObject } from "../api/api-object.ts";
import { KnownObjects } from "./known-objects.ts";

const name = { namespace: "apps", name: "it" };

function version(resourceVersion: string, uid: string = "one"): ApiObject {
  return { apiVersion: "v1", kind: "Sample", metadata: { ...name, uid, resourceVersion } };
}

/** Objects of which a watch has told one, or none. */
function know(first?: ApiObject): { known: KnownObjects<ApiObject>; tell: (object?: ApiObject) => void } {
  let seen = first;
  const known = new KnownObjects<ApiObject>({
    get: () => seen,
    list: () => (seen === undefined ? [] : [seen]),
    byIndex: () => [],
    size: 1,
  });
  return {
    known,
    tell: (object) => {
      seen = object;
      if (object !== undefined) known.saw(object);
    },
  };
}

const current = (known: KnownObjects<ApiObject>): string | undefined =>
  known.get(name.namespace, name.name)?.metadata.resourceVersion;

test("an answer counts until the watch tells as much", () => {
  const { known, tell } = know(version("9"));
  known.wrote(version("10"));
  expect(current(known)).toBe("10");
  tell(version("10"));
  tell(version("11"));
  expect(current(known)).toBe("11");
});

test("an answer that the watch has told of already counts for nothing, also when a database is put back", () => {
  const { known, tell } = know(version("10"));
  known.wrote(version("10"));
  tell(version("5"));
  expect(current(known)).toBe("5");
});

test("an answer about an object that is gone, or that was made anew, counts for nothing", () => {
  const { known, tell } = know();
  known.wrote(version("10"));
  tell(version("5"));
  expect(current(known)).toBe("5");
  known.wrote(version("10", "other"));
  expect(current(known)).toBe("5");
});
