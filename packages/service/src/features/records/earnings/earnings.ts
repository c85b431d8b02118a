import type { PlatformTier } from '@reliability/scoring';
import { versions } from '#domain/catalogues/versions.js';
import { fourDecimals } from '#domain/points.js';
import type { EarningsWindow } from './earningsWindow.js';
import {
  compare,
  decimalOf,
  type ExactDecimal,
  quotient,
  sumOf,
  times,
  toNumber,
  whole,
  ZERO,
} from './exactDecimal.js';

/**
 * The effect of an outcome on earnings. `attested`: positive and verified. `unverified`: positive,
 * claimed by its reporter alone. `disputed`: contested, or a breach with a dispute. Other outcomes
 * have no effect.
 */
export type EarningsKind = 'attested' | 'unverified' | 'disputed';

/**
 * The reports of one platform of one kind in one month. A month is split in two if the window
 * starts within it.
 */
export interface EarningsSum {
  /** Index of the platform. */
  readonly platform: number;
  /** UTC month in which the outcomes happened: `2026-03`. */
  readonly month: string;
  readonly kind: EarningsKind;
  /** If false, it counts only in the trailing twelve months. */
  readonly isInWindow: boolean;
  /** Number of outcomes with a value. */
  readonly valued: number;
  readonly unvalued: number;
  /** Exact sum of the values. Null if there are none. */
  readonly total: string | null;
}

export interface EarningsPlatform {
  readonly isSelf: boolean;
  /** The caller's own name. Null for other platforms. */
  readonly name: string | null;
  readonly trustTier: PlatformTier;
}

export type EarningsAttestation = ReturnType<typeof earningsAttestation>;

/**
 * The earnings attestation (RULES R7). A month without attested earnings is a month without
 * reports, not one without income. So mean, median and variation are over the months with earnings,
 * whose number is `monthsWithEarnings`.
 */
export function earningsAttestation(
  window: EarningsWindow,
  platforms: readonly EarningsPlatform[],
  sums: readonly EarningsSum[],
) {
  const ofKind = (kind: EarningsKind) => sums.filter((sum) => sum.isInWindow && sum.kind === kind);
  const [attested, unverified] = [ofKind('attested'), ofKind('unverified')];
  const earning = attested.filter(({ valued }) => valued > 0);
  const contributors = contributorsOf(platforms, earning);
  const months = window.months.map((month) => {
    const own = earning.filter((sum) => sum.month === month);
    const shares = contributors.flatMap((contributor) => shareOf(contributor, own) ?? []);
    return { month, total: grossOf(own), ...attestedOf(own), platforms: shares };
  });
  return {
    window: { from: window.from, to: window.to, months: months.length },
    currency: null,
    attested: amountOf(attested),
    months: months.map(({ total: _, ...month }) => month),
    platforms: contributors.map((contributor) => {
      const { name, trustTier } = contributor;
      return { ...identityOf(contributor), name, trustTier, ...attestedOf(ownOf(contributor, earning)) };
    }),
    stability: {
      ...stabilityOf(months.map(({ total }) => total)),
      trailing12mTotal: toNumber(grossOf(sums.filter((sum) => isTrailing(window, sum)))),
    },
    unverifiedReported: amountOf(unverified),
    excluded: amountOf(ofKind('disputed')),
    coverage: {
      selfReportedShare: portionOf(unverified, attested),
      verifiedWithoutValue: attested.reduce((count, { unvalued }) => count + unvalued, 0),
    },
    earningsVersion: versions.earnings,
    disclosures: [...earningsDisclosures],
  };
}

/** The main figures of the attestation. */
export function earningsSummary(window: EarningsWindow, sums: readonly EarningsSum[]) {
  const { stability, ...attestation } = earningsAttestation(window, [], sums);
  const ofKind = (kind: EarningsKind) => sums.filter((sum) => sum.isInWindow && sum.kind === kind);
  return {
    window: attestation.window,
    currency: attestation.currency,
    trailing12mVerifiedTotal: stability.trailing12mTotal,
    medianMonthly: stability.medianMonthly,
    verifiedShare: portionOf(ofKind('attested'), ofKind('unverified')),
    volatility: stability.coefficientOfVariation,
    earningsVersion: attestation.earningsVersion,
    disclosures: attestation.disclosures,
  };
}

/** The attestation as anonymous callers see it: platforms have numbers, but no names. */
export function withoutIdentities({ months, platforms, ...rest }: EarningsAttestation) {
  return {
    ...rest,
    months: months.map((month) => ({
      ...month,
      platforms: month.platforms.map(({ self: _, ...share }) => share),
    })),
    platforms: platforms.map(({ self: _, name: __, ...share }) => share),
  };
}

export const earningsDisclosures: readonly string[] = [
  'Sums of the values that platforms reported with outcomes that somebody other than the subject confirmed. The service has seen no payment.',
  'Not an income verification for a credit decision, and not a consumer report. Evidence, never a decision.',
  'Values are in the units of their reporters: no currency is stored, and nothing is converted.',
  'A month without earnings has no confirmed values. Unreported work, taxes, fees and costs are unknown.',
  'Unverified and disputed values are counted separately and are in no attested figure. None of this changes a score.',
];

interface Contributor extends EarningsPlatform {
  readonly index: number;
  /** From 1, among the contributing platforms. */
  readonly number: number;
}

function contributorsOf(
  platforms: readonly EarningsPlatform[],
  earning: readonly EarningsSum[],
): Contributor[] {
  const indexes = new Set(earning.map(({ platform }) => platform));
  return platforms
    .map((platform, index) => ({ ...platform, index }))
    .filter(({ index }) => indexes.has(index))
    .map((platform, position) => ({ ...platform, number: position + 1 }));
}

function shareOf(contributor: Contributor, sums: readonly EarningsSum[]) {
  const own = ownOf(contributor, sums);
  return own.length === 0 ? null : { ...identityOf(contributor), ...attestedOf(own) };
}

function ownOf({ index }: Contributor, sums: readonly EarningsSum[]): EarningsSum[] {
  return sums.filter(({ platform }) => platform === index);
}

function identityOf({ number, isSelf }: Contributor) {
  return { platform: number, self: isSelf };
}

function attestedOf(sums: readonly EarningsSum[]) {
  const { gross, eventCount } = amountOf(sums);
  return { attestedGross: gross, eventCount };
}

function amountOf(sums: readonly EarningsSum[]) {
  const eventCount = sums.reduce((count, { valued }) => count + valued, 0);
  return { gross: toNumber(grossOf(sums)), eventCount };
}

function grossOf(sums: readonly EarningsSum[]): ExactDecimal {
  return sumOf(sums.map(({ total }) => (total === null ? ZERO : decimalOf(total))));
}

function isTrailing({ trailingFrom }: EarningsWindow, { kind, month }: EarningsSum): boolean {
  return kind === 'attested' && month >= trailingFrom.toISOString().slice(0, month.length);
}

function stabilityOf(months: readonly ExactDecimal[]) {
  const earning = months.filter(({ units }) => units > 0n);
  return {
    monthsWithEarnings: earning.length,
    medianMonthly: medianOf(earning),
    meanMonthly: earning.length === 0 ? null : quotient(sumOf(earning), whole(earning.length)),
    coefficientOfVariation: variationOf(earning),
    longestConsecutiveMonths: longestRun(months.map(({ units }) => units > 0n)),
  };
}

function medianOf(values: readonly ExactDecimal[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort(compare);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return quotient(sumOf(middle), whole(middle.length));
}

/** Population standard deviation divided by mean, four decimals. Null for fewer than two values. */
function variationOf(values: readonly ExactDecimal[]): number | null {
  if (values.length < 2) return null;
  const total = sumOf(values);
  const squares = values.map((value) => (quotient(times(value, values.length), total) - 1) ** 2);
  return fourDecimals(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / values.length));
}

function longestRun(flags: readonly boolean[]): number {
  let [longest, run] = [0, 0];
  for (const flag of flags) {
    run = flag ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** By value, four decimals. Null if there are no values. */
function portionOf(part: readonly EarningsSum[], rest: readonly EarningsSum[]): number | null {
  const total = grossOf([...part, ...rest]);
  return total.units === 0n ? null : fourDecimals(quotient(grossOf(part), total));
}
