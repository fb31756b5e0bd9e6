import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import type { JsonView } from "./json-view.ts";

class ViewStream extends Transform {
  readonly #view: JsonView;

  constructor(view: JsonView) {
    super();
    this.#view = view;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#tell(this.#view.push(chunk));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#tell(this.#view.end());
    done();
  }

  #tell(bytes: Buffer): void {
    if (bytes.length > 0) this.push(bytes);
  }
}

/** What a view makes of a stream. To destroy either stream destroys the other. */
export function viewStream(source: Readable, view: JsonView): Readable {
  return chainStreams(source, new ViewStream(view));
}

/** A stream behind its source. To destroy either destroys the other. */
export function chainStreams<Next extends Transform>(source: Readable, next: Next): Next {
  // What fails is told by the stream that is returned.
  pipeline(source, next, () => {});
  return next;
}
