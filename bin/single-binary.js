const path = require("node:path");
const { getAssetKeys, getRawAsset } = require("node:sea");
const { launch } = require("./launch.js");
const { readAsset, requireAsset } = require("./require-asset.js");

/** The compiled code of the bundle; a binary that was made for another platform than its maker's has none. */
const codeAsset = "fairlead.code";

// A link with the other program's name starts that one.
const program = path.basename(process.argv0) === "helm-image-override" ? "helm-image-override" : "fairlead";

void launch(program, () => ({
  ...readAsset("./fairlead.cjs"),
  require: requireAsset,
  code: getAssetKeys().includes(codeAsset) ? Buffer.from(getRawAsset(codeAsset)) : undefined,
}));
