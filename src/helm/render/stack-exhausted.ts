import { channel, type Channel } from "node:diagnostics_channel";

/** Told, without a message, when a rendering ran out of JavaScript's stack: more of it may be enough. */
export const stackExhausted: Channel = channel("fairlead.stack-exhausted");
