import type { ValuePath } from "./value-path.ts";
export function createLocator(
  _text: string,
): (path: ValuePath) => { line: number; column: number } | undefined {
  return () => undefined;
}
