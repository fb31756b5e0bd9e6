import * as fc from "fast-check";
import { dumpYaml } from "../../../src/yaml/dump.ts";
import { arbitraryYamlMap } from "../../support/arbitrary-yaml.ts";

// Prints override files as JSON strings, for Go to read:
// node dump-samples.ts | go run . eval > cases-dump.jsonl
for (const value of fc.sample(arbitraryYamlMap(), { numRuns: 300, seed: 20261104 })) {
  console.log(JSON.stringify(dumpYaml(value)));
}
