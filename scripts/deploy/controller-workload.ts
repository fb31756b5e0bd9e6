import type { ControllerName } from "./access-rules.ts";

/** A Deployment of `fairlead controller`. */
export interface ControllerWorkload {
  /** Of the Deployment, its pods and a ServiceAccount of their own. */
  readonly name: string;
  readonly controllers: readonly ControllerName[];
  readonly args: readonly string[];
  /** Default: one of its own. */
  readonly serviceAccount?: string;
}

const image = "ghcr.io/fairlead/fairlead";
/** Nobody's, as images without a shell have it. */
const user = 65_532;
const portNames = { metrics: "http-prom", health: "healthz", events: "http", webhooks: "http-webhook" };

/** The arguments of every process. */
export const commonArgs: readonly string[] = [
  "--enable-leader-election",
  "--storage-path=/data",
  "--log-format=json",
];

/** The Deployment of a process, and its ServiceAccount where that is its own. */
export function workload({ name, controllers, args, serviceAccount }: ControllerWorkload): readonly object[] {
  const takesEvents = controllers.includes("notification");
  // Flux's Services and NetworkPolicies select pods that take events by this label.
  const app = takesEvents ? "notification-controller" : name;
  const labels = { app, "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "fairlead" };
  const container = {
    name: "manager",
    image,
    args: ["controller", ...args],
    env: [{ name: "RUNTIME_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
    ports: [
      { name: portNames.metrics, containerPort: 8080 },
      { name: portNames.health, containerPort: 9440 },
      ...(takesEvents
        ? [
            { name: portNames.events, containerPort: 9090 },
            { name: portNames.webhooks, containerPort: 9292 },
          ]
        : []),
    ],
    livenessProbe: { httpGet: { path: "/healthz", port: portNames.health }, initialDelaySeconds: 10 },
    readinessProbe: { httpGet: { path: "/readyz", port: portNames.health } },
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "1Gi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: "data", mountPath: "/data" },
      { name: "tmp", mountPath: "/tmp" },
    ],
  };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas: 1,
      // Two pods may not be able to mount one volume, and one alone leads.
      strategy: { type: "Recreate" },
      selector: { matchLabels: { "app.kubernetes.io/name": name } },
      template: {
        metadata: {
          labels,
          annotations: { "prometheus.io/scrape": "true", "prometheus.io/port": "8080" },
        },
        spec: {
          serviceAccountName: serviceAccount ?? name,
          terminationGracePeriodSeconds: 30,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            fsGroup: user,
            fsGroupChangePolicy: "OnRootMismatch",
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [container],
          volumes: [
            { name: "data", emptyDir: {} },
            { name: "tmp", emptyDir: {} },
          ],
        },
      },
    },
  };
  return serviceAccount === undefined
    ? [deployment, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } }]
    : [deployment];
}
