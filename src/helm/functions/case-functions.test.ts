import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";

import { caseFunctions } from "./case-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["upper", ["aé ß ŉ ǆ ᾳ ა"], "AÉ ß ŉ Ǆ ᾼ Ა"],
  ["lower", ["AÉ İ ΑΣ ǅ"], "aé i ασ ǆ"],
  ["title", ["hello wOrld a_b c-d é.è 1a"], "Hello WOrld A_b C-D É.È 1a"],
  ["title", ["ǆa ა ßx"], "ǅa ა ßx"],
  ["untitle", ["Hello WORLD Éa"], "hello wORLD éa"],
  ["swapcase", ["This Is a.Test ǅ Éa"], "tHIS iS A.tEST ǆ éA"],
  ["initials", ["First Try"], "FT"],
  ["initials", ["élan  x"], "Ãx"],
  ["camelcase", ["http_server"], "HttpServer"],
  ["camelcase", ["_complex__case_"], "_Complex_Case_"],
  ["camelcase", ["GOLANG_IS-great now"], "GolangIsGreatNow"],
  ["camelcase", ["--"], "---"],
  ["camelcase", ["a"], "A"],
  ["camelcase", ["éa_éb"], "ÉaÉb"],
  ["snakecase", ["FirstName"], "first_name"],
  ["snakecase", ["HTTPServer"], "http_server"],
  ["snakecase", ["NoHTTPS"], "no_https"],
  ["snakecase", ["GO PATH-x"], "go_path_x"],
  ["snakecase", ["http2xx"], "http_2xx"],
  ["snakecase", ["HTTP20xOK"], "http_20x_ok"],
  ["snakecase", ["Duration2m3s"], "duration_2m3s"],
  ["snakecase", ["Bld4Floor3rd"], "bld4_floor_3rd"],
  ["snakecase", ["http2"], "http2"],
  ["snakecase", ["a.B!C"], "a.b!c"],
  ["snakecase", ["__a__B"], "__a__b"],
  ["snakecase", ["日本Text"], "日本_text"],
  ["snakecase", ["9x9Y"], "9x9_y"],
  ["kebabcase", ["aB_cD"], "a-b-c-d"],
  ["kebabcase", ["release-name-1A"], "release-name-1-a"],
  ["kebabcase", ["a2-3b"], "a2-3b"],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(caseFunctions, name, args)).toEqual(wanted);
});

test("a text that has its case already is handed on", () => {
  for (const name of ["lower", "kebabcase", "untitle"]) {
    const text = valueText("nginx", "image");
    expect(callFunction(caseFunctions, name, [text], { tracking: true })).toBe(text);
  }
});
