import { expect, test } from "vitest";
import { callRow, type RowArgument, type RowResult } from "../../../test/support/go-function.ts";

import { textEncodingFunctions } from "./text-encoding-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["b64enc", ["é\u0000"], "w6kA"],
  ["b64dec", ["QUI="], "AB"],
  ["b64dec", ["QU\nI=\n"], "AB"],
  ["b64dec", ["w6k="], "é"],
  ["b64dec", ["QUI"], "illegal base64 data at input byte 0"],
  ["b64dec", ["Q"], "illegal base64 data at input byte 0"],
  ["b64dec", ["QQ=A"], "illegal base64 data at input byte 2"],
  ["b64dec", ["="], "illegal base64 data at input byte 0"],
  ["b64dec", ["QQ="], "illegal base64 data at input byte 3"],
  ["b64dec", ["QQ==A"], "illegal base64 data at input byte 4"],
  ["b64dec", ["QU!D"], "illegal base64 data at input byte 2"],
  ["b64dec", ["Q==="], "illegal base64 data at input byte 1"],
  ["b64dec", ["____"], "illegal base64 data at input byte 0"],
  ["b64dec", ["QUJ\nD="], "illegal base64 data at input byte 5"],
  ["b32enc", ["foobar"], "MZXW6YTBOI======"],
  ["b32enc", [""], ""],
  ["b32dec", ["MZXW6YTBOI======"], "foobar"],
  ["b32dec", ["MZXW\n6==="], "foo"],
  ["b32dec", ["me======"], "illegal base32 data at input byte 0"],
  ["b32dec", ["MFRA"], "illegal base32 data at input byte 0"],
  ["b32dec", ["M======="], "illegal base32 data at input byte 1"],
  ["b32dec", ["MFR====="], "illegal base32 data at input byte 3"],
  ["b32dec", ["MFRGG1=="], "illegal base32 data at input byte 5"],
  ["b32dec", ["MFRGG=A="], "illegal base32 data at input byte 5"],
  ["b32dec", ["MFRGGZ=="], "illegal base32 data at input byte 6"],
  ["sha1sum", ["é"], "bf15be717ac1b080b4f1c456692825891ff5073d"],
  ["sha256sum", [""], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  [
    "sha512sum",
    ["a"],
    "1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75",
  ],
  ["adler32sum", ["Wikipedia"], "300286872"],
  ["adler32sum", [""], "1"],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(textEncodingFunctions, name, args)).toEqual(wanted);
});
