/**
 * Whether a number is a multiple of another one, both as decimals: 0.3 is a multiple of 0.1.
 *
 * @throws {TypeError} If the factor is 0 or less, which JSON Schema does not allow.
 */
export function isMultipleOf(value: number, factor: number): boolean {
  if (factor <= 0) throw new TypeError(`Cannot read a JSON Schema: multipleOf must be greater than 0, not ${factor}`);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [left, right] = [toDecimal(value), toDecimal(factor)];
  const exponent = Math.min(left.exponent, right.exponent);
  return scale(left, exponent) % scale(right, exponent) === 0n;
}

/** A number as `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
