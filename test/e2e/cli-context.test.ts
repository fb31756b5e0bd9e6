import { describe } from "vitest";
import { all, createRowRunner, hub, nothing, target, web } from "../support/cli-rows.ts";

const rows = createRowRunner();

describe("values as context", () => {
  const context = { "extra.yaml": "web:\n  image: redis:7\nunrelated: kept out\n", "tag.txt": "3.1" };
  const redis = { web: { image: "harbor.example.com:5000/dockerio/library/redis:7" } };
  rows.run([
    { name: "-f", args: ["override", "chart", ...hub, "-f", "extra.yaml"], files: context, stdout: redis },
    {
      name: "--values",
      args: ["override", "chart", ...hub, "--values", "extra.yaml"],
      files: context,
      stdout: redis,
    },
    {
      name: "the last -f wins",
      args: ["override", "chart", ...hub, "-f", "extra.yaml", "-f", "last.yaml"],
      files: { ...context, "last.yaml": "web:\n  image: ghcr.io/a/b:1\n" },
      stdout: {},
    },
    {
      name: "--set beats -f",
      args: ["override", "chart", ...hub, "--set", "web.image=busybox:1,x={a,b}", "-f", "extra.yaml"],
      files: context,
      stdout: { web: { image: "harbor.example.com:5000/dockerio/library/busybox:1" } },
    },
    {
      name: "--set-string",
      args: ["override", "chart", ...all, "--set-string", "db.image.registry=docker.io"],
      stdout: { ...web, db: { image: { registry: "harbor.example.com:5000/dockerio" } } },
    },
    {
      name: "--set-file",
      args: ["override", "chart", ...hub, "--set-file", "db.image.tag=tag.txt"],
      files: context,
      stdout: web,
    },
    {
      name: "a missing values file",
      args: ["override", "chart", ...hub, "-f", "none.yaml"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["no such file or folder\n  at none.yaml"],
    },
    {
      name: "a values file that is no YAML",
      args: ["override", "chart", ...hub, "-f", "bad.yaml"],
      files: { "bad.yaml": "a: [1\n" },
      exitCode: 2,
      stdout: nothing,
      stderr: ["  at bad.yaml:"],
    },
    {
      name: "a values file that is a list",
      args: ["images", "chart", "-f", "l.yaml"],
      files: { "l.yaml": "- a\n" },
      exitCode: 2,
    },
    {
      name: "a folder as values file",
      args: ["images", "chart", "-f", "chart"],
      exitCode: 2,
      stderr: ["directory"],
    },
    {
      name: "a --set without value",
      args: ["images", "chart", "--set", "a"],
      exitCode: 2,
      stderr: ["a key has no value"],
    },
    {
      name: "a missing --set-file",
      args: ["images", "chart", "--set-file", "a=none"],
      exitCode: 2,
      stderr: ["none"],
    },
    {
      name: "a list of the user's own is not copied out",
      args: ["override", "chart", ...hub, "-f", "own.yaml"],
      files: { "own.yaml": "sidecars:\n  - image: busybox:1\n    token: hidden\n" },
      exitCode: 4,
      stdout: nothing,
      stderr: ["it stands in a list of your own values"],
    },
  ]);
});

describe("configuration and mappings", () => {
  const config = "target_registry: config.example.com\nsource_registries: [docker.io]\npath_strategy: flat\n";
  const mapping =
    "registries:\n  mappings:\n    - source: docker.io\n      target: mapped.example.com/hub\n    - source: quay.io\n      target: mapped.example.com/quay\n  defaultTarget: mapped.example.com\n";
  rows.run([
    {
      name: "--config in YAML",
      args: ["override", "chart", "--config", "c.yaml"],
      files: { "c.yaml": config },
      stdout: { web: { image: "config.example.com/library/nginx:1.23" } },
    },
    {
      name: "--config in JSON",
      args: ["override", "chart", "--config", "c.json"],
      files: { "c.json": '{"target_registry":"config.example.com","source_registries":["quay.io"]}' },
      stdout: { db: { image: { registry: "config.example.com/quayio" } } },
    },
    {
      name: "flags win over it",
      args: ["override", "chart", "--config", "c.yaml", ...all, "--path-strategy", "keep-registry"],
      files: { "c.yaml": config },
      stdout: {
        web: { image: "harbor.example.com:5000/docker.io/library/nginx:1.23" },
        db: { image: { registry: "harbor.example.com:5000/quay.io" } },
      },
    },
    {
      name: "it may exclude, with globs",
      args: ["override", "chart", "--config", "c.yaml", ...target, "-s", "*"],
      files: { "c.yaml": 'exclude_registries: ["qu*.io"]\n' },
      stdout: web,
    },
    {
      name: "an unknown key",
      args: ["override", "chart", "--config", "c.yaml", ...hub],
      files: { "c.yaml": "target_registry: a.example.com\nsurprise: true\n" },
      exitCode: 2,
      stdout: nothing,
      stderr: ["Unknown key 'surprise'\n  at c.yaml:2:1"],
    },
    {
      name: "no such file",
      args: ["override", "chart", "--config", "none.yaml", ...hub],
      exitCode: 2,
      stderr: ["none"],
    },
    {
      name: "a folder",
      args: ["override", "chart", "--config", "chart", ...hub],
      exitCode: 2,
      stderr: ["directory"],
    },
    {
      name: "a device",
      args: ["override", "chart", "--config", "/dev/zero", ...hub],
      exitCode: 2,
      stderr: ["device"],
    },
    {
      name: "a config's threshold and strict",
      args: ["override", "chart", "--config", "c.yaml", ...hub],
      files: { "c.yaml": "strict: true\n" },
      values: "image:\n  repository: nginx\n  tag: 16\n",
      exitCode: 5,
      stdout: nothing,
    },
    {
      name: "--registry-mappings",
      args: ["override", "chart", "--registry-mappings", "m.yaml"],
      files: { "m.yaml": mapping },
      stdout: {
        web: { image: "mapped.example.com/hub/library/nginx:1.23" },
        db: { image: { registry: "mapped.example.com/quay" } },
      },
    },
    {
      name: "flags choose among the mapped sources",
      args: ["override", "chart", "--registry-mappings", "m.yaml", "-s", "quay.io"],
      files: { "m.yaml": mapping },
      stdout: { db: { image: { registry: "mapped.example.com/quay" } } },
    },
    {
      name: "a broken mapping",
      args: ["override", "chart", "--registry-mappings", "m.yaml"],
      files: { "m.yaml": "mappings:\n  - source: docker.io\n" },
      exitCode: 2,
      stderr: ["  at m.yaml:"],
    },
  ]);
});
