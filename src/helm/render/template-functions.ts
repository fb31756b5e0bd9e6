import type { HelmVersion } from "../chart/chart.ts";
import type { FunctionTable } from "../go/function.ts";
import { builtinFunctions } from "../template/builtins.ts";
import { caseFunctions } from "../functions/case-functions.ts";
import { certificateFunctions } from "../functions/certificate-functions.ts";
import { cryptoFunctions } from "../functions/crypto-functions.ts";
import { dateFunctions } from "../functions/date-functions.ts";
import { defaultFunctions } from "../functions/default-functions.ts";
import { dictFunctions } from "../functions/dict-functions.ts";
import { encodingFunctions, helm4EncodingFunctions } from "../functions/encoding-functions.ts";
import { helm4DurationFunctions } from "../functions/helm4-duration-functions.ts";
import { listFunctions } from "../functions/list-functions.ts";
import { mathFunctions } from "../functions/math-functions.ts";
import { networkFunctions } from "../functions/network-functions.ts";
import { pathFunctions } from "../functions/path-functions.ts";
import { randomFunctions } from "../functions/random-functions.ts";
import { reflectFunctions } from "../functions/reflect-functions.ts";
import { regexFunctions } from "../functions/regex-functions.ts";
import { semverFunctions } from "../functions/semver-functions.ts";
import { sequenceFunctions } from "../functions/sequence-functions.ts";
import { splitFunctions } from "../functions/split-functions.ts";
import { stringFunctions } from "../functions/string-functions.ts";
import { textEncodingFunctions } from "../functions/text-encoding-functions.ts";
import { trimFunctions } from "../functions/trim-functions.ts";
import { urlFunctions } from "../functions/url-functions.ts";
import { wrapFunctions } from "../functions/wrap-functions.ts";

const shared: FunctionTable = {
  ...builtinFunctions,
  ...caseFunctions,
  ...certificateFunctions,
  ...cryptoFunctions,
  ...dateFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...encodingFunctions,
  ...listFunctions,
  ...mathFunctions,
  ...networkFunctions,
  ...pathFunctions,
  ...randomFunctions,
  ...reflectFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...sequenceFunctions,
  ...splitFunctions,
  ...stringFunctions,
  ...textEncodingFunctions,
  ...trimFunctions,
  ...urlFunctions,
  ...wrapFunctions,
};

const helm4: FunctionTable = { ...shared, ...helm4DurationFunctions, ...helm4EncodingFunctions };

/** The functions that templates call by name, but for those that belong to a set of templates, such as `include`. */
export function templateFunctionsOf(helm: HelmVersion): FunctionTable {
  return helm === "helm3" ? shared : helm4;
}
