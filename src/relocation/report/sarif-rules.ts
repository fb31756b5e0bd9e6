import type { DiagnosticCode } from "../../core/diagnostic.ts";

/** What each finding means, in one sentence: the rules of the SARIF report. */
export const diagnosticRules: Readonly<Record<DiagnosticCode, string>> = {
  "duplicate-key": "A key stands twice in one map; the last one counts, as in Helm.",
  "chart-oddity": "The chart holds something that Helm takes but that its author hardly meant.",
  "dependency-disabled": "A dependency is switched off, so nothing of it is rendered.",
  "values-type-conflict": "A parent and its subchart disagree on whether a value is a map.",
  "reference-unparsable": "A value looks like an image reference and cannot be read as one.",
  "unsupported-structure": "An image is written in a way that document 002 leaves unsupported.",
  "template-in-value": "A value holds template text, so no reference can be read from it.",
  "set-wins": "A --set flag sets a value that the override sets too, and Helm lets the flag win.",
  "spelling-differs": "One image is written in two ways, which lead to two targets.",
  "target-rule-broken": "A planned name breaks a naming rule of the target registry.",
  "target-collision": "Two sources would share one name at the target registry.",
  "side-setting-added": "The chart takes a moved image only with a further setting, which was added.",
  "image-not-moved": "An image in scope was not moved to the target registry.",
  "image-misplaced": "An image was rendered with another reference than the planned one.",
  "unexpected-change": "The override changes something other than an image reference.",
  "render-failed": "The chart does not render.",
  "not-rendered": "An image in the values was not found in what the chart renders.",
  "residual-incomplete":
    "The override and the residual plan together do not move an image, or change something else.",
  unverified: "Nothing has rendered the chart with the override.",
  "object-invalid": "An object breaks a rule of its kind.",
  "tag-unparsable": "A tag is no version or number.",
  "attribute-reserved": "A group of the pattern has a reserved name.",
  "attribute-unmatched": "An optional group took no part in the match.",
  "marker-unknown": "A marker names what does not exist.",
  "file-unparsable": "A file with markers is not valid YAML.",
  "file-refused": "A file is a link out of the tree, or no plain file.",
  "downgrade-refused": "The policy chooses an older version, which its annotation forbids.",
  "image-missing": "The target does not have the moved image.",
};
