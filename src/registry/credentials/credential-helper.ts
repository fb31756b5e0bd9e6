import { excerpt } from "../../core/escape.ts";
import { FairleadError } from "../../core/error.ts";
import { run } from "../../core/process.ts";
import { tryParseJsonObject } from "../json-body.ts";
import type { Credentials } from "../registry-api.ts";
import type { Environment } from "../transport/proxy-choice.ts";

/** Some helpers ask a cloud or a person. */
const timeoutMs = 60_000;
const maxOutputBytes = 256 * 1024;

/** How helpers say that they know nothing of a server; podman and docker take these for anonymous. */
const notFoundPattern = /credentials not found|no credentials (?:server URL|username)|could not be found/iu;

/**
 * Asks a credential helper, `docker-credential-NAME get`, which reads the server's name from standard input and
 * prints JSON (docker/docker-credential-helpers).
 * @param name the helper's name in a docker config
 * @returns undefined where the helper knows the server not
 * @throws FairleadError `credentials-invalid`, with no word of what the helper printed; `tool-missing`, `timeout`
 */
export async function askCredentialHelper(
  name: string,
  server: string,
  env: Environment,
): Promise<Credentials | undefined> {
  const program = programOf(name);
  const { exitCode, stdout } = await run(program, ["get"], {
    env: { ...env },
    stdin: server,
    timeoutMs,
    maxOutputBytes,
  });
  if (exitCode === 0) return readAnswer(stdout, program);
  if (notFoundPattern.test(stdout)) return undefined;
  throw new FairleadError("credentials-invalid", `${program} failed with exit code ${exitCode}`, {
    hint: `try it by hand: echo ${server} | ${program} get`,
  });
}

/** Only a bare name is looked for on PATH; anything else could name a program at any place. */
function programOf(name: string): string {
  if (/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/u.test(name)) return `docker-credential-${name}`;
  throw new FairleadError(
    "credentials-invalid",
    `the docker config names a credential helper ${JSON.stringify(excerpt(name))}, which is no name`,
    { hint: "a helper is the part of docker-credential-NAME behind the last dash, without a path" },
  );
}

function readAnswer(stdout: string, program: string): Credentials | undefined {
  const { Username: username = "", Secret: secret = "" } = tryParseJsonObject(Buffer.from(stdout)) ?? {
    Secret: 0,
  };
  if (typeof username !== "string" || typeof secret !== "string") {
    throw new FairleadError("credentials-invalid", `${program} does not answer as a credential helper does`);
  }
  if (secret === "") return undefined;
  if (username === "<token>") return { kind: "identity-token", token: secret };
  return { kind: "basic", username, password: secret };
}
