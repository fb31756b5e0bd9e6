import { describe, expect, test } from "vitest";
import { workloadOfKind, workloadOfResource, workloads } from "./workloads.ts";

describe("workloads", () => {
  test.each([
    ["v1", "Pod", ""],
    ["v1", "PodTemplate", "template"],
    ["v1", "ReplicationController", "spec.template"],
    ["apps/v1", "Deployment", "spec.template"],
    ["apps/v1beta2", "StatefulSet", "spec.template"],
    ["batch/v1", "Job", "spec.template"],
    ["batch/v1", "CronJob", "spec.jobTemplate.spec.template"],
  ])("%s %s has its pod at '%s'", (apiVersion, kind, path) => {
    expect(workloadOfKind(apiVersion, kind)?.templatePath.join(".")).toBe(path);
  });

  test.each([
    ["v1", "Deployment"],
    ["apps/v1", "Pod"],
    ["apps/v1", "ControllerRevision"],
    ["", ""],
    ["example.com/v1", "Job"],
    ["v1", "constructor"],
  ])("%j %j is none", (apiVersion, kind) => {
    expect(workloadOfKind(apiVersion, kind)).toBeUndefined();
  });

  test.each(workloads)("$kind is known by its resource", (workload) => {
    expect(workloadOfResource(workload.group, workload.resource)).toBe(workload);
    expect(workloadOfResource("example.com", workload.resource)).toBeUndefined();
  });
});
