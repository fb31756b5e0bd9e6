import type { CustomKind } from "./kinds.ts";

/** What our readers and the API server judge differently, and why. */
export interface ReaderException {
  readonly reason: string;
  readonly kinds?: readonly CustomKind[];
  /** Matches the field, with its items as `[]`. */
  readonly field: RegExp;
  /** Matches what our reader says; without it the reader takes what the API server refuses. */
  readonly problem?: RegExp;
}

/** Flux's definitions admit what its controllers find wrong later, and so do ours: the object is Stalled. */
export const readerExceptions: readonly ReaderException[] = [
  {
    reason: "no object has such a name",
    field: /\.name$|Ref$|Ref\.namespace$|^serviceAccountName$/u,
    problem: /is not a name of|is longer than (?:253|63) characters/u,
  },
  { reason: "no API has such a version", field: /\.apiVersion$/u, problem: /is longer than 253 characters/u },
  { reason: "Stalled: ImageURLInvalid", kinds: ["ImageRepository"], field: /^image$/u, problem: /image/u },
  {
    reason: "Stalled: InvalidPolicy",
    kinds: ["ImagePolicy"],
    field: /^policy/u,
    problem: /holds none of semver, alphabetical and numerical/u,
  },
  {
    reason: "Stalled: InvalidSourceConfiguration",
    kinds: ["ImageUpdateAutomation"],
    field: /^git$/u,
    problem: /git is required/u,
  },
  {
    reason: "git takes no author without an address",
    kinds: ["ImageUpdateAutomation"],
    field: /^git\.commit\.author\.email$/u,
    problem: /is required/u,
  },
  {
    reason: "Stalled: InvalidPolicySelector",
    kinds: ["ImageUpdateAutomation"],
    field: /^policySelector/u,
    problem: /is none of In|is required|must be empty/u,
  },
  {
    reason: "a webhook would trigger every object of the namespace",
    kinds: ["Receiver"],
    field: /^resources/u,
    problem: /is required where the name is \*/u,
  },
  {
    reason: "an empty expression is no CEL, and an empty message tells nothing",
    kinds: ["Receiver"],
    field: /^oidcProviders/u,
    problem: /(?:expression|message|name) is required/u,
  },
  {
    reason: "Flux alone looks at these fields",
    kinds: ["GitRepository"],
    field: /^(?:interval|serviceAccountName)$/u,
  },
];
