import type { JWTPayload, LocalJWKSet } from "jose";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { DeliveryTransport } from "../providers/provider.ts";
import { denied } from "./signature.ts";

/** Where a token must come from, and for whom it must be. */
export interface TokenExpectation {
  readonly issuers: readonly string[];
  /** The document with the keys; undefined: the one that the discovery of the one issuer names. */
  readonly keysUrl?: string;
  readonly audience: string;
}

export interface IdTokenVerifierOptions {
  readonly transport: DeliveryTransport;
  readonly nowMs: () => number;
}

interface KnownKeys {
  readonly keys: LocalJWKSet;
  readonly fetchedMs: number;
}

const keysAgeMs = 10 * 60_000;
/** A token with an unknown key has them fetched anew, but not more often. */
const cooldownMs = 30_000;
const maxIssuers = 100;
const maxDocumentBytes = 512 * 1024;
const maxTokenLength = 64 * 1024;
/** Signatures of keys that their owner alone has. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Verifies OpenID Connect's ID tokens with the keys of their issuers, which it keeps for a while. */
export class IdTokenVerifier {
  readonly #options: IdTokenVerifierOptions;
  readonly #known = new Map<string, Promise<KnownKeys>>();

  constructor(options: IdTokenVerifierOptions) {
    this.#options = options;
  }

  /**
   * The claims of a token that is signed, in time, and of whom and for whom it must be.
   * @throws FairleadError `access-denied`; `delivery-failed` where the keys cannot be had
   */
  async verify(token: string, expected: TokenExpectation): Promise<Readonly<Record<string, unknown>>> {
    if (token.length > maxTokenLength) throw denied("the token is too long");
    const source = expected.keysUrl ?? expected.issuers[0] ?? "";
    const known = await this.#keysOf(source, expected, keysAgeMs);
    try {
      return await this.#verifyWith(known, token, expected);
    } catch (error) {
      const isUnknownKey = (error as { code?: string }).code === "ERR_JWKS_NO_MATCHING_KEY";
      const isOld = this.#options.nowMs() - known.fetchedMs >= cooldownMs;
      if (!isUnknownKey || !isOld) throw toDenied(error);
    }
    const renewed = await this.#keysOf(source, expected, cooldownMs);
    try {
      return await this.#verifyWith(renewed, token, expected);
    } catch (error) {
      throw toDenied(error);
    }
  }

  async #verifyWith(
    { keys }: KnownKeys,
    token: string,
    { issuers, audience }: TokenExpectation,
  ): Promise<JWTPayload> {
    const { jwtVerify } = await import("jose");
    const { payload } = await jwtVerify(token, keys, {
      issuer: [...issuers],
      audience,
      algorithms,
      requiredClaims: ["exp"],
      currentDate: new Date(this.#options.nowMs()),
    });
    return payload;
  }

  async #keysOf(source: string, expected: TokenExpectation, maxAgeMs: number): Promise<KnownKeys> {
    const known = this.#known.get(source);
    if (known !== undefined) {
      const keys = await known;
      if (this.#options.nowMs() - keys.fetchedMs < maxAgeMs) return keys;
    }
    // Who asked meanwhile is answered with the same request.
    const current = this.#known.get(source);
    if (current !== undefined && current !== known) return current;
    if (this.#known.size >= maxIssuers) this.#known.clear();
    const fetched = this.#fetchKeys(source, expected);
    this.#known.set(source, fetched);
    fetched.catch(() => this.#known.get(source) === fetched && this.#known.delete(source));
    return fetched;
  }

  async #fetchKeys(source: string, { keysUrl }: TokenExpectation): Promise<KnownKeys> {
    const url = keysUrl ?? (await this.#discover(source));
    const document = await this.#fetchJson(url);
    const { createLocalJWKSet } = await import("jose");
    try {
      const keys = createLocalJWKSet(document as unknown as Parameters<typeof createLocalJWKSet>[0]);
      return { keys, fetchedMs: this.#options.nowMs() };
    } catch (cause) {
      throw new FairleadError("delivery-failed", "the keys of the issuer are none", { cause });
    }
  }

  async #discover(issuer: string): Promise<string> {
    const document = await this.#fetchJson(`${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`);
    if (document["issuer"] !== issuer) {
      throw new FairleadError("delivery-failed", "the discovery document is another issuer's");
    }
    const url = document["jwks_uri"];
    if (typeof url !== "string" || !/^https?:\/\//u.test(url)) {
      throw new FairleadError("delivery-failed", "the discovery document names no keys");
    }
    if (issuer.startsWith("https:") && !url.startsWith("https:")) {
      throw new FairleadError("delivery-failed", "the keys of the issuer are not fetched over plain http");
    }
    return url;
  }

  async #fetchJson(url: string): Promise<Readonly<Record<string, unknown>>> {
    const { status, body } = await this.#options.transport.send({
      method: "GET",
      url,
      headers: { accept: "application/json" },
      secrets: [],
      maxResponseBytes: maxDocumentBytes,
    });
    const value: unknown = status === 200 ? tryParse(body) : undefined;
    if (typeof value !== "object" || value === null) {
      throw new FairleadError("delivery-failed", `the issuer answers ${status} without a document`, {
        retryable: true,
      });
    }
    return value as Readonly<Record<string, unknown>>;
  }
}

function toDenied(error: unknown): FairleadError {
  return error instanceof FairleadError
    ? error
    : denied(`the token is refused: ${excerpt(messageOf(error))}`);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
