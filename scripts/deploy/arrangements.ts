import type { ControllerName } from "./access-rules.ts";
import { commonArgs, type ControllerWorkload, workload } from "./controller-workload.ts";
import { controllerNames, roleBinding } from "./roles.ts";

const single: ControllerWorkload = {
  name: "fairlead-controller",
  controllers: controllerNames,
  args: commonArgs,
};

const eventsAddress = "http://notification-controller.$(RUNTIME_NAMESPACE).svc.cluster.local./";

const split: readonly ControllerWorkload[] = controllerNames.map((controller) => ({
  name: `fairlead-${controller}`,
  controllers: [controller],
  args: [
    `--controllers=${controller}`,
    ...(controller === "notification" ? [] : [`--events-addr=${eventsAddress}`]),
    ...commonArgs,
  ],
}));

const shard: ControllerWorkload = {
  name: "fairlead-shard1",
  controllers: ["image-reflector", "image-automation"],
  args: [
    "--controllers=image-reflector,image-automation",
    "--watch-label-selector=sharding.fluxcd.io/key=shard1",
    `--events-addr=${eventsAddress}`,
    ...commonArgs,
  ],
  serviceAccount: single.name,
};

/** How processes and roles are arranged: path below `deploy/controllers`, and manifests. */
export function arrangements(): ReadonlyMap<string, readonly object[]> {
  return new Map([
    ["single/workload.yaml", [...workload(single), leaseBinding([single])]],
    ["bindings.yaml", bindings("ClusterRoleBinding", [single])],
    ["one-namespace/bindings.yaml", bindings("RoleBinding", [single])],
    ["shard/workload.yaml", workload(shard)],
    [
      "split/workloads.yaml",
      [...split.flatMap(workload), leaseBinding(split), ...bindings("ClusterRoleBinding", split)],
    ],
  ]);
}

function bindings(
  kind: "ClusterRoleBinding" | "RoleBinding",
  workloads: readonly ControllerWorkload[],
): readonly object[] {
  return controllerNames.map((controller) => roleBinding(kind, controller, namesOf(workloads, controller)));
}

function leaseBinding(workloads: readonly ControllerWorkload[]): object {
  return roleBinding("RoleBinding", "leader-election", namesOf(workloads));
}

function namesOf(workloads: readonly ControllerWorkload[], controller?: ControllerName): readonly string[] {
  return workloads
    .filter(({ controllers }) => controller === undefined || controllers.includes(controller))
    .map(({ name }) => name);
}
