import type { ImageReference } from "../reference/reference.ts";

/** Talks to registries by the OCI distribution specification; safe to use from many tasks at once. */
export interface RegistryClient {
  /**
   * Every tag of a repository, in the registry's order, without repetition.
   * @param repository its tag and digest are not looked at
   */
  listTags(repository: ImageReference, options?: RequestOptions): Promise<readonly string[]>;
  /** HEAD, or GET where the registry does not give the digest of a HEAD. @throws FairleadError `image-not-found` */
  headManifest(reference: ImageReference, options?: RequestOptions): Promise<ManifestDescriptor>;
  /** The manifest or index, checked against its digest. @throws FairleadError `image-not-found` */
  getManifest(reference: ImageReference, options?: RequestOptions): Promise<Manifest>;
  /** A blob of at most `maxBytes`, checked against its digest. @throws FairleadError `limit-exceeded` */
  getBlob(repository: ImageReference, digest: string, options: BlobOptions): Promise<Uint8Array>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries included; default: 60,000 ms. */
  readonly timeoutMs?: number | undefined;
}

export interface BlobOptions extends RequestOptions {
  readonly maxBytes: number;
}

/** An OCI descriptor of a manifest. */
export interface ManifestDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface Manifest extends ManifestDescriptor {
  readonly bytes: Uint8Array;
}

/** How a registry host is to be reached. */
export interface RegistryAccess {
  /** Plain http is taken, and certificates are not checked. Loopback hosts may use plain http without it. */
  readonly insecure?: boolean;
  /** PEM certificates that count beside the system's. */
  readonly ca?: string | Uint8Array | undefined;
  /** PEM client certificate and key. */
  readonly clientCertificate?:
    | { readonly cert: string | Uint8Array; readonly key: string | Uint8Array }
    | undefined;
  /** Default: the proxy that the environment names. */
  readonly proxy?: ProxySettings | undefined;
}

export interface ProxySettings {
  /** `http://`, `https://`, `socks5://` or `socks5h://`. */
  readonly address: string;
  readonly username?: string;
  readonly password?: string;
}

/** Finds the credentials for a repository; undefined: anonymous. */
export interface Keychain {
  find(repository: ImageReference): Promise<Credentials | undefined>;
}

export type Credentials =
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  /** An OAuth2 refresh token, from `identitytoken` of a docker config. */
  | { readonly kind: "identity-token"; readonly token: string }
  /** A Bearer token that the registry takes as it is, from `registrytoken` of a docker config. */
  | { readonly kind: "registry-token"; readonly token: string };
