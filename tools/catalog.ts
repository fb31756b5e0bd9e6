export type ToolName = "helm3" | "helm4" | "crane" | "kustomize" | "registry" | "govulncheck";

/** A real component that tests run: a Go program pinned by `tools/<name>/go.mod` and `go.sum`. */
export interface Tool {
  /** The Go package of the program. */
  readonly package: string;
  /** The file name of the program. */
  readonly binary: string;
  /** Variables that the project's own release build sets, from the versions that go.mod pins. */
  readonly variables?: (versionOf: (module: string) => string) => Readonly<Record<string, string>>;
}

/** `registry` is docker's registry; `crane registry serve` is the in-memory one. */
export const tools: Readonly<Record<ToolName, Tool>> = {
  helm3: {
    package: "helm.sh/helm/v3/cmd/helm",
    binary: "helm",
    variables: (versionOf) => {
      const minor = kubernetesMinor(versionOf("k8s.io/client-go"));
      return {
        "helm.sh/helm/v3/internal/version.version": versionOf("helm.sh/helm/v3"),
        "helm.sh/helm/v3/internal/version.metadata": "",
        "helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor": "1",
        "helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor": minor,
        "helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor": "1",
        "helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor": minor,
      };
    },
  },
  helm4: {
    package: "helm.sh/helm/v4/cmd/helm",
    binary: "helm",
    variables: (versionOf) => ({
      "helm.sh/helm/v4/internal/version.version": versionOf("helm.sh/helm/v4"),
      "helm.sh/helm/v4/internal/version.metadata": "",
    }),
  },
  crane: { package: "github.com/google/go-containerregistry/cmd/crane", binary: "crane" },
  kustomize: { package: "sigs.k8s.io/kustomize/kustomize/v5", binary: "kustomize" },
  registry: { package: "github.com/distribution/distribution/v3/cmd/registry", binary: "registry" },
  govulncheck: { package: "golang.org/x/vuln/cmd/govulncheck", binary: "govulncheck" },
};

export const toolNames: readonly ToolName[] = Object.keys(tools) as ToolName[];

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}

/** client-go v0.N belongs to Kubernetes 1.N (Helm's Makefile counts the same way). */
function kubernetesMinor(clientVersion: string): string {
  return clientVersion.split(".")[1] ?? "";
}
