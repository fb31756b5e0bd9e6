export type ToolName =
  | "helm3"
  | "helm4"
  | "crane"
  | "kustomize"
  | "registry"
  | "govulncheck"
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kubectl"
  | "flux";

/** A real component that tests run: a Go program pinned by `tools/<module>/go.mod` and `go.sum`. */
export interface Tool {
  /** The folder of its Go module, which may have several programs; default: the tool's name. */
  readonly module?: string;
  /** The Go package of the program. */
  readonly package: string;
  /** The file name of the program. */
  readonly binary: string;
  /** Variables that the project's own release build sets, from the versions that go.mod pins. */
  readonly variables?: (versionOf: (module: string) => string) => Readonly<Record<string, string>>;
  /** Files that the program embeds but its module lacks, by their paths; it is built with its module's own go.mod. */
  readonly embeds?: { readonly module: string; readonly files: Readonly<Record<string, string>> };
}

const kubernetesVersion: NonNullable<Tool["variables"]> = (versionOf) => {
  const version = versionOf("k8s.io/kubernetes");
  const [major = "", minor = ""] = version.slice(1).split(".");
  return {
    "k8s.io/component-base/version.gitVersion": version,
    "k8s.io/component-base/version.gitMajor": major,
    "k8s.io/component-base/version.gitMinor": minor,
  };
};

const fluxModule = "github.com/fluxcd/flux2/v2";

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
  etcd: { package: "go.etcd.io/etcd/server/v3", binary: "server" },
  "kube-apiserver": kubernetesTool("kube-apiserver"),
  "kube-controller-manager": kubernetesTool("kube-controller-manager"),
  kubectl: kubernetesTool("kubectl"),
  flux: {
    package: `${fluxModule}/cmd/flux`,
    binary: "flux",
    variables: (versionOf) => ({ "main.VERSION": versionOf(fluxModule).slice(1) }),
    // What `flux install` would apply is made at the release.
    embeds: { module: fluxModule, files: { "cmd/flux/manifests/none.yaml": "# none\n" } },
  },
};

export const toolNames: readonly ToolName[] = Object.keys(tools) as ToolName[];

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}

/** client-go v0.N belongs to Kubernetes 1.N (Helm's Makefile counts the same way). */
function kubernetesMinor(clientVersion: string): string {
  return clientVersion.split(".")[1] ?? "";
}

function kubernetesTool(name: string): Tool {
  return {
    module: "kubernetes",
    package: `k8s.io/kubernetes/cmd/${name}`,
    binary: name,
    variables: kubernetesVersion,
  };
}
