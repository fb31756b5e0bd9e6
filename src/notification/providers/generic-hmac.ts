import { createHmac } from "node:crypto";
import { eventJson } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { eventRequest } from "./generic.ts";
import type { NotificationProvider } from "./provider.ts";
import { unusable } from "./request.ts";

/** Posts the event as JSON, with the HMAC-SHA256 of the body by the Secret's token. */
export const genericHmacProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    // The key is taken byte for byte, as the receiver has it.
    const key = settings.secret["token"] ?? "";
    if (key === "") throw unusable("the Secret of the provider has no token");
    const body = eventJson(notification);
    const digest = createHmac("sha256", key).update(body).digest("hex");
    const signature = { "x-signature": `sha256=${digest}` };
    await exchange(context, eventRequest(notification, settings, body, signature));
  },
};
