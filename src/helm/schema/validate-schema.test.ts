import { FairleadError } from "../../core/error.ts";
import { RenderBudget } from "../go/context.ts";
import { describe, expect, test } from "vitest";
import { loadYamlMap } from "../../yaml/load.ts";
import { validateSchema } from "./validate-schema.ts";

// What Helm's ValidateAgainstSingleSchema says, in 3.22 as in 4.3; where its order is random, by name.
test.each<[schema: string, values: string, message: string]>([
  [
    String.raw`{"properties":{"a":{"maximum":65535,"minimum":1.5}}}`,
    "a: 70000",
    "- at '/a': maximum: got 70,000, want 65,535\n",
  ],
  [
    String.raw`{"properties":{"a":{"maximum":65535,"minimum":1.5}}}`,
    "a: 0.12345",
    "- at '/a': minimum: got 0.12345, want 1.5\n",
  ],
  [
    String.raw`{"properties":{"a":{"maximum":1}}}`,
    "a: 1234567.891234",
    "- at '/a': maximum: got 1.234567891234×10⁰⁶, want 1\n",
  ],
  [String.raw`{"properties":{"a":{"maximum":1}}}`, "a: 1.5e25", "- at '/a': maximum: got 1.5×10²⁵, want 1\n"],
  [
    String.raw`{"properties":{"a":{"minimum":1}}}`,
    "a: -1.5e-9",
    "- at '/a': minimum: got -1.5×10⁻⁰⁹, want 1\n",
  ],
  [String.raw`{"properties":{"a":{"minimum":1}}}`, "a: -70000", "- at '/a': minimum: got -70,000, want 1\n"],
  [String.raw`{"properties":{"a":{"maximum":1}}}`, "a: 1e20", "- at '/a': maximum: got 1×10²⁰, want 1\n"],
  [String.raw`{"properties":{"a":{"maximum":1}}}`, "a: 1e21", "- at '/a': maximum: got 1×10²¹, want 1\n"],
  [
    String.raw`{"properties":{"a":{"maximum":1}}}`,
    "a: 123456789012",
    "- at '/a': maximum: got 1.23456789012×10¹¹, want 1\n",
  ],
  [
    String.raw`{"properties":{"a":{"minLength":12345}}}`,
    "a: x",
    "- at '/a': minLength: got 1, want 12,345\n",
  ],
  [
    String.raw`{"properties":{"a":{"multipleOf":0.1}}}`,
    "a: 0.35",
    "- at '/a': multipleOf: got 0.35, want 0.1\n",
  ],
  [
    String.raw`{"properties":{"a":{"enum":[1.0,1e3,"x",null,true,1000000]}}}`,
    "a: 7",
    "- at '/a': value must be one of 1.0, 1e3, 'x', <nil>, true, 1000000\n",
  ],
  [String.raw`{"properties":{"a":{"const":1.50}}}`, "a: 7", "- at '/a': value must be 1.50\n"],
  [String.raw`{"properties":{"a":{"enum":[[1],2]}}}`, "a: 7", "- at '/a': 'enum' failed\n"],
  [
    String.raw`{"properties":{"a":{"type":["string","null","integer"]}}}`,
    "a: 1.5",
    "- at '/a': got number, want null or integer or string\n",
  ],
  [
    String.raw`{"type":"object","required":["b","c"],"properties":{"a":{"type":"string"}}}`,
    "a: 1",
    "- at '': missing properties 'b', 'c'\n- at '/a': got number, want string\n",
  ],
  [
    String.raw`{"type":"strin"}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/type': 'anyOf' failed\n    - at '/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n    - at '/type': got string, want array",
  ],
  [
    String.raw`{"required":true,"properties":{"a":{"type":"strin","minLength":-1}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a': validation failed\n      - at '/properties/a/minLength': minimum: got -1, want 0\n      - at '/properties/a/type': 'anyOf' failed\n        - at '/properties/a/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n        - at '/properties/a/type': got string, want array\n  - at '/required': got boolean, want array",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","required":true,"properties":{"a":{"type":"strin","minLength":-1}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'http://json-schema.org/draft-07/schema#'\n- at '/properties/a': validation failed\n  - at '/properties/a/minLength': 'allOf' failed\n    - at '/properties/a/minLength': minimum: got -1, want 0\n  - at '/properties/a/type': 'anyOf' failed\n    - at '/properties/a/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n    - at '/properties/a/type': got string, want array\n- at '/required': got boolean, want array",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-04/schema#","required":[],"properties":{"a":{"exclusiveMinimum":3}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'http://json-schema.org/draft-04/schema#'\n- at '/properties/a': validation failed\n  - at '/properties/a': properties 'minimum' required, if 'exclusiveMinimum' exists\n  - at '/properties/a/exclusiveMinimum': got number, want boolean\n- at '/required': minItems: got 0, want 1",
  ],
  [
    String.raw`{"$ref":"#/definitions/x"}`,
    "a: 1",
    'json-pointer in "file:///values.schema.json#/definitions/x" not found',
  ],
  [
    String.raw`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string","maxLength":1}}}`,
    "a: 1",
    "- at '/a': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"pattern":"^b","maxLength":1}}}`,
    "a: cc",
    "- at '/a': validation failed\n  - at '/a': maxLength: got 2, want 1\n  - at '/a': 'cc' does not match pattern '^b'\n",
  ],
  [String.raw`{"properties":{"a":{"$ref":"urn:foo:bar"}}}`, "a: 1", ""],
  [
    String.raw`{"properties":{"a":{"$ref":"#foo"}}}`,
    "a: 1",
    'anchor in "file:///values.schema.json#foo" not found in schema "file:///values.schema.json"',
  ],
  [
    String.raw`{"properties":{"a":{"pattern":"(?=x)"}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a/pattern': '(?=x)' is not valid regex: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
  ],
  [
    String.raw`{"properties":{"a":{"pattern":"a{2000}"}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a/pattern': 'a{2000}' is not valid regex: error parsing regexp: invalid repeat count: `{2000}`",
  ],
  [
    String.raw`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}}`,
    "a: 1",
    "- at '/a': 'anyOf' failed\n  - at '/a': got number, want string\n  - at '/a': got number, want boolean\n",
  ],
  [
    String.raw`{"properties":{"a":{"oneOf":[{"type":"number"},{"type":"integer"}]}}}`,
    "a: 1",
    "- at '/a': 'oneOf' failed, subschemas 0, 1 matched\n",
  ],
  [
    String.raw`{"properties":{"a":{"oneOf":[{"type":"string"},{"properties":{"x":{"type":"string"},"y":false}}]}}}`,
    "a: {x: 1, y: 2}",
    "- at '/a': 'oneOf' failed, none matched\n  - at '/a': got object, want string\n  - at '/a/x': got number, want string\n",
  ],
  [String.raw`{"properties":{"a":{"not":{"type":"number"}}}}`, "a: 1", "- at '/a': 'not' failed\n"],
  [
    String.raw`{"properties":{"a":{"allOf":[{"type":"string"},{"minimum":3}]}}}`,
    "a: 1",
    "- at '/a': 'allOf' failed\n  - at '/a': got number, want string\n  - at '/a': minimum: got 1, want 3\n",
  ],
  [String.raw`{"additionalProperties":false}`, "a: 1", "- at '': additional properties 'a' not allowed\n"],
  [
    String.raw`{"additionalProperties":false}`,
    "a'b\"c: 1",
    "- at '': additional properties 'a\\'b\"c' not allowed\n",
  ],
  [
    String.raw`{"propertyNames":{"pattern":"^x"}}`,
    "a: 1",
    "- at '': invalid propertyName 'a'\n  - at '': 'a' does not match pattern '^x'\n",
  ],
  [
    String.raw`{"properties":{"a":{"items":{"type":"string"},"uniqueItems":true,"maxItems":1}}}`,
    "a: [1, 1]",
    "- at '/a': maxItems: got 2, want 1\n- at '/a': items at 0 and 1 are equal\n- at '/a/0': got number, want string\n- at '/a/1': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"contains":{"type":"string"},"minContains":2,"maxContains":3}}}`,
    "a: [1, x]",
    "- at '/a': min 2 items required to match contains schema, but matched 1 items at 1\n  - at '/a/0': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"contains":{"type":"string"}}}}`,
    "a: [1]",
    "- at '/a': no items match contains schema\n  - at '/a/0': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`,
    "a: [x, 1]",
    "- at '/a/1': false schema\n",
  ],
  [
    String.raw`{"properties":{"a/b~c":{"type":"string"}}}`,
    "a/b~c: 1",
    "- at '/a~1b~0c': got number, want string\n",
  ],
  [String.raw`{"unevaluatedProperties":false,"properties":{"b":{}}}`, "a: 1", "- at '/a': false schema\n"],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"ipv4"}}}`,
    "a: x",
    "- at '/a': 'x' is not valid ipv4: expected four decimals\n",
  ],
  [String.raw`{"properties":{"a":{"format":"ipv4"}}}`, "a: x", ""],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"if":{"type":"string"},"then":{"maxLength":1},"else":{"type":"boolean"}}}}`,
    "a: 1",
    "- at '/a': got number, want boolean\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b","c"]}}`,
    "a: 1",
    "- at '': properties 'b', 'c' required, if 'a' exists\n",
  ],
  [
    String.raw`{"dependentRequired":{"a":["b","c"]}}`,
    "a: 1",
    "- at '': properties 'b', 'c' required, if 'a' exists\n",
  ],
  [
    String.raw`{"allOf":[{"$ref":"#"}]}`,
    "a: 1",
    "- at '': 'allOf' failed\n  - at '': both /allOf/0/$ref and  resolve to \"file:///values.schema.json#\" causing reference cycle\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}],"additionalItems":false}}}`,
    "a: [x, 1, 2]",
    "- at '/a': last 2 additionalItem(s) not allowed\n",
  ],
  [String.raw`true`, "a: 1", ""],
  [String.raw`false`, "a: 1", "- at '': false schema\n"],
  [
    String.raw`[]`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': got array, want boolean or object",
  ],
  [
    String.raw`{"properties":{"a":{"type":"string"},"b":{"properties":{"c":{"type":"string"},"d":{"type":"string"}}}}}`,
    "{a: 1, b: {c: 1, d: 1}}",
    "- at '/a': got number, want string\n- at '/b': validation failed\n  - at '/b/c': got number, want string\n  - at '/b/d': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"$ref":"#/$defs/c"},"c":{"type":"string"}}}`,
    "a: 1",
    "- at '/a': got number, want string\n",
  ],
  [
    String.raw`{"$id":"https://example.com/root.json","properties":{"a":{"$ref":"x.json"}},"$defs":{"b":{"$id":"x.json","type":"string"}}}`,
    "a: 1",
    "- at '/a': got number, want string\n",
  ],
  [
    String.raw`{"properties":{"a":{"type":"string","minLength":"x"}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a/minLength': got string, want integer",
  ],
  [
    String.raw`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"type":[]}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/b': 'allOf' failed\n    - at '/properties/b/type': 'anyOf' failed\n      - at '/properties/b/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n      - at '/properties/b/type': minItems: got 0, want 1",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/x/y"}},"x":{"y":{"type":"strng"}}}`,
    "a: 1",
    "\"file:///values.schema.json#/x/y\" is not valid against metaschema: jsonschema validation failed with 'http://json-schema.org/draft-07/schema#'\n- at '/type': 'anyOf' failed\n  - at '/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n  - at '/type': got string, want array",
  ],
  [
    String.raw`{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"a":{"type":"strng","format":3}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2019-09/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a/type': 'anyOf' failed\n      - at '/properties/a/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n      - at '/properties/a/type': got string, want array\n    - at '/properties/a/format': got number, want string",
  ],
  [
    String.raw`{"properties":{"a":{"pattern":"["}}}`,
    "a: 1",
    "\"file:///values.schema.json#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n  - at '/properties/a': 'allOf' failed\n    - at '/properties/a/pattern': '[' is not valid regex: error parsing regexp: missing closing ]: `[`",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"email"}}}`,
    "a: a b@c.de",
    "- at '/a': 'a b@c.de' is not valid email: invalid character ' '\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"date"}}}`,
    "a: '2020-13-01'",
    "- at '/a': '2020-13-01' is not valid date: parsing time \"2020-13-01\": month out of range\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"date-time"}}}`,
    "a: '2020-01-01 12:00:00Z'",
    "- at '/a': '2020-01-01 12:00:00Z' is not valid date-time: 11th character must be t or T\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"time"}}}`,
    "a: '12:30:60Z'",
    "- at '/a': '12:30:60Z' is not valid time: invalid leap second\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"duration"}}}`,
    "a: P1M1Y",
    "- at '/a': 'P1M1Y' is not valid duration: unit 'Y' out of order\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"period"}}}`,
    "a: P1Y/x",
    "- at '/a': 'P1Y/x' is not valid period: invalid end date-time: less than 20 characters long\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"hostname"}}}`,
    "a: ex_ample",
    "- at '/a': 'ex_ample' is not valid hostname: invalid character '_'\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"uri"}}}`,
    "a: a/b",
    "- at '/a': 'a/b' is not valid uri: relative url\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"uri"}}}`,
    "a: 'http://a b'",
    "- at '/a': 'http://a b' is not valid uri: parse \"http://a b\": invalid character \" \" in host name\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"uri-template"}}}`,
    "a: '/a/{b'",
    "- at '/a': '/a/{b' is not valid uri-template: no matching closing brace\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"uuid"}}}`,
    "a: 123e4567-e89b",
    "- at '/a': '123e4567-e89b' is not valid uuid: must have 5 elements\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"semver"}}}`,
    "a: 1.2.3-a.01",
    "- at '/a': '1.2.3-a.01' is not valid semver: pre-release numeric identifier starts with zero\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"json-pointer"}}}`,
    "a: /a~2",
    "- at '/a': '/a~2' is not valid json-pointer: ~ must be followed by 0 or 1\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"regex"}}}`,
    "a: '('",
    "- at '/a': '(' is not valid regex: error parsing regexp: missing closing ): `(`\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"ipv6"}}}`,
    "a: fe80::1%eth0",
    "- at '/a': 'fe80::1%eth0' is not valid ipv6: zone id is not a part of ipv6 address\n",
  ],
  [
    String.raw`{"properties":{"a":{"minProperties":2,"maxProperties":0}}}`,
    "a: {b: 1}",
    "- at '/a': minProperties: got 1, want 2\n- at '/a': maxProperties: got 1, want 0\n",
  ],
  [
    String.raw`{"properties":{"a":{"dependentSchemas":{"b":{"required":["c"]}}}}}`,
    "a: {b: 1}",
    "- at '/a': missing property 'c'\n",
  ],
  [
    String.raw`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`,
    "{a: 1, b: 2}",
    "- at '/b': false schema\n",
  ],
  [
    String.raw`{"properties":{"a":{"prefixItems":[{}],"unevaluatedItems":{"type":"string"}}}}`,
    "a: [1, 2]",
    "- at '/a/1': got number, want string\n",
  ],
  [
    String.raw`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"maximum":3,"exclusiveMaximum":true}}}`,
    "a: 3",
    "- at '/a': exclusiveMaximum: got 3, want 3\n",
  ],
  [
    String.raw`{"properties":{"a":{"exclusiveMinimum":3}}}`,
    "a: 3",
    "- at '/a': exclusiveMinimum: got 3, want 3\n",
  ],
  [
    String.raw`{"properties":{"a":{"patternProperties":{"^x":{"type":"string"}},"additionalProperties":{"type":"boolean"}}}}`,
    "a: {x1: 1, z: 1}",
    "- at '/a/x1': got number, want string\n- at '/a/z': got number, want boolean\n",
  ],
  [
    String.raw`{"$defs":{"n":{"$anchor":"node","type":"object","properties":{"next":{"$ref":"#node"}}}},"properties":{"a":{"$ref":"#node"}}}`,
    "a: {next: {next: 1}}",
    "- at '/a/next/next': got number, want object\n",
  ],
])("%s of %j", (schema, values, message) => {
  expect(validateSchema(loadYamlMap(values).value, schema)?.message ?? "").toBe(message);
});

describe("what is not fetched", () => {
  test.each([
    [
      "a metaschema",
      '{"$schema": "http://json-schema.org/draft-09/schema#"}',
      "http://json-schema.org/draft-09/schema",
    ],
    ["a schema of the web", '{"$ref": "https://example.com/x.json#/a"}', "https://example.com/x.json"],
    ["a file", '{"$ref": "other.json"}', "file:///other.json"],
  ])("%s", (_name, schema, address) => {
    expect(validateSchema({}, schema)).toEqual({
      message: `failing loading "${address}": schemas outside the chart are not fetched`,
      hint: expect.stringContaining("--skip-schema-validation") as string,
    });
  });
});

test.each(["{nope", "{} x", ""])("%j is no schema", (schema) => {
  expect(validateSchema({}, schema)?.message).toMatch(/JSON/u);
});

test("keys with a meaning in JavaScript are keys like others", () => {
  const schema = '{"properties": {"__proto__": {"type": "string"}}, "required": ["constructor"]}';
  const { value } = loadYamlMap("__proto__: 1");
  expect(validateSchema(value, schema)?.message).toBe(
    "- at '': missing property 'constructor'\n- at '/__proto__': got number, want string\n",
  );
});

/** Schemas that each refer to the next, so many times. */
function chainOf(length: number, times: number): string {
  const definitions = Object.fromEntries(
    Array.from({ length }, (_, index) => {
      const next = { $ref: `#/definitions/d${index + 1}` };
      return [`d${index}`, { allOf: Array.from({ length: times }, () => next) }];
    }),
  );
  return JSON.stringify({ $ref: "#/definitions/d0", definitions: { ...definitions, [`d${length}`]: {} } });
}

test.each([
  ["whose references multiply", chainOf(40, 2)],
  ["whose references go deep", chainOf(20_000, 1)],
  ["with a very long pattern", JSON.stringify({ properties: { a: { pattern: "(a|b)".repeat(300_000) } } })],
  [
    "with many counted repeats",
    JSON.stringify({ properties: { a: { pattern: "[ab]{1000}".repeat(2000) } } }),
  ],
])("a schema %s ends at a limit", (_name, schema) => {
  const budget = new RenderBudget({ maxSteps: 1_000_000 });
  expect(() => validateSchema({ a: "a" }, schema, budget)).toThrow(FairleadError);
});

test("a pattern that backtracks elsewhere is linear", () => {
  const schema = JSON.stringify({ properties: { a: { pattern: "^(a+)+$" } } });
  expect(validateSchema({ a: `${"a".repeat(50_000)}!` }, schema)?.message).toContain(
    "does not match pattern",
  );
});
