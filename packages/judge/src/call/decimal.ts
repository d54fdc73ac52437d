/** The number of a JSON token, exactly: `(-1)^minus · digits · 10^exponent`, no zero at either end of `digits`. */
export interface Decimal {
  readonly minus: boolean;
  /** Empty for zero, and then the exponent is 0. */
  readonly digits: string;
  readonly exponent: bigint;
}

export function decimalOf(token: string): Decimal {
  const [mantissa = "", power = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return { minus: false, digits: "", exponent: 0n };
  let end = all.length;
  while (all.charCodeAt(end - 1) === 0x30) end--;
  const exponent = BigInt(power.replace("+", "")) - BigInt(fraction.length) + BigInt(all.length - end);
  return { minus: mantissa.startsWith("-"), digits: all.slice(0, end), exponent };
}

/** Negative where `a` is less than `b`, positive where it is more. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.digits === "" && b.digits === "") return 0;
  const [signA, signB] = [signOf(a), signOf(b)];
  return signA === signB ? signA * compareSizes(a, b) : signA - signB;
}

function signOf({ minus, digits }: Decimal): number {
  return digits === "" ? 0 : minus ? -1 : 1;
}

function compareSizes(a: Decimal, b: Decimal): number {
  const [topA, topB] = [a.exponent + BigInt(a.digits.length), b.exponent + BigInt(b.digits.length)];
  if (topA !== topB) return topA < topB ? -1 : 1;
  // Both begin at the same power of ten, and neither ends with a zero.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

export function isInteger({ exponent }: Decimal): boolean {
  return exponent >= 0n;
}

/** Whether `a` is `b` times an integer; `b` is not zero. Nothing is as long as 10^exponent on the way. */
export function isMultiple(a: Decimal, b: Decimal): boolean {
  if (a.digits === "") return true;
  const power = a.exponent - b.exponent;
  // The digits of `a` do not end with a zero, so they hold no factor of ten.
  if (power < 0n) return false;
  const divisor = BigInt(b.digits);
  return (BigInt(a.digits) * powerOfTen(power, divisor)) % divisor === 0n;
}

/** `10^exponent mod modulus`. */
function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = 10n % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
