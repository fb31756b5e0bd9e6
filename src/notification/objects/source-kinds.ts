/** The API group of each kind of object that sends events, as Alerts and Receivers may name them. */
export const sourceGroups: Readonly<Record<SourceKind, string>> = {
  Bucket: "source.toolkit.fluxcd.io",
  GitRepository: "source.toolkit.fluxcd.io",
  Kustomization: "kustomize.toolkit.fluxcd.io",
  HelmRelease: "helm.toolkit.fluxcd.io",
  HelmChart: "source.toolkit.fluxcd.io",
  HelmRepository: "source.toolkit.fluxcd.io",
  ImageRepository: "image.toolkit.fluxcd.io",
  ImagePolicy: "image.toolkit.fluxcd.io",
  ImageUpdateAutomation: "image.toolkit.fluxcd.io",
  OCIRepository: "source.toolkit.fluxcd.io",
  ArtifactGenerator: "source.extensions.fluxcd.io",
  ExternalArtifact: "source.toolkit.fluxcd.io",
};

export type SourceKind =
  | "Bucket"
  | "GitRepository"
  | "Kustomization"
  | "HelmRelease"
  | "HelmChart"
  | "HelmRepository"
  | "ImageRepository"
  | "ImagePolicy"
  | "ImageUpdateAutomation"
  | "OCIRepository"
  | "ArtifactGenerator"
  | "ExternalArtifact";

export const sourceKinds: readonly SourceKind[] = Object.keys(sourceGroups) as SourceKind[];
