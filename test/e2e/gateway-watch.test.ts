import { describeInformers } from "../support/informer-suite.ts";

await describeInformers("client-go through the gateway", {
  objects: 300,
  writesPerSecond: 200,
  seconds: 10,
});
