/** The flags, width and precision of one verb of a format. */
export interface Directive {
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** `%+v`: with the names of fields. */
  readonly plusV: boolean;
  /** `%#v`: as Go would write the value. */
  readonly sharpV: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** What `%v` has. */
export const plainDirective: Directive = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
};

/** Whether a verb has neither flags nor width nor precision. */
export function isPlain(directive: Directive): boolean {
  return Object.values(directive).every((part) => part === false || part === undefined);
}

/** Whether missing width is filled up with zeros, which Go does on the left only. */
export function padsWithZeros({ zero, minus }: Directive): boolean {
  return zero && !minus;
}
