/** A document as the gateway makes it, and the entity tag of what it was made of. */
interface CachedDocument {
  readonly tag: string;
  readonly body: Buffer;
}

/** The documents that were asked for last, by their paths, up to a number of bytes. */
export class DocumentCache {
  readonly #maxBytes: number;
  readonly #documents = new Map<string, CachedDocument>();
  #bytes = 0;

  constructor(maxBytes: number = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** The document of a path; undefined where it is not kept. */
  get(path: string): CachedDocument | undefined {
    const document = this.#documents.get(path);
    if (document === undefined) return undefined;
    this.#documents.delete(path);
    this.#documents.set(path, document);
    return document;
  }

  /** Keeps a document, and as many of the others as there is place for. */
  set(path: string, document: CachedDocument): void {
    this.#delete(path);
    this.#documents.set(path, document);
    this.#bytes += document.body.length;
    for (const oldest of this.#documents.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(path: string): void {
    this.#bytes -= this.#documents.get(path)?.body.length ?? 0;
    this.#documents.delete(path);
  }
}
