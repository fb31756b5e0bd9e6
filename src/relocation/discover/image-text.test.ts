import { describeFound } from "../../../test/support/found-images.ts";

describeFound("what is never an image", [
  { name: "URLs", values: "image: https://example.com/logo.png\nurl: https://quay.io/a/b:1", found: [] },
  {
    name: "Harbor's externalURL",
    values: "externalURL: https://core.harbor.domain\nexternalHost: core.harbor.domain",
    found: [],
  },
  {
    name: "repositories of Git and Helm",
    values: `gitRepository: github.com/org/repo
git: {repository: github.com/org/repo, tag: v1}
chartRepository: charts.example.com/stable
helm: {repository: 'https://charts.example.com', version: '1'}
source: {repoURL: 'git@github.com:org/repo.git', tag: v1}
templateRepository: {repository: org/templates, tag: v1}`,
    found: [],
  },
  {
    name: "a backup repository",
    values: "backup: {repository: s3-backups, schedule: daily}\nsnapshotRepository: nightly",
    found: [],
  },
  {
    name: "GraphDB: a repository without a tag",
    values: "graphdb: {repository: worker, ruleset: owl-horst}",
    found: [],
  },
  {
    name: "roleRef",
    values: "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: 'system:node'}",
    found: [],
  },
  {
    name: "pull policies and pull secrets",
    values: "imagePullPolicy: IfNotPresent\nimagePullSecrets: [{name: regcred}]\nimagePullSecret: regcred",
    found: [],
  },
  { name: "switches", values: "useImage: 'yes'\npullImage: always\nskipImages: 'true'", found: [] },
  { name: "hosts with ports", values: "database: db.example.com:5432\nendpoint: quay.io:443", found: [] },
  { name: "files and logos", values: "backgroundImage: img/back.png\nlogoImage: a/logo.svg", found: [] },
  { name: "prose", values: "notes: use quay.io/a/b:1 here\nimageHelp: 'the image, in full'", found: [] },
  { name: "several lines", values: "script: |\n  docker pull quay.io/a/b:1\n  run it\n", found: [] },
  { name: "an empty image", values: "image: ''\nother: {image: {repository: '', tag: ''}}", found: [] },
  { name: "a map where a name is expected", values: "image: {repository: {name: a}, tag: '1'}", found: [] },
  { name: "numbers and booleans", values: "image: 5\nother: {image: true}", found: [] },
  { name: "a label's key", values: "nodeSelector: {kubernetes.io/os: linux}", found: [] },
  { name: "an API version", values: "rbac: {apiVersion: rbac.authorization.k8s.io/v1}", found: [] },
]);
