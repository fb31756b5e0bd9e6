import { type Readable, Transform, type TransformCallback } from "node:stream";
import { FairleadError } from "../../../core/error.ts";
import { brokeOff } from "../stream-end.ts";
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

/** A stream behind its source. To destroy either destroys the other, and a source that breaks off breaks it off. */
export function chainStreams<Next extends Transform>(source: Readable, next: Next): Next {
  const breakOff = (error?: Error): void => {
    next.destroy(error ?? new FairleadError("upstream-failed", "the API server's answer broke off"));
  };
  // Not by a pipeline: to that, a stream of HTTP/2 whose end has come is closed, though not all of it is read.
  source.on("error", breakOff);
  source.once("end", () => (brokeOff(source) ? breakOff() : next.end()));
  source.once("close", () => {
    if (!source.readableEnded) breakOff();
  });
  next.once("close", () => source.destroy());
  return source.pipe(next, { end: false });
}
