import type { PlatformTier } from '@reliability/scoring';
import { versions } from '../../../domain/catalogues/versions.js';
import { fourDecimals } from '../../../domain/share.js';
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
 * What an outcome is to earnings. `attested`: positive, and verified. `unverified`: positive, by the word of its reporter alone.
 * `disputed`: contested, or a breach that a dispute was opened about. Everything else earns nothing.
 */
export type EarningsKind = 'attested' | 'unverified' | 'disputed';

/** What one platform reported of one kind in one month, the month cut in two where the window begins inside of it. */
export interface EarningsSum {
  /** Which of the platforms, by its place among them. */
  readonly platform: number;
  /** UTC month in which it happened: `2026-03`. */
  readonly month: string;
  readonly kind: EarningsKind;
  /** Else it counts in the trailing twelve months alone. */
  readonly isInWindow: boolean;
  /** Outcomes with a value. */
  readonly valued: number;
  readonly unvalued: number;
  /** Of the values, exact; null where there are none. */
  readonly total: string | null;
}

export interface EarningsPlatform {
  readonly isSelf: boolean;
  /** The caller's own; null for every other. */
  readonly name: string | null;
  readonly trustTier: PlatformTier;
}

export type EarningsAttestation = ReturnType<typeof earningsAttestation>;

/**
 * The earnings attestation (RULES R7). A month without attested earnings is one that nobody has reported, not one of no
 * income: mean, median and variation are over the months with earnings, and `monthsWithEarnings` says how many these are.
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
      return { ...faceOf(contributor), name, trustTier, ...attestedOf(ownOf(contributor, earning)) };
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
    disclosures: earningsDisclosures,
  };
}

/** The few figures of it that fit a glance. */
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

/** The attestation as strangers are shown it: platforms are told apart, and none of them is named. */
export function withoutFaces({ months, platforms, ...rest }: EarningsAttestation) {
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
  'Sums of the values that platforms reported with outcomes which somebody other than the subject confirmed. The service has seen no payment.',
  'Not an income verification for a credit decision, and no consumer report. Evidence, never a decision.',
  'Values are in the units of whoever reported them: no currency is stored, and nothing is converted.',
  'A month without earnings is one without confirmed values: nothing is known of what was not reported, nor of taxes, fees and costs.',
  'What is unverified or disputed is counted apart and is in none of the attested figures. None of this moves a score.',
];

interface Contributor extends EarningsPlatform {
  readonly place: number;
  /** From 1, among those that contribute. */
  readonly number: number;
}

function contributorsOf(
  platforms: readonly EarningsPlatform[],
  earning: readonly EarningsSum[],
): Contributor[] {
  const places = new Set(earning.map(({ platform }) => platform));
  return platforms
    .map((platform, place) => ({ ...platform, place }))
    .filter(({ place }) => places.has(place))
    .map((platform, index) => ({ ...platform, number: index + 1 }));
}

function shareOf(contributor: Contributor, sums: readonly EarningsSum[]) {
  const own = ownOf(contributor, sums);
  return own.length === 0 ? null : { ...faceOf(contributor), ...attestedOf(own) };
}

function ownOf({ place }: Contributor, sums: readonly EarningsSum[]): EarningsSum[] {
  return sums.filter(({ platform }) => platform === place);
}

function faceOf({ number, isSelf }: Contributor) {
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

/** Population standard deviation by mean, four decimals; null under two values. */
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

/** By value, four decimals; null where there is no value at all. */
function portionOf(part: readonly EarningsSum[], rest: readonly EarningsSum[]): number | null {
  const total = grossOf([...part, ...rest]);
  return total.units === 0n ? null : fourDecimals(quotient(grossOf(part), total));
}
