import type { FieldReader } from "../../objects/field-reader.ts";
import type { AutomationGit, ImageUpdateAutomation } from "./image-update-automation.ts";
import type { NamespacedReference, ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readGitRef } from "./read-git-repository.ts";
import { readLabelSelector } from "../../objects/read-label-selector.ts";
import { readLocalReference, readNamespacedReference } from "../../objects/read-meta.ts";

/** Templates and their values may be long. */
const longText = { maxLength: 256 * 1024 };

/** Reads an ImageUpdateAutomation. */
export function readImageUpdateAutomation(fields: FieldReader, meta: ObjectMeta): ImageUpdateAutomation {
  const spec = fields.requiredMap("spec");
  if (!spec.has("interval")) spec.problem("interval", "is required");
  const object: ImageUpdateAutomation = {
    kind: "ImageUpdateAutomation",
    meta,
    spec: {
      intervalMs: spec.duration("interval") ?? 0,
      sourceRef: readSourceRef(spec.requiredMap("sourceRef")),
      ...optionalField("policySelector", readLabelSelector(spec, "policySelector")),
      suspend: spec.boolean("suspend"),
      updatePath: readUpdatePath(spec),
      git: readGit(spec),
    },
  };
  spec.warnOfOthers();
  return object;
}

function readSourceRef(sourceRef: FieldReader): NamespacedReference {
  sourceRef.choice("kind", ["GitRepository"], "GitRepository");
  const reference = readNamespacedReference(sourceRef);
  sourceRef.text("apiVersion");
  sourceRef.warnOfOthers();
  return reference;
}

function readUpdatePath(spec: FieldReader): string {
  const update = spec.map("update");
  update?.choice("strategy", ["Setters"], "Setters");
  const path = update?.text("path") ?? "";
  update?.warnOfOthers();
  return path;
}

function readGit(spec: FieldReader): AutomationGit {
  const git = spec.requiredMap("git");
  const checkout = git.map("checkout");
  const checkoutRef = checkout && readGitRef(checkout);
  if (checkout?.has("ref") === false) checkout.problem("ref", "is required");
  checkout?.warnOfOthers();
  const read: AutomationGit = {
    ...optionalField("checkoutRef", checkoutRef),
    commit: readCommit(git.requiredMap("commit")),
    ...optionalField("push", readPush(git)),
  };
  git.warnOfOthers();
  return read;
}

function readCommit(commit: FieldReader): AutomationGit["commit"] {
  const author = commit.requiredMap("author");
  const signingKey = commit.map("signingKey");
  const secretRef = signingKey && readLocalReference(signingKey, "secretRef");
  if (signingKey !== undefined && secretRef === undefined) signingKey.problem("secretRef", "is required");
  const type = signingKey?.choice("type", ["gpg", "ssh"], "gpg") ?? "gpg";
  const read: AutomationGit["commit"] = {
    author: { email: author.requiredText("email"), ...optionalField("name", author.text("name")) },
    ...optionalField("messageTemplate", commit.text("messageTemplate", longText)),
    messageTemplateValues: commit.textMap("messageTemplateValues", longText),
    ...optionalField("signingKey", secretRef && { secretName: secretRef.name, type }),
  };
  for (const part of [author, signingKey, commit]) part?.warnOfOthers();
  return read;
}

function readPush(git: FieldReader): AutomationGit["push"] {
  const push = git.map("push");
  if (push === undefined) return undefined;
  const read = {
    ...optionalField("branch", push.text("branch")),
    ...optionalField("refspec", push.text("refspec")),
    options: push.textMap("options"),
  };
  push.warnOfOthers();
  return read;
}
