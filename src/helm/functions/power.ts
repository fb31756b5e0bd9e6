/**
 * 10 to a whole power as Go's math.Pow works it out, by squaring: beyond 10**22 its last bits can differ from
 * the nearest float, which JavaScript's `**` gives.
 */
export function powerOfTen(power: number): number {
  if (power === 0) return 1;
  let mantissa = 1;
  let exponent = 0;
  let square = 0.625;
  let squareExponent = 4;
  for (let rest = Math.abs(power); rest >= 1; rest = Math.floor(rest / 2)) {
    if (squareExponent > 4096) {
      exponent += squareExponent;
      break;
    }
    if (rest % 2 === 1) {
      mantissa *= square;
      exponent += squareExponent;
    }
    square *= square;
    squareExponent *= 2;
    if (square < 0.5) {
      square += square;
      squareExponent -= 1;
    }
  }
  return power < 0 ? timesPowerOfTwo(1 / mantissa, -exponent) : timesPowerOfTwo(mantissa, exponent);
}

/** In two steps, since the power alone may be out of range where the product is not. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
