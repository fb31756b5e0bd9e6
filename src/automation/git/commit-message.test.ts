import { describe, expect, test } from "vitest";
import { renderCommitMessage } from "./commit-message.ts";
import { type MessageChange, type MessageSubject, RemovedTemplateFieldError } from "./message-data.ts";

const web = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const api = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "api" };
const bare = {
  apiVersion: "kustomize.config.k8s.io/v1beta1",
  kind: "Kustomization",
  namespace: "",
  name: "",
};

function change(file: string, object: MessageChange["object"], oldValue: string): MessageChange {
  return { file, object, oldValue, newValue: "img:2", setter: "flux-system:app" };
}

const subject: MessageSubject = {
  automation: { namespace: "flux-system", name: "images" },
  changes: [
    change("b.yaml", web, "img:1"),
    change("a/ü.yaml", web, "img:1"),
    change("a/ü.yaml", api, "img:0"),
    change("kustomization.yaml", bare, ""),
  ],
  values: { env: "prod", ümlaut: "ä" },
};

describe("the message of a commit", () => {
  test.each<[name: string, template: string | undefined, expected: string]>([
    ["by default", undefined, "Update from image update automation"],
    ["of an empty template", "", "Update from image update automation"],
    ["names the automation", "{{ .AutomationObject }}", "flux-system/images"],
    ["and its parts", "{{ .AutomationObject.Name }} {{ .AutomationObject.Namespace }}", "images flux-system"],
    ["has values", "{{ .Values.env }} {{ .Values.ümlaut | upper }}", "prod Ä"],
    [
      "lists changes, each once",
      "{{ range .Changed.Changes }}{{ .Setter }}: {{ .OldValue }} -> {{ .NewValue }}\n{{ end }}",
      "flux-system:app: img:1 -> img:2\nflux-system:app: img:0 -> img:2\nflux-system:app:  -> img:2\n",
    ],
    [
      "lists files with their objects",
      `{{ range $filename, $objchange := .Changed.FileChanges -}}
- File: {{ $filename }}
{{ range $resource, $changes := $objchange -}}
{{ "  " }}- {{ $resource.Kind }}/{{ $resource.Namespace }}/{{ $resource.Name }}
{{ range $_, $change := $changes }}{{ "    " }}{{ $change.OldValue }} -> {{ $change.NewValue }}
{{ end -}}{{ end -}}{{ end }}`,
      `- File: a/ü.yaml
  - Deployment/shop/api
    img:0 -> img:2
  - Deployment/shop/web
    img:1 -> img:2
- File: b.yaml
  - Deployment/shop/web
    img:1 -> img:2
- File: kustomization.yaml
  - Kustomization//
     -> img:2
`,
    ],
    [
      "lists objects",
      "{{ range $resource, $_ := .Changed.Objects }}{{ $resource.APIVersion }} {{ $resource.Name }};{{ end }}",
      "apps/v1 api;apps/v1 web;kustomize.config.k8s.io/v1beta1 ;",
    ],
    ["reads JSON as Sprig does", '{{ fromJson "[1]" | len }} {{ fromJson "{" }}', "1 <no value>"],
    ["keeps blanks", " a \n\n", " a \n\n"],
  ])("%s", (_name, template, expected) => {
    expect(renderCommitMessage(template, subject)).toBe(expected);
  });

  test.each<[name: string, template: string, expected: RegExp]>([
    [
      "does not parse",
      "{{ .Changed",
      /the template of the commit message: .*commit message:1: unclosed action/u,
    ],
    ["names what is not there", "{{ .Other }}", /can't evaluate field Other in type source\.TemplateData/u],
    ["calls a function of Helm", "{{ toYaml .Values }}", /function "toYaml" not defined/u],
    ["asks for the time", "{{ now }}", /function "now" not defined/u],
    ["draws lots", "{{ randAlpha 3 }}", /function "randAlpha" not defined/u],
  ])("is refused where it %s", (_name, template, expected) => {
    expect(() => renderCommitMessage(template, subject)).toThrow(expected);
  });

  test.each<[template: string, field: string]>([
    ["{{ range .Updated.Images }}{{ end }}", ".Updated"],
    ["{{ range .Changed.ImageResult.Images }}{{ end }}", ".Changed.ImageResult"],
  ])("is refused where it uses what is gone: %s", (template, field) => {
    expect(() => renderCommitMessage(template, subject)).toThrow(RemovedTemplateFieldError);
    expect(() => renderCommitMessage(template, subject)).toThrow(`the removed field ${field}`);
    expect(renderCommitMessage(`{{ if false }}${template}{{ end }}`, subject)).toBe("");
  });

  test("ends at a limit", () => {
    const template = `{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}`;
    expect(() => renderCommitMessage(template, subject)).toThrow(/depth|deeply|steps/u);
    expect(() =>
      renderCommitMessage('{{ range until 100000 }}{{ repeat 1000 "x" }}{{ end }}', subject),
    ).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
  });
});
