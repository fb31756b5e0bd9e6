/** Flux objects of a test as JSON, which manifests may be written in. */
export function fluxObjects(objects: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
}

interface Meta {
  readonly name: string;
  readonly namespace: string;
  readonly [field: string]: unknown;
}

const reflector = "image.toolkit.fluxcd.io/v1";

export function imageRepository(metadata: Meta, spec: object): object {
  return { apiVersion: reflector, kind: "ImageRepository", metadata, spec: { interval: "1h", ...spec } };
}

export function imagePolicy(metadata: Meta, spec: object): object {
  return { apiVersion: reflector, kind: "ImagePolicy", metadata, spec };
}

export function imageUpdateAutomation(metadata: Meta, spec: object): object {
  return {
    apiVersion: reflector,
    kind: "ImageUpdateAutomation",
    metadata,
    spec: { interval: "1h", ...spec },
  };
}

export function gitRepository(metadata: Meta, spec: object): object {
  return {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata,
    spec: { interval: "1h", ...spec },
  };
}

const notifier = "notification.toolkit.fluxcd.io/v1beta3";

export function alert(metadata: Meta, spec: object): object {
  return { apiVersion: notifier, kind: "Alert", metadata, spec };
}

export function provider(metadata: Meta, spec: object): object {
  return { apiVersion: notifier, kind: "Provider", metadata, spec };
}

export function secret(metadata: Meta, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: "v1", kind: "Secret", metadata, stringData };
}
