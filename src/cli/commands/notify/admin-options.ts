import { Command } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { readInput } from "../../output/read-input.ts";

/** Where the JSON API listens by default. */
export const defaultAdminAddress = "127.0.0.1:9440";

/** How commands reach what is kept: the API of a server, or its file where none runs. */
export interface AdminOptions {
  readonly server?: string;
  readonly tokenFile?: string;
  readonly state?: string;
}

/** Adds {@link AdminOptions}. */
export function addAdminOptions(command: Command): Command {
  return command
    .option("--server <url>", `JSON API of the server (default: http://${defaultAdminAddress})`)
    .option("--token-file <file>", "what the JSON API asks for")
    .option("--state <file>", "SQLite file of a server that does not run, instead of a server");
}

/** The token of a file, without the line end. @throws FairleadError `input-unreadable`, `config-invalid` */
export async function readTokenFile(file: string): Promise<string> {
  const token = (await readInput(file)).trim();
  if (/^[\x21-\x7e]{16,}$/u.test(token)) return token;
  throw new FairleadError("config-invalid", "the file holds no token of at least 16 visible characters", {
    where: { file },
    hint: "make one with openssl rand -hex 32",
  });
}
