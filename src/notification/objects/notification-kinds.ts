import type { ObjectKind } from "../../objects/object-kind.ts";
import type { Alert } from "./alert.ts";
import type { Provider } from "./provider.ts";
import { readAlert } from "./read-alert.ts";
import { readProvider } from "./read-provider.ts";
import { readReceiver } from "./read-receiver.ts";
import type { Receiver } from "./receiver.ts";

const group = "notification.toolkit.fluxcd.io";

export const alertKind: ObjectKind<Alert> = { group, versions: ["v1beta3", "v1"], read: readAlert };

export const providerKind: ObjectKind<Provider> = { group, versions: ["v1beta3", "v1"], read: readProvider };

export const receiverKind: ObjectKind<Receiver> = { group, versions: ["v1"], read: readReceiver };
