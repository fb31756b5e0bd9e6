/** How a document of OpenAPI refers to a schema of its own: version 2 or 3. */
export type OpenApiForm = "v2" | "v3";

/** What a schema of a document may hold here. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly [extension: `x-${string}`]: unknown;
}

/** Names of the schemas that get the member `imageSpec`. */
export const containerSchemas: ReadonlySet<string> = new Set([
  "io.k8s.api.core.v1.Container",
  "io.k8s.api.core.v1.EphemeralContainer",
]);

const group = "dev.fairlead.imagespec.v1";

/** The schemas as Kubernetes writes its own, by their names. */
export function imageSpecSchemas(form: OpenApiForm): Readonly<Record<string, OpenApiSchema>> {
  return {
    [`${group}.ACISpec`]: {
      description: "ACISpec names an App Container Image (appc).",
      type: "object",
      required: ["name"],
      properties: {
        id: text(
          "ID of the image: `sha512-` and 128 hexadecimal digits. Where it is set, only that image is used.",
        ),
        name: text("Name of the image, from which it is discovered, such as `example.com/worker`."),
        tag: text("Version to discover. The latest one where neither tag nor id is set."),
      },
    },
    [`${group}.DockerImageSpec`]: {
      description: "DockerImageSpec names a Docker or OCI image in a registry.",
      type: "object",
      required: ["registry", "name"],
      properties: {
        digest: text(
          "Digest of the image: an algorithm, a colon and hexadecimal digits. It counts before the tag.",
        ),
        name: text("Path of the repository within the registry, in full, such as `library/nginx`."),
        registry: text("Host of the registry with its port if it has one; `docker.io` is Docker Hub."),
        tag: text("Tag of the image. Container runtimes take `latest` where neither tag nor digest is set."),
      },
    },
    [`${group}.ImageSpec`]: {
      description: "ImageSpec is a container's image as data. Exactly one of its members must be set.",
      type: "object",
      properties: {
        aci: {
          ...reference(
            form,
            "ACISpec",
            "The image as an App Container Image, for nodes that support the format.",
          ),
          ...retainKeys,
        },
        dockerImage: {
          ...reference(form, "DockerImageSpec", "The image as a Docker or OCI image in a registry."),
          ...retainKeys,
        },
      },
      "x-kubernetes-unions": [{ "fields-to-discriminateBy": { aci: "ACI", dockerImage: "DockerImage" } }],
    },
  };
}

/** The member `imageSpec` of a container. */
export function imageSpecProperty(form: OpenApiForm): OpenApiSchema {
  const description =
    "Image of the container as data, in place of the string in image. A request may set either of them; both are shown, and where an update changes one alone, the other follows.";
  return { ...reference(form, "ImageSpec", description), ...retainKeys };
}

/** A patch that sets one format must take the other away. */
const retainKeys = { "x-kubernetes-patch-strategy": "retainKeys" } as const;

function text(description: string): OpenApiSchema {
  return { description, type: "string" };
}

function reference(form: OpenApiForm, name: string, description: string): OpenApiSchema {
  return form === "v2"
    ? { description, $ref: `#/definitions/${group}.${name}` }
    : { description, allOf: [{ $ref: `#/components/schemas/${group}.${name}` }] };
}
