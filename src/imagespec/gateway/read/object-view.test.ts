import { describe, expect, test } from "vitest";
import { type Workload, workloadOfResource } from "../../convert/workloads.ts";
import { type JsonLayout, JsonView } from "./json-view.ts";
import { viewObject } from "./object-view.ts";

const nginx = ',"imageSpec":{"dockerImage":{"registry":"docker.io","name":"library/nginx"}}';
const aci = '{"image":"x.io/a:v2","imageSpec":{"aci":{"name":"x.io/a","tag":"v2"}}}';

function workload(group: string, resource: string): Workload {
  const found = workloadOfResource(group, resource);
  if (found === undefined) throw new RangeError(resource);
  return found;
}
const pods: Workload = workload("", "pods");

function view(text: string, layout: JsonLayout = "objects", kind: Workload = pods): string {
  return viewObject(Buffer.from(text), kind, layout).toString();
}

/** A pod whose `»` marks where the view of `nginx` goes. */
function pod(containers: string): string {
  return `{"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":${containers}},"status":{}}`;
}

describe("imageSpec behind image", () => {
  test.each([
    { name: "in a pod", text: pod('[{"name":"a","image":"nginx"»}]') },
    { name: "before other members", text: pod('[{"image":"nginx"»,"name":"a"}]') },
    {
      name: "in every list",
      text: '{"spec":{"ephemeralContainers":[{"image":"nginx"»}],"initContainers":[{"image":"nginx"»},{"image":"nginx"»}],"containers":[{"image":"nginx"»}]}}',
    },
    { name: "with an escaped key", text: pod(String.raw`[{"im\u0061ge":"nginx"»,"n\u0061me":"a"}]`) },
    { name: "with an escaped image", text: pod(String.raw`[{"image":"ngin\u0078"»}]`) },
    {
      name: "written for people",
      text: '{\n  "spec": {\n    "containers": [\n      {\n        "image" : "nginx"»,\n        "name": "a"\n      }\n    ]\n  }\n}\n',
    },
    { name: "with large numbers", text: pod('[{"image":"nginx"»,"n":9223372036854775807,"f":1.0e2}]') },
    { name: "twice: the later counts", text: pod('[{"image":"busybox","image":"nginx"»}]') },
    {
      name: "in lists given twice: the later counts",
      text: '{"spec":{"containers":[{"image":"busybox"}],"containers":[{"image":"nginx"»}]}}',
    },
    {
      name: "in specs given twice: the later counts",
      text: '{"spec":{"containers":[{"image":"busybox"}]},"spec":{"initContainers":[{"image":"nginx"»}]}}',
    },
    { name: "with brackets in strings", text: pod('[{"args":["}]{\\"[\\\\"],"image":"nginx"»}]') },
    {
      name: "in the pods of a Table",
      text: `{"kind":"Table","rows":[{"cells":["nginx"],"object":${pod('[{"image":"nginx"»}]')}}]}`,
    },
  ])("$name", ({ text }) => {
    expect(view(text.replaceAll("»", ""))).toBe(text.replaceAll("»", nginx));
  });

  test.each([
    { name: "an image that is no reference", text: pod('[{"image":"BAD Name"}]') },
    { name: "an empty image", text: pod('[{"image":""}]') },
    { name: "an image that is null", text: pod('[{"image":null}]') },
    { name: "an image that is a number", text: pod('[{"image":1}]') },
    { name: "an image with a broken escape", text: pod(String.raw`[{"image":"\x"}]`) },
    { name: "an imageSpec that is there", text: pod('[{"image":"nginx","imageSpec":{}}]') },
    { name: "no image", text: pod('[{"name":"a"}]') },
    { name: "no containers", text: pod("null") },
    { name: "a container that is null", text: pod("[null,[],1]") },
    { name: "containers that are an object", text: pod('{"image":"nginx"}') },
    { name: "an image in another place", text: '{"image":"nginx","spec":{"volumes":[{"image":"nginx"}]}}' },
    { name: "a status with container images", text: '{"status":{"containers":[{"image":"nginx"}]}}' },
    { name: "a Status", text: '{"kind":"Status","status":"Failure","details":{"name":"a"}}' },
    { name: "a number", text: "1" },
    { name: "nothing", text: "" },
    { name: "a comma", text: "," },
    { name: "a bracket too many", text: `${pod("null")}}` },
    { name: "a text that breaks off", text: pod('[{"image":"nginx"}]').slice(0, -1) },
    { name: "brackets that do not match", text: '{"spec":{"containers":[{"image":"nginx"}}}' },
    { name: "a key without quotes", text: '{"spec":{"containers":[{"image":"nginx"}]},a:1}' },
    { name: "no colon", text: '{"spec" {"containers":[{"image":"nginx"}]}}' },
  ])("$name stays as it is", ({ text }) => {
    expect(view(text)).toBe(text);
  });

  test("by the annotation, which may follow the containers", () => {
    const annotations = JSON.stringify({ "image-spec.fairlead.dev/a": aci });
    const expected = '{"name":"a","image":"x.io/a:v2","imageSpec":{"aci":{"name":"x.io/a","tag":"v2"}}}';
    const container = '{"name":"a","image":"x.io/a:v2"}';
    for (const text of [
      `{"metadata":{"annotations":${annotations}},"spec":{"containers":[${container}]}}`,
      `{"spec":{"containers":[${container}]},"metadata":{"annotations":${annotations}}}`,
    ]) {
      expect(view(text)).toBe(text.replace(container, expected));
    }
  });

  test.each([
    { name: "of another container", key: "image-spec.fairlead.dev/b", value: aci },
    {
      name: "of an image that was replaced",
      key: "image-spec.fairlead.dev/a",
      value: aci.replace("v2", "v1"),
    },
    { name: "that is no JSON", key: "image-spec.fairlead.dev/a", value: "{" },
    { name: "that is no string", key: "image-spec.fairlead.dev/a", value: 1 },
  ])("an annotation $name does not count", ({ key, value }) => {
    const metadata = JSON.stringify({ annotations: { [key]: value } });
    const text = `{"metadata":${metadata},"spec":{"containers":[{"name":"a","image":"x.io/a:v2"}]}}`;
    expect(view(text)).toContain('"imageSpec":{"dockerImage":{"registry":"x.io","name":"a","tag":"v2"}}');
  });

  test.each([
    { group: "", resource: "podtemplates", wrap: (inner: string) => `{"template":${inner}}` },
    { group: "apps", resource: "deployments", wrap: (inner: string) => `{"spec":{"template":${inner}}}` },
    {
      group: "batch",
      resource: "cronjobs",
      wrap: (inner: string) => `{"spec":{"jobTemplate":{"spec":{"template":${inner}}}}}`,
    },
  ])("in the template of $resource", ({ group, resource, wrap }) => {
    const text = wrap(pod('[{"image":"nginx"»}]'));
    expect(view(text.replace("»", ""), "objects", workload(group, resource))).toBe(text.replace("»", nginx));
    expect(view(pod('[{"image":"nginx"}]'), "objects", workload(group, resource))).not.toContain("imageSpec");
  });

  test("invalid UTF-8 is kept", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"x":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from(pod('[{"image":"nginx"}]').replace("{", '",')),
    ]);
    const viewed = viewObject(bytes, pods).toString("latin1");
    expect(viewed).toContain(nginx);
    expect(viewed.replace(nginx, "")).toBe(bytes.toString("latin1"));
  });

  test.each([
    { name: "skipped objects", text: `{"x":${'[{"a":'.repeat(10_000)}1${"}]".repeat(10_000)},` },
    {
      name: "tables in tables",
      text: `{"kind":${'{"rows":[{"object":'.repeat(10_000)}1${"}]}".repeat(10_000)},`,
    },
  ])("10,000 levels of $name", ({ text }) => {
    const whole = pod('[{"image":"nginx"}]').replace("{", text);
    expect(view(whole)).toBe(whole.replace('"nginx"', `"nginx"${nginx}`));
  });

  test("tables in tables are not followed", () => {
    const text = `${'{"rows":[{"object":'.repeat(10_000)}${pod('[{"image":"nginx"}]')}${"}]}".repeat(10_000)}`;
    expect(view(text)).toBe(text);
  });
});

const list = `{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"ü€𝄞"},"items":[${pod('[{"image":"nginx"»}]')},\n null,${pod('[{"image":"nginx"»},{"image":"a b"}]')}],"other":{"items":[${pod('[{"image":"nginx"}]')}]}}\n`;
const table = `{"kind":"Table","columnDefinitions":[{"name":"Images"}],"rows":[{"cells":["é","nginx"],"object":${pod('[{"image":"nginx"»}]')}},{"cells":[],"object":null}]}`;
const events = [
  `{"type":"ADDED","object":${pod('[{"name":"ü","image":"nginx"»}]')}}`,
  '{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null}}}',
  `{"object":${table},"type":"MODIFIED"}`,
  '{"type":"ERROR","object":{"kind":"Status","code":410}}',
];

const texts: readonly { readonly name: string; readonly layout: JsonLayout; readonly text: string }[] = [
  { name: "a list", layout: "list", text: list },
  { name: "an empty list", layout: "list", text: '{"items":[],"kind":"PodList"}' },
  { name: "a list of null", layout: "list", text: '{"items":null}' },
  { name: "a Table", layout: "list", text: table },
  { name: "events", layout: "events", text: events.map((event) => `${event}\n`).join("") },
  { name: "events without line ends", layout: "events", text: events.join("") },
  {
    name: "events that break off",
    layout: "events",
    text: `${events.join("\n")}\n${events[1]?.slice(0, 99)}`,
  },
  { name: "a list that is none", layout: "list", text: '[{"items":[]}]' },
  { name: "a list that is malformed", layout: "list", text: '{"items":[{}}' },
];

describe("an answer in pieces", () => {
  test.each(texts)("$name, split anywhere", ({ layout, text }) => {
    const bytes = Buffer.from(text.replaceAll("»", ""));
    const expected = text.replaceAll("»", nginx);
    expect(viewObject(bytes, pods, layout).toString()).toBe(expected);
    for (let at = 0; at <= bytes.length; at++) {
      expect(viewPieces([bytes.subarray(0, at), bytes.subarray(at)], layout)).toBe(expected);
    }
    expect(
      viewPieces(
        Array.from(bytes, (byte) => Buffer.from([byte])),
        layout,
      ),
    ).toBe(expected);
  });

  test("an event is told when it is whole", () => {
    const jsonView = new JsonView(pods, "events");
    for (const event of events) {
      const line = Buffer.from(`${event.replaceAll("»", "")}\n`);
      expect(jsonView.push(line.subarray(0, 20)).toString()).toBe("");
      expect(jsonView.push(line.subarray(20)).toString()).toBe(`${event.replaceAll("»", nginx)}\n`);
    }
  });

  test("an object that is too large stays as it is, and is not kept", () => {
    const small = pod('[{"image":"nginx"}]');
    const large = small.replace('"a"', `"${'\\"a'.repeat(1000)}"`);
    const bytes = Buffer.from(`{"items":[${small},${large},${small}]}`);
    const jsonView = new JsonView(pods, "list", 500);
    const told: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 100) {
      told.push(jsonView.push(bytes.subarray(at, at + 100)));
      const toldBytes = told.reduce((sum, piece) => sum + piece.length, 0);
      expect(at - toldBytes).toBeLessThan(700);
    }
    const seen = small.replace('"nginx"', `"nginx"${nginx}`);
    expect(Buffer.concat([...told, jsonView.end()]).toString()).toBe(`{"items":[${seen},${large},${seen}]}`);
  });
});

function viewPieces(pieces: readonly Buffer[], layout: JsonLayout): string {
  const jsonView = new JsonView(pods, layout);
  return Buffer.concat([...pieces.map((piece) => jsonView.push(piece)), jsonView.end()]).toString();
}
