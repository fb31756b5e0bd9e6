import { createPrivateKey, randomUUID, sign, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { CertificateFiles } from "./certificates.ts";
import { startHttpServer, type TestServer } from "./http-server.ts";
import { tokenIssuer, tokenService } from "./registry.ts";

/** What the token server was asked, in order. */
export interface TokenAsked {
  readonly method: string;
  readonly scope: string;
  readonly service: string;
  /** Who is meant: a user, `identity` for an identity token, or `anonymous`. */
  readonly who: string;
}

export interface TokenServer extends TestServer {
  readonly realm: string;
  readonly asked: readonly TokenAsked[];
}

export interface TokenServerOptions {
  /** The certificate that registries check tokens by, with its key on P-256. */
  readonly signer: CertificateFiles;
  readonly user: { readonly name: string; readonly password: string };
  /** A refresh token that stands for the user. */
  readonly identityToken: string;
  /** Whether those without credentials may read what begins with `public/`. */
  readonly publicPrefix?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** What `expires_in` says; default: 300. */
  readonly lifetimeSeconds?: number;
}

/** Gives tokens as distribution's token specification says: GET with Basic or nothing, POST for OAuth2. */
export async function startTokenServer(options: TokenServerOptions): Promise<TokenServer> {
  const signToken = await createSigner(options.signer);
  const asked: TokenAsked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fields = await readFields(request);
    const who = whoAsks(request, fields, options);
    const scope = fields.get("scope") ?? "";
    asked.push({ method: request.method ?? "", scope, service: fields.get("service") ?? "", who });
    response.setHeader("content-type", "application/json");
    if (who === "nobody") {
      // A careless server tells what it was given.
      const errors = [{ code: "UNAUTHORIZED", message: `not you: ${request.headers.authorization ?? ""}` }];
      response.writeHead(401).end(JSON.stringify({ errors }));
      return;
    }
    const isPublic = scope.startsWith(`repository:${options.publicPrefix ?? "public/"}`);
    const token = signToken(who, who !== "anonymous" || isPublic ? scope : "");
    const name = request.method === "POST" ? "access_token" : "token";
    response
      .writeHead(200)
      .end(JSON.stringify({ [name]: token, expires_in: options.lifetimeSeconds ?? 300 }));
  };
  const server = await startHttpServer((request, response) => void answer(request, response), options.tls);
  return { ...server, realm: `${server.url}/token`, asked };
}

async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  if (request.method === "POST") return new URLSearchParams(await text(request));
  return new URL(request.url ?? "/", "http://localhost").searchParams;
}

function whoAsks(request: IncomingMessage, fields: URLSearchParams, options: TokenServerOptions): string {
  if (request.method === "POST") {
    return fields.get("refresh_token") === options.identityToken ? "identity" : "nobody";
  }
  const { authorization } = request.headers;
  if (authorization === undefined) return "anonymous";
  const { name, password } = options.user;
  const expected = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
  return authorization === expected ? name : "nobody";
}

type SignToken = (subject: string, scope: string) => string;

/** Signs JSON Web Tokens with ES256; the certificate goes along, and registries trust it. */
async function createSigner({ certificateFile, keyFile }: CertificateFiles): Promise<SignToken> {
  const certificate = new X509Certificate(await readFile(certificateFile));
  const key = createPrivateKey(await readFile(keyFile, "utf8"));
  const header = { typ: "JWT", alg: "ES256", x5c: [certificate.raw.toString("base64")] };
  return (subject, scope) => {
    const [type, name, actions] = /^([^:]+):(.+):([^:]+)$/u.exec(scope)?.slice(1) ?? [];
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: tokenIssuer,
      aud: tokenService,
      sub: subject,
      iat: now,
      nbf: now - 10,
      exp: now + 300,
      jti: randomUUID(),
      access: type === undefined ? [] : [{ type, name, actions: actions?.split(",") }],
    };
    const signed = [header, claims].map(encodePart).join(".");
    const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
    return `${signed}.${signature.toString("base64url")}`;
  };
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
