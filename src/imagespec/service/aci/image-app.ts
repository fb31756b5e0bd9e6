import type { Label } from "./ac-types.ts";
import type { JsonFields } from "./json-fields.ts";

/** How an image is run (appc specification, `app` of the image manifest). */
export interface AciApp {
  readonly exec: readonly string[];
  /** A name, a number, or the absolute path of a file whose owner is meant. */
  readonly user: string;
  readonly group: string;
  readonly workingDirectory: string | undefined;
  readonly environment: readonly Label[];
  readonly ports: readonly AciPort[];
}

/** Ports from `port` on, so many. */
interface AciPort {
  readonly protocol: string;
  readonly port: number;
  readonly count: number;
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_.-]*$/u;
const protocolPattern = /^[A-Za-z][A-Za-z0-9.-]{0,31}$/u;
const lastPort = 65_535;

/** Reads and checks the `app` of a manifest. @throws FairleadError `aci-invalid` */
export function readApp(fields: JsonFields): AciApp {
  for (const key of ["eventHandlers", "mountPoints", "isolators"]) fields.objects(key).forEach(checkName);
  for (const mount of fields.objects("mountPoints")) checkAbsolute(mount, "path", mount.text("path"));
  for (const handler of fields.objects("eventHandlers")) checkExec(handler);
  const workingDirectory = fields.optionalText("workingDirectory") || undefined;
  if (workingDirectory !== undefined) checkAbsolute(fields, "workingDirectory", workingDirectory);
  return {
    exec: checkExec(fields),
    user: readOwner(fields, "user"),
    group: readOwner(fields, "group"),
    workingDirectory,
    environment: fields.objects("environment").map(readVariable),
    ports: fields.objects("ports").map(readPort),
  };
}

function checkExec(fields: JsonFields): readonly string[] {
  const exec = fields.texts("exec");
  const [program] = exec;
  // Images of only files may leave it out.
  if (program !== undefined) checkAbsolute(fields, "exec[0]", program);
  if (exec.some((argument) => argument.includes("\0"))) throw fields.wrong("exec", "holds a NUL");
  return exec;
}

function checkName(fields: JsonFields): void {
  if (fields.text("name") === "") throw fields.wrong("name", "is empty");
}

function checkAbsolute(fields: JsonFields, key: string, path: string): void {
  if (!path.startsWith("/") || path.includes("\0")) throw fields.wrong(key, "is no absolute path");
}

function readOwner(fields: JsonFields, key: string): string {
  const owner = fields.text(key);
  if (owner === "" || /[:\0\n]/u.test(owner)) throw fields.wrong(key, "names nobody");
  return owner;
}

function readVariable(fields: JsonFields): Label {
  const name = fields.text("name");
  const value = fields.text("value");
  if (!variablePattern.test(name)) throw fields.wrong("name", "is no name of an environment variable");
  if (value.includes("\0")) throw fields.wrong("value", "holds a NUL");
  return { name, value };
}

function readPort(fields: JsonFields): AciPort {
  const protocol = fields.text("protocol");
  const port = fields.optionalCount("port") ?? 0;
  const count = fields.optionalCount("count") ?? 1;
  if (!namePattern.test(fields.text("name"))) throw fields.wrong("name", "is no AC name");
  if (!protocolPattern.test(protocol)) throw fields.wrong("protocol", "is no protocol");
  if (port < 1 || port > lastPort) throw fields.wrong("port", "is no port");
  if (count < 1 || port + count - 1 > lastPort) throw fields.wrong("count", "goes beyond the last port");
  return { protocol, port, count };
}
