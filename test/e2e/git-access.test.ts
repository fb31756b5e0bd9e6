import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planCheckout } from "../../src/automation/git/checkout-plan.ts";
import { readGitAccess } from "../../src/automation/git/git-access.ts";
import { openWorkspace, type WorkspaceOptions } from "../../src/automation/git/git-workspace.ts";
import type { GitRepository } from "../../src/automation/objects/git-repository.ts";
import type { Secret } from "../../src/objects/secret.ts";
import { run } from "../../src/core/process.ts";
import { createAuthority } from "../support/certificates.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { createSshKey, type SshServer, startSshServer } from "../support/ssh-server.ts";
import { createTempDir, leftBehindBy, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const author = { name: "Fairlead", email: "fairlead@example.com" };
const passphrase = "open 'sesame' $HOME";
let folder: TempDir;
let repository: BareRepository;
let count = 0;

beforeAll(async () => {
  folder = await createTempDir("git-access");
  repository = await createBareRepository(path.join(folder.path, "r.git"), { "a.yaml": "a: 0\n" });
});

afterAll(() => folder.remove());

type Texts = Readonly<Record<string, string>>;

function secretOf(name: string, texts: Texts): Secret {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)]));
  return { kind: "Secret", meta: metaOf(name), type: "Opaque", data };
}

function metaOf(name: string): GitRepository["meta"] {
  return { namespace: "n", name, labels: {}, annotations: {}, generation: 1, where: {} };
}

interface Access {
  readonly secret?: Texts;
  readonly proxy?: Texts;
  readonly signingKey?: WorkspaceOptions["signingKey"];
  readonly inherited?: Texts;
}

/** Commits a change and pushes it, and gives the commit. */
async function change(url: string, { secret, proxy, signingKey, inherited = {} }: Access): Promise<string> {
  const secrets = new Map<string, Secret>();
  if (secret !== undefined) secrets.set("n/git", secretOf("git", secret));
  if (proxy !== undefined) secrets.set("n/proxy", secretOf("proxy", proxy));
  const object: GitRepository = {
    kind: "GitRepository",
    meta: metaOf("r"),
    spec: {
      url,
      timeoutMs: 20_000,
      provider: "generic",
      ...(secret === undefined ? {} : { secretRef: { name: "git" } }),
      ...(proxy === undefined ? {} : { proxySecretRef: { name: "proxy" } }),
    },
  };
  const workspace = await openWorkspace({
    access: readGitAccess(object, secrets),
    plan: planCheckout({ branch: "main" }, { commit: { author, messageTemplateValues: {} } }),
    updatePath: "",
    signingKey,
    timeoutMs: 20_000,
    inherited: { PATH: process.env["PATH"], ...inherited },
  });
  try {
    await workspace.checkOut(await workspace.readTips());
    await writeFile(path.join(workspace.tree, "a.yaml"), `a: ${(count += 1)}\n`);
    const commit = await workspace.commit({ paths: ["a.yaml"], message: "Change", author });
    expect(await workspace.push()).toEqual({ kind: "pushed" });
    expect(await repository.git("rev-parse", "main")).toBe(commit);
    return commit ?? "";
  } finally {
    await workspace.close();
  }
}

function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe("over http", () => {
  const username = "bot@example.com";
  const password = "p4ss: wörd/%";
  let server: GitHttpServer;

  async function serving<Result>(
    authorization: string,
    work: (url: string) => Promise<Result>,
  ): Promise<Result> {
    server = await startGitHttp({ root: folder.path, authorization });
    try {
      return await work(`${server.url}/r.git`);
    } finally {
      await server.stop();
    }
  }

  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

  test.each<[name: string, authorization: string, url: (url: string) => string, secret: Texts | undefined]>([
    ["a user and a password", basic, (url) => url, { username, password }],
    ["a bearer token", "Bearer t0ken", (url) => url, { bearerToken: "t0ken\n" }],
    ["a token as the user", "Basic dDBrZW46", (url) => url, { username: "t0ken" }],
    [
      "what stands in the URL",
      basic,
      (url) => url.replace("://", `://${encodeURIComponent(username)}:${encodeURIComponent(password)}@`),
      undefined,
    ],
  ])("with %s", async (_name, authorization, urlOf, secret) => {
    await serving(authorization, (url) => change(urlOf(url), secret === undefined ? {} : { secret }));
  });

  test.each<[name: string, secret: Texts | undefined, told: RegExp]>([
    ["a wrong password", { username, password: "wrong password" }, /Authentication failed/u],
    ["a wrong token", { bearerToken: "wrong-token" }, /could not read Username|Authentication failed/u],
    ["nothing", undefined, /could not read Username/u],
  ])("refuses %s and tells no secret", async (_name, secret, told) => {
    const message = await serving(basic, (url) =>
      messageOf(change(url, secret === undefined ? {} : { secret })),
    );
    expect(message).toMatch(told);
    expect(message).not.toMatch(/wrong/u);
  });

  test.each<[name: string, secret: Texts]>([
    ["a password", { username, password }],
    ["a token", { bearerToken: "t0ken" }],
  ])("gives %s to no other host that the server redirects to", async (_name, secret) => {
    const other = await startGitHttp({ root: folder.path, authorization: "Basic nobody" });
    const { createServer } = await import("node:http");
    const redirecting = createServer((request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url ?? ""}` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const address = redirecting.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const message = await messageOf(change(`http://127.0.0.1:${port}/r.git`, { secret }));
    expect(message).toMatch(/git ls-remote failed/u);
    const shown = other.requests.flatMap(({ headers }) => headers.authorization ?? []);
    expect(shown).toEqual([]);
    redirecting.close();
    await other.stop();
  });

  test("shows no secret among the arguments of programs", async () => {
    const place = path.join(folder.path, "recording");
    await mkdir(place);
    const log = path.join(place, "log");
    const script = `#!/bin/sh\necho "$@" >> '${log}'\nPATH="$REAL_PATH" exec git "$@"\n`;
    await writeFile(path.join(place, "git"), script.replace("$REAL_PATH", process.env["PATH"] ?? ""), {
      mode: 0o755,
    });
    const inherited = { PATH: `${place}:${process.env["PATH"] ?? ""}` };
    await serving("Bearer t0ken-of-mine", (url) =>
      change(url, { secret: { bearerToken: "t0ken-of-mine" }, inherited }),
    );
    await serving(basic, (url) => change(url, { secret: { username, password }, inherited }));
    const told = await readFile(log, "utf8");
    expect(told).toContain("ls-remote");
    for (const text of ["t0ken", password, encodeURIComponent(password), basic.slice("Basic ".length)]) {
      expect(told).not.toContain(text);
    }
  });

  test("through a proxy with a password", async () => {
    const expected = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    let passed = 0;
    const { createServer, request: send } = await import("node:http");
    const proxy = createServer((request, response) => {
      const { "proxy-authorization": authorization, ...headers } = request.headers;
      if (authorization !== expected) {
        response.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end();
        return;
      }
      passed += 1;
      const onwards = send(request.url ?? "", { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onwards);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = proxy.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await serving(basic, (url) =>
      change(url, {
        secret: { username, password },
        proxy: { address: `http://127.0.0.1:${port}`, username: "me", password: "p@ss" },
        inherited: { NO_PROXY: "127.0.0.1" },
      }),
    );
    expect(passed).toBeGreaterThan(3);
    proxy.close();
  });
});

await describeWithTools(["openssl"], "over https", ({ openssl }) => {
  test("with an authority and a client certificate of its own", async () => {
    const place = path.join(folder.path, "tls");
    await mkdir(place);
    const authority = await createAuthority(openssl, place, "authority");
    const issued = await authority.issue("server");
    const client = await authority.issue("client");
    const ca = await readFile(authority.certificateFile, "utf8");
    const server = await startGitHttp({
      root: folder.path,
      tls: {
        cert: await readFile(issued.certificateFile, "utf8"),
        key: await readFile(issued.keyFile, "utf8"),
        clientCa: ca,
      },
    });
    const url = `${server.url}/r.git`;
    const own = {
      "tls.crt": await readFile(client.certificateFile, "utf8"),
      "tls.key": await readFile(client.keyFile, "utf8"),
    };
    try {
      expect(await messageOf(change(url, { secret: own }))).toMatch(/certificate/u);
      expect(await messageOf(change(url, { secret: { "ca.crt": ca } }))).toMatch(/git ls-remote failed/u);
      await change(url, { secret: { "ca.crt": ca, ...own } });
    } finally {
      await server.stop();
    }
  });
});

await describeWithTools(["sshd"], "over ssh", ({ sshd }) => {
  let server: SshServer;
  let plain: { readonly identity: string; readonly publicKey: string };
  let locked: typeof plain;
  let stranger: typeof plain;
  const user = process.getuid?.() === 0 ? "root" : (process.env["USER"] ?? "");

  beforeAll(async () => {
    plain = await createSshKey(path.join(folder.path, "plain"));
    locked = await createSshKey(path.join(folder.path, "locked"), passphrase);
    stranger = await createSshKey(path.join(folder.path, "stranger"));
    const keys = [plain.publicKey, locked.publicKey];
    server = await startSshServer(sshd, path.join(folder.path, "sshd"), keys);
  });

  afterAll(() => server.stop());

  const url = (): string => `ssh://${user}@127.0.0.1:${server.port}${repository.path}`;

  test("with a key", async () => {
    await change(url(), { secret: { identity: plain.identity.trimEnd(), known_hosts: server.knownHosts } });
  });

  test("with a key that has a passphrase", async () => {
    const secret = { identity: locked.identity, known_hosts: server.knownHosts, password: passphrase };
    await change(url(), { secret });
  });

  test.each<[name: string, secret: () => Texts, told: RegExp]>([
    [
      "a host that is not known",
      () => ({ identity: plain.identity, known_hosts: `other.example.com ${stranger.publicKey}` }),
      /Host key verification failed/u,
    ],
    [
      "a host with another key",
      () => ({ identity: plain.identity, known_hosts: `[127.0.0.1]:${server.port} ${stranger.publicKey}` }),
      /Host key verification failed/u,
    ],
    [
      "a key that nobody knows",
      () => ({ identity: stranger.identity, known_hosts: server.knownHosts }),
      /Permission denied/u,
    ],
    [
      "a wrong passphrase",
      () => ({ identity: locked.identity, known_hosts: server.knownHosts, password: "wrong passphrase" }),
      /Permission denied/u,
    ],
    ["no known_hosts", () => ({ identity: plain.identity }), /has no known_hosts/u],
    ["no identity", () => ({ known_hosts: server.knownHosts }), /has no identity/u],
  ])("refuses %s", async (_name, secret, told) => {
    const message = await messageOf(change(url(), { secret: secret() }));
    expect(message).toMatch(told);
    expect(message).not.toContain("wrong passphrase");
  });

  test.each<[name: string, key: () => string, password: string]>([
    ["a key", () => plain.identity, ""],
    ["a key that has a passphrase", () => locked.identity, passphrase],
  ])("signs with %s", async (_name, key, password) => {
    const texts = { identity: key(), ...(password === "" ? {} : { password }) };
    const commit = await change(url(), {
      secret: { identity: plain.identity, known_hosts: server.knownHosts },
      signingKey: { type: "ssh", secret: secretOf("sign", texts) },
    });
    const allowed = path.join(folder.path, "allowed");
    await writeFile(allowed, `${author.email} ${password === "" ? plain.publicKey : locked.publicKey}`);
    const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${allowed}`];
    await repository.git(...settings, "verify-commit", commit);
  });
});

await describeWithTools(["gpg"], "signing with gpg", ({ gpg }) => {
  let server: GitHttpServer;

  beforeAll(async () => {
    server = await startGitHttp({ root: folder.path });
  });

  afterAll(() => server.stop());

  async function createKeys(secretPassphrase: string, users: readonly string[]): Promise<string> {
    const home = path.join(folder.path, `gpg${(count += 1)}`);
    await mkdir(home, { mode: 0o700 });
    const env = { PATH: process.env["PATH"], GNUPGHOME: home };
    const loopback = ["--batch", "--pinentry-mode", "loopback", "--passphrase", secretPassphrase];
    for (const user of users) {
      const made = await run(gpg, [...loopback, "--quick-generate-key", user, "ed25519", "sign"], { env });
      if (made.exitCode !== 0) throw new Error(made.stderr);
    }
    const { stdout } = await run(gpg, [...loopback, "--armor", "--export-secret-keys"], { env });
    await run("gpgconf", ["--kill", "all"], { env });
    return stdout;
  }

  test.each<[name: string, secretPassphrase: string]>([
    ["a key", ""],
    ["a key that has a passphrase", passphrase],
  ])("%s", async (_name, secretPassphrase) => {
    const key = await createKeys(secretPassphrase, ["Fairlead <fairlead@example.com>"]);
    const texts = { "git.asc": key, ...(secretPassphrase === "" ? {} : { passphrase: secretPassphrase }) };
    let commit = "";
    const left = await leftBehindBy(async () => {
      const signingKey = { type: "gpg", secret: secretOf("sign", texts) } as const;
      commit = await change(`${server.url}/r.git`, { signingKey });
    });
    expect(left).toEqual([]);
    const home = path.join(folder.path, `verify${(count += 1)}`);
    await mkdir(home, { mode: 0o700 });
    const env = { PATH: process.env["PATH"], GNUPGHOME: home };
    await run(gpg, ["--batch", "--import"], { env, stdin: key });
    const verified = await run("git", ["verify-commit", commit], { cwd: repository.path, env });
    await run("gpgconf", ["--kill", "all"], { env });
    expect(verified.stderr).toContain("Good signature");
  });

  test.each<[name: string, users: readonly string[], texts: (key: string) => Texts, told: RegExp]>([
    ["no key", ["a <a@example.com>"], () => ({}), /n\/sign of the signing key has no git\.asc/u],
    ["no text of gpg's", ["a <a@example.com>"], () => ({ "git.asc": "hello" }), /gpg cannot read/u],
    ["two keys", ["a <a@x.org>", "b <b@x.org>"], (key) => ({ "git.asc": key }), /more than one key/u],
    [
      "a wrong passphrase",
      ["a <a@example.com>"],
      (key) => ({ "git.asc": key, passphrase: "wrong passphrase" }),
      /git commit failed/u,
    ],
  ])("refuses %s", async (_name, users, texts, told) => {
    const key = await createKeys(passphrase, users);
    const signingKey = { type: "gpg", secret: secretOf("sign", texts(key)) } as const;
    const message = await messageOf(change(`${server.url}/r.git`, { signingKey }));
    expect(message).toMatch(told);
    expect(message).not.toContain("wrong passphrase");
  });
});
