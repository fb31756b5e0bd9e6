import { connect, type Socket } from "node:net";
import type { AddressGuard } from "../../core/address-guard.ts";

/**
 * Connects to a host that the guard lets through.
 * @throws FairleadError `address-refused`; the system's error; the reason of the signal
 */
export async function connectGuarded(
  { host, port }: { readonly host: string; readonly port: number },
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Socket> {
  guard.checkHost(host);
  signal.throwIfAborted();
  const socket = connect({ host: host.replace(/^\[(.*)\]$/u, "$1"), port, lookup: guard.lookup });
  // An error of its own: who reads the socket may write on it.
  const onAbort = (): void => void socket.destroy(new Error("the connection was given up"));
  signal.addEventListener("abort", onAbort, { once: true });
  // Whoever reads the socket is told as well; without anybody, an error would end the process.
  socket.on("error", () => undefined);
  socket.once("close", () => signal.removeEventListener("abort", onAbort));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return socket.setNoDelay(true);
}
