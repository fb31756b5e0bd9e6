import { mapImage, movesTo, pod, podChart, type ChartCase } from "./chart-case.ts";

function customResource(spec: string): string {
  return `apiVersion: acme.example/v1\nkind: Agent\nmetadata:\n  name: agent\nspec:\n  ${spec}\n`;
}

const unreadable = podChart(
  mapImage,
  "image: {registry: quay.io, repository: acme/app, tag: v1}\nother: {image: 'invalid::image'}\n",
);

const account = "123456789012";

/** Images that no value reaches, or none that can be found in the values: reported, never passed over. */
export const unreachableCases: readonly ChartCase[] = [
  {
    name: "a literal in a custom resource",
    files: {
      ...podChart("{{ .Values.image }}", "image: quay.io/acme/app:1\n"),
      "templates/agent.yaml": customResource("image: quay.io/acme/agent:1.0"),
    },
    moves: movesTo({ "quay.io/acme/app:1": "quayio/acme/app:1" }),
    exitCode: 4,
    says: [
      /quay\.io\/acme\/agent:1\.0 .*literal/u,
      /templates\/agent\.yaml:6/u,
      "CRITICAL: a-literal-in-a-custom-resource 1.0.0: 50.0% images matched (1/2 failed)",
    ],
  },
  {
    name: "a literal repository with a tag from values",
    files: podChart("quay.io/acme/agent:{{ .Values.tag }}", "tag: v1\n"),
    moves: {},
    exitCode: 4,
    says: [/quay\.io\/acme\/agent:v1 .*literal/u, /templates\/pod\.yaml:8/u],
  },
  {
    name: "a host built from account and region",
    files: podChart(
      "{{ .Values.account }}.dkr.ecr.{{ .Values.region }}.amazonaws.com/agent:1",
      `account: "${account}"\nregion: eu-west-1\n`,
    ),
    flags: ["--source-registries", "*"],
    moves: {},
    exitCode: 4,
    says: [`${account}.dkr.ecr.eu-west-1.amazonaws.com/agent:1 in Pod/main, container main is not moved`],
  },
  {
    name: "a list of the user's own values",
    files: podChart("{{ (first .Values.sidecars).image }}", "sidecars: []\n"),
    userFiles: { "user.yaml": "sidecars: [{image: quay.io/acme/sidecar:1}]\n" },
    valueFlags: ["--values", "user.yaml"],
    moves: {},
    exitCode: 4,
    says: [/quay\.io\/acme\/sidecar:1 .*not moved/u, "a list of your own values"],
  },
  {
    name: "a test pod with a literal",
    files: {
      ...podChart("{{ .Values.image }}", "image: quay.io/acme/app:1\n"),
      "templates/tests/test.yaml": pod("test", "docker.io/busybox:1.36", "{helm.sh/hook: test}"),
    },
    moves: movesTo({ "quay.io/acme/app:1": "quayio/acme/app:1" }),
    exitCode: 4,
    says: [/docker\.io\/busybox:1\.36 .*not moved/u],
  },
  {
    name: "a literal that the threshold forgives",
    files: {
      ...podChart("{{ .Values.image }}", "image: quay.io/acme/app:1\n"),
      "templates/agent.yaml": customResource("image: quay.io/acme/agent:1.0"),
    },
    flags: ["--threshold", "50"],
    moves: movesTo({ "quay.io/acme/app:1": "quayio/acme/app:1" }),
    says: ["CRITICAL", /quay\.io\/acme\/agent:1\.0 .*not moved/u],
  },
  {
    name: "a key that the template never reads",
    files: podChart(
      "quay.io/{{ .Values.image.repository }}:{{ .Values.image.tag }}",
      "image: {registry: quay.io, repository: acme/app, tag: v1}\n",
    ),
    moves: {},
    exitCode: 4,
    says: [/quay\.io\/acme\/app:v1 .*not moved/u],
  },
  {
    name: "a reference that cannot be read",
    files: unreadable,
    moves: movesTo({ "quay.io/acme/app:v1": "quayio/acme/app:v1" }),
    exitCode: 4,
    says: [
      "Cannot parse image reference 'invalid::image': invalid format",
      /values\.yaml:2:\d+ \(other\.image\)/u,
    ],
  },
  {
    name: "a reference that cannot be read, which the threshold forgives",
    files: unreadable,
    flags: ["--threshold", "50"],
    moves: movesTo({ "quay.io/acme/app:v1": "quayio/acme/app:v1" }),
    says: ["warning: Cannot parse image reference 'invalid::image': invalid format"],
  },
];
