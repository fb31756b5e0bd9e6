import { mergeValueSources } from "../../helm/values/merge.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { readInput } from "../output/read-input.ts";
import type { ChartOptions } from "./chart-options.ts";

const maxValuesBytes = 16 * 1024 * 1024;
