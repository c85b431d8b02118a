/**
 * A decimal number without rounding: `units` divided by ten to the power of `scale`. Sums of binary
 * fractions drift (0.1 + 0.2) and depend on their order. These sums do not.
 */
export interface ExactDecimal {
  readonly units: bigint;
  readonly scale: number;
}

export function whole(count: number): ExactDecimal {
  return { units: BigInt(count), scale: 0 };
}

export const ZERO = whole(0);

/**
 * Parses a plain decimal as the database writes it: `'-12.50'`. Throws RangeError for anything
 * else.
 */
export function decimalOf(text: string): ExactDecimal {
  const [, sign, digits, fraction = ''] = PLAIN.exec(text) ?? [];
  if (digits === undefined) throw new RangeError(`not a plain decimal: ${text}`);
  return { units: BigInt(`${sign}${digits}${fraction}`), scale: fraction.length };
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

export function sumOf(decimals: readonly ExactDecimal[]): ExactDecimal {
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale));
  return { units: decimals.reduce((sum, decimal) => sum + scaledTo(decimal, scale), 0n), scale };
}

export function times({ units, scale }: ExactDecimal, count: number): ExactDecimal {
  return { units: units * BigInt(count), scale };
}

/** Negative, zero or positive, as a sort wants it. */
export function compare(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  return Number(scaledTo(left, scale) - scaledTo(right, scale));
}

/** The closest number. */
export function toNumber(decimal: ExactDecimal): number {
  return quotient(decimal, whole(1));
}

/**
 * The number closest to the quotient. Both arguments must not be negative, and the divisor not
 * zero.
 */
export function quotient(dividend: ExactDecimal, divisor: ExactDecimal): number {
  const scale = Math.max(dividend.scale, divisor.scale);
  const [above, below] = [scaledTo(dividend, scale), scaledTo(divisor, scale)];
  const shift = Math.max(0, ENOUGH_DIGITS + digitsOf(below) - digitsOf(above));
  return Number(`${(above * 10n ** BigInt(shift)) / below}e-${shift}`);
}

/** More than the seventeen digits that distinguish any two numbers. */
const ENOUGH_DIGITS = 25;

function digitsOf(units: bigint): number {
  return units.toString().length;
}

function scaledTo({ units, scale }: ExactDecimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}
