import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../../test/support/random.ts";
import { storedSpecKey, viewImageSpec } from "../../convert/stored-spec.ts";
import { containerLists, type Workload, workloads } from "../../convert/workloads.ts";
import { parseJson } from "../../json/parse-json.ts";
import {
  cloneJson,
  equalJson,
  fromPlain,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  memberAt,
} from "../../json/value.ts";
import { type JsonLayout, JsonView } from "./json-view.ts";
import { viewObject } from "./object-view.ts";

const runs = 1_000;

/** Writes random texts that are workloads more often than not. */
class TextWriter {
  readonly #random: Random;
  readonly #workload: Workload;

  constructor(random: Random, workload: Workload) {
    this.#random = random;
    this.#workload = workload;
  }

  list(): string {
    const key = this.#random.pick(["items", "items", "rows"]);
    const item = (): string =>
      key === "items" ? this.workload() : this.#object(["cells", "object"], () => this.workload());
    return this.#object(["kind", "metadata", key], (name) =>
      name === key ? this.#array(item) : this.#scalar(),
    );
  }

  events(): string {
    const event = (): string =>
      this.#object(["type", "object"], (key) => (key === "type" ? '"ADDED"' : this.workload()));
    return Array.from({ length: this.#random.below(5) }, () => `${event()}${this.#blank()}`).join("");
  }

  workload(depth = 0): string {
    const next = this.#workload.templatePath[depth];
    if (next !== undefined) {
      return this.#object(["metadata", next, "status"], (key) =>
        key === next ? this.workload(depth + 1) : this.#scalar(),
      );
    }
    return this.#object(["kind", "metadata", "spec", "status"], (key) => {
      if (key === "metadata")
        return this.#object(["name", "annotations"], (name) =>
          name === "name" ? '"a"' : this.#annotations(),
        );
      return key === "spec"
        ? this.#object(["volumes", ...containerLists], () => this.#array(() => this.#container()))
        : this.#scalar();
    });
  }

  #annotations(): string {
    const keys = ["a", "b", "ü", ""].map(storedSpecKey);
    return this.#object(["other", ...keys], () => {
      const image = this.#random.pick(["x.io/a:v1", "x.io/b"]);
      return this.#string(
        this.#random.pick(["{", JSON.stringify({ image, imageSpec: { aci: { name: "x.io/a" } } })]),
      );
    });
  }

  #container(): string {
    return this.#object(["name", "image", "args", "n", "nested"], (key) => {
      if (key === "name") return this.#string(this.#random.pick(["a", "b", "ü", ""]));
      if (key === "image")
        return this.#string(this.#random.pick(["x.io/a:v1", "x.io/b", "nginx", "BAD Name", ""]));
      return key === "nested"
        ? this.#array(() => this.#object(["image", "spec"], () => this.#scalar()))
        : this.#scalar();
    });
  }

  /** Members in any order, some missing, some twice, some with another value. */
  #object(keys: readonly string[], write: (key: string) => string): string {
    const chosen = keys.flatMap(
      (key) => [[key], [key], [key], [key], [key, key], []][this.#random.below(6)] ?? [],
    );
    for (let index = chosen.length - 1; index > 0; index--) {
      const other = this.#random.below(index + 1);
      [chosen[index], chosen[other]] = [chosen[other] ?? "", chosen[index] ?? ""];
    }
    const members = chosen.map((key) => {
      const value = this.#random.below(15) === 0 ? this.#scalar() : write(key);
      return `${this.#blank()}${this.#string(key)}${this.#blank()}:${this.#blank()}${value}${this.#blank()}`;
    });
    return `{${members.join(",") || this.#blank()}}`;
  }

  #array(write: () => string): string {
    const items = Array.from({ length: this.#random.below(4) }, () =>
      this.#random.below(12) === 0 ? this.#scalar() : write(),
    );
    return `[${items.map((item) => `${this.#blank()}${item}${this.#blank()}`).join(",")}]`;
  }

  #scalar(): string {
    return this.#random.pick([
      "null",
      "true",
      "9223372036854775807",
      "-1.50e+10",
      '"]}\\",{[\\\\"',
      '"ü€𝄞"',
      "{}",
      "[]",
      '{"image":"nginx","a":[{"b":[1,{}]}]}',
    ]);
  }

  #string(text: string): string {
    const written = JSON.stringify(text);
    if (this.#random.below(10) > 0 || text === "" || text.includes('"')) return written;
    const code = text.charCodeAt(0).toString(16).padStart(4, "0");
    return `"\\u${code}${written.slice(2)}`;
  }

  #blank(): string {
    return this.#random.below(6) === 0 ? this.#random.pick([" ", "\n  ", "\t", "\r\n"]) : "";
  }
}

function addSpecs(value: JsonValue, { templatePath }: Workload): JsonValue {
  const copy = cloneJson(value);
  const template = memberAt(copy, templatePath);
  for (const list of containerLists) {
    const containers = memberAt(template, ["spec", list]);
    for (const container of isJsonArray(containers ?? null) ? (containers as JsonValue[]) : []) {
      if (!isJsonObject(container)) continue;
      const image = container.get("image");
      const name = container.get("name");
      const stored =
        typeof name === "string"
          ? memberAt(template, ["metadata", "annotations", storedSpecKey(name)])
          : undefined;
      const spec =
        typeof image === "string"
          ? viewImageSpec(image, typeof stored === "string" ? stored : undefined)
          : undefined;
      if (spec !== undefined) container.set("imageSpec", fromPlain(spec));
    }
  }
  return copy;
}

function withoutSpecs(text: string): string {
  return text.replaceAll(/,"imageSpec":\{"(?:dockerImage|aci)":\{[^{}]*\}\}/gu, "");
}

function viewInPieces(bytes: Buffer, workload: Workload, layout: JsonLayout, random: Random): Buffer {
  const view = new JsonView(workload, layout);
  const told: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random.below(random.pick([2, 20, 300]));
    told.push(view.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...told, view.end()]);
}

describe("random answers", () => {
  test("objects get what the tree of them gets, and nothing else", () => {
    const random = createRandom("objects");
    let changed = 0;
    for (let run = 0; run < runs; run++) {
      const workload = random.pick(workloads);
      const text = new TextWriter(random, workload).workload();
      const viewed = viewObject(Buffer.from(text), workload).toString();
      const expected = addSpecs(parseJson(text).value, workload);
      expect(equalJson(parseJson(viewed).value, expected), text).toBe(true);
      expect(withoutSpecs(viewed)).toBe(text);
      if (viewed !== text) changed += 1;
    }
    expect(changed).toBeGreaterThan(runs / 4);
  });

  test.each(["objects", "list", "events"] as const)("%s in pieces are as the whole", (layout) => {
    const random = createRandom(layout);
    let changed = 0;
    for (let run = 0; run < runs; run++) {
      const workload = random.pick(workloads);
      const writer = new TextWriter(random, workload);
      const text =
        layout === "list" ? writer.list() : layout === "events" ? writer.events() : writer.workload();
      const bytes = Buffer.from(text);
      const viewed = viewObject(bytes, workload, layout).toString();
      expect(viewInPieces(bytes, workload, layout, random).toString()).toBe(viewed);
      expect(withoutSpecs(viewed)).toBe(text);
      if (viewed !== text) changed += 1;
    }
    expect(changed).toBeGreaterThan(runs / 10);
  });

  test("broken bytes stay, in pieces and as a whole", () => {
    const random = createRandom("broken");
    for (let run = 0; run < runs; run++) {
      const workload = random.pick(workloads);
      const layout = random.pick(["objects", "list", "events"] as const);
      const writer = new TextWriter(random, workload);
      const bytes = Buffer.from(layout === "list" ? writer.list() : writer.workload());
      for (let count = random.below(4); count >= 0; count--) {
        bytes[random.below(bytes.length)] = random.pick([...Buffer.from('{}[]",:\\x'), 0xff, 0]);
      }
      for (const viewed of [
        viewObject(bytes, workload, layout),
        viewInPieces(bytes, workload, layout, random),
      ]) {
        expect(withoutSpecs(viewed.toString("latin1"))).toBe(bytes.toString("latin1"));
      }
    }
  });

  test.each([
    { name: "a string that does not end", text: `{"items":[{"metadata":{"x":"${'\\"'.repeat(1_000_000)}` },
    { name: "a key that does not end", text: `{"${"a".repeat(1_000_000)}` },
    { name: "levels that do not end", text: `{"items":[{"x":${"[".repeat(1_000_000)}` },
    { name: "blanks that do not end", text: `{"items":[{}${" ".repeat(1_000_000)}` },
    { name: "items without a comma", text: `{"items":[${"{}".repeat(100_000)}]}` },
    { name: "commas alone", text: `{"items":[${",".repeat(100_000)}]}` },
  ])("$name are not kept", ({ text }) => {
    const view = new JsonView(workloads[0] as Workload, "list", 100_000);
    const bytes = Buffer.from(text);
    let told = 0;
    for (let at = 0; at < bytes.length; at += 1000) {
      const piece = bytes.subarray(at, at + 1000);
      told += view.push(piece).length;
      expect(at + piece.length - told).toBeLessThan(102_000);
    }
    expect(told + view.end().length).toBe(bytes.length);
  });
});
