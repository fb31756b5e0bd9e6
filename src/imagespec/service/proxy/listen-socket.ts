import { once } from "node:events";
import { lstatSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { connect } from "node:net";
import path from "node:path";
import { FairleadError, messageOf } from "../../../core/error.ts";
import { makeFolders } from "../../../core/make-folders.ts";

/**
 * Lets a server listen on a unix socket that its owner alone may use. A socket that a dead process has left is
 * replaced.
 * @param socket its absolute path
 * @throws FairleadError `config-invalid` where something else has the place
 */
export async function listenOnSocket(server: Pick<Server, "listen" | "once">, socket: string): Promise<void> {
  const refuse = (reason: string, cause?: unknown): FairleadError =>
    new FairleadError("config-invalid", `cannot listen on ${socket}: ${reason}`, { cause });
  try {
    makeFolders(path.dirname(socket), 0o700);
    const there = lstatSync(socket, { throwIfNoEntry: false });
    if (there !== undefined && !there.isSocket()) throw refuse("it is no socket");
    if (there !== undefined) {
      if (await isAnswered(socket)) throw refuse("another process listens there");
      rmSync(socket, { force: true });
    }
    // Sockets have no mode before they are there, and are used as soon as they are.
    const mask = process.umask(0o177);
    let listening: Promise<unknown>;
    try {
      listening = once(server as Server, "listening");
      server.listen(socket);
    } finally {
      process.umask(mask);
    }
    await listening;
  } catch (error) {
    throw error instanceof FairleadError ? error : refuse(messageOf(error), error);
  }
}

async function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socket);
    client.once("connect", () => {
      client.destroy();
      resolve(true);
    });
    client.once("error", () => resolve(false));
  });
}
