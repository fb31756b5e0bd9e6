import type { Socket } from "node:net";

/** Reads lines from a socket, one after another. */
export interface LineReader {
  /** The next line without its end. @throws Error when the connection ends before it */
  read(): Promise<string>;
  /** Leaves the socket to others. */
  release(): void;
}

const maxLineBytes = 1024 * 1024;

/** A reader for lines that end in CR LF. */
export function createLineReader(socket: Socket): LineReader {
  let buffered = "";
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  const onData = (chunk: Buffer): void => {
    buffered += chunk.toString("latin1");
    if (buffered.length > maxLineBytes) onError(new Error("the server sends a line without end"));
    wake?.();
  };
  const onError = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  const onClose = (): void => onError(new Error("the server closed the connection"));
  socket.on("data", onData).on("error", onError).on("close", onClose).on("end", onClose);
  return {
    read: async () => {
      for (;;) {
        const end = buffered.indexOf("\r\n");
        if (end >= 0) {
          const line = buffered.slice(0, end);
          buffered = buffered.slice(end + 2);
          return line;
        }
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    release: () => {
      socket.off("data", onData).off("error", onError).off("close", onClose).off("end", onClose);
      socket.pause();
    },
  };
}
