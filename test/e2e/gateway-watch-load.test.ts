import { describeInformers } from "../support/informer-suite.ts";

await describeInformers("client-go through the gateway, at length", {
  objects: 1000,
  writesPerSecond: 200,
  seconds: 30,
});
