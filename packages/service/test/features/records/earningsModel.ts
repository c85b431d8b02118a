import fc from 'fast-check';

/** When everything is recorded that these tests report. */
export const NOW = new Date('2026-11-21T11:40:00.000Z');

const DAY_MS = 86_400_000;

export interface Reported {
  eventType: string;
  isVerified: boolean;
  /** In thousandths. */
  value: number | null;
  completedAt: Date | null;
  dueDate: Date | null;
  /** Of a breach: the subject contests it. */
  isContested: boolean;
}

const daysBack = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const moment = fc.integer({ min: 0, max: 3 * 365 * 24 * 3600 }).map((seconds) => daysBack(seconds / 86_400));
const due = fc.oneof(
  moment,
  fc.integer({ min: 1, max: 100 }).map((days) => daysBack(-days)),
);

export const reported: fc.Arbitrary<Reported> = fc.record({
  eventType: fc.constantFrom(
    'TRANSACTION_COMPLETED',
    'CONTRACT_FULFILLED',
    'REVIEW_VERIFIED',
    'TRANSACTION_DISPUTED',
    'CONTRACT_BREACHED',
    'TRANSACTION_CANCELLED',
  ),
  isVerified: fc.boolean(),
  value: fc.option(fc.oneof(fc.constant(0), fc.nat(5_000_000), fc.nat(9))),
  completedAt: fc.option(moment),
  dueDate: fc.option(due),
  isContested: fc.boolean(),
});

export interface Ask {
  months?: string;
  from?: string;
  to?: string;
}

/** A window, as a caller writes it. */
export const ask: fc.Arbitrary<Ask> = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 40 }).map((months) => ({ months: String(months) })),
  fc.tuple(fc.integer({ min: 1, max: 30 }), moment).map(([months, to]) => {
    return { months: String(months), to: to.toISOString() };
  }),
  fc.tuple(moment, moment).map(([one, other]) => {
    const [from, to] = one <= other ? [one, other] : [other, one];
    return { from: from.toISOString(), to: to.toISOString() };
  }),
);

/**
 * What the attestation must say, by the plainest means: whole numbers of thousandths, one event
 * after the other.
 */
export function expectedEarnings(events: readonly Reported[], query: Ask) {
  const to = query.to === undefined ? NOW : new Date(query.to);
  const back = (months: number) => new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - months + 1, 1));
  const from = query.from === undefined ? back(Number(query.months ?? 12)) : new Date(query.from);
  const between = (start: Date) => (event: Reported) => occurred(event) >= start && occurred(event) <= to;
  const inWindow = events.filter(between(from));
  const attested = inWindow.filter((event) => isPositive(event) && event.isVerified);
  const unverified = inWindow.filter((event) => isPositive(event) && !event.isVerified);
  const months = monthsBetween(from, to).map((month) => {
    const own = attested.filter((event) => occurred(event).toISOString().startsWith(month));
    return { month, thousandths: totalOf(own), eventCount: valuedOf(own) };
  });
  const earning = months.map(({ thousandths }) => thousandths).filter((total) => total > 0);
  const trailing = events.filter(between(back(12))).filter((event) => isPositive(event) && event.isVerified);
  const mean = earning.reduce((sum, total) => sum + total, 0) / earning.length;
  return {
    window: { from: from.toISOString(), to: to.toISOString(), months: months.length },
    attested: amountOf(attested),
    months: months.map(({ month, thousandths, eventCount }) => ({
      month,
      attestedGross: thousandths / 1000,
      eventCount,
    })),
    unverifiedReported: amountOf(unverified),
    excluded: amountOf(inWindow.filter(isDisputed)),
    stability: {
      monthsWithEarnings: earning.length,
      medianMonthly: earning.length === 0 ? null : medianOf(earning) / 1000,
      meanMonthly: earning.length === 0 ? null : mean / 1000,
      coefficientOfVariation: earning.length < 2 ? null : deviationOf(earning, mean) / mean,
      longestConsecutiveMonths: longestRun(months.map(({ thousandths }) => thousandths > 0)),
      trailing12mTotal: totalOf(trailing) / 1000,
    },
    selfReportedShare: quotient(totalOf(unverified), totalOf(unverified) + totalOf(attested)),
    verifiedShare: quotient(totalOf(attested), totalOf(unverified) + totalOf(attested)),
    verifiedWithoutValue: attested.length - valuedOf(attested),
  };
}

/** docs/FORMULA.md, "What goes in". */
export function occurred({ completedAt, dueDate }: Reported): Date {
  const at = completedAt ?? dueDate ?? NOW;
  return at > NOW ? NOW : at;
}

function isPositive({ eventType }: Reported): boolean {
  return ['TRANSACTION_COMPLETED', 'CONTRACT_FULFILLED', 'REVIEW_VERIFIED'].includes(eventType);
}

function isDisputed({ eventType, isContested }: Reported): boolean {
  return eventType === 'TRANSACTION_DISPUTED' || (eventType === 'CONTRACT_BREACHED' && isContested);
}

function totalOf(events: readonly Reported[]): number {
  return events.reduce((sum, { value }) => sum + (value ?? 0), 0);
}

function valuedOf(events: readonly Reported[]): number {
  return events.filter(({ value }) => value !== null).length;
}

function amountOf(events: readonly Reported[]) {
  return { gross: totalOf(events) / 1000, eventCount: valuedOf(events) };
}

function monthsBetween(from: Date, to: Date): string[] {
  const months: string[] = [];
  for (let at = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1)); at <= to; ) {
    months.push(at.toISOString().slice(0, 7));
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  }
  return months;
}

function medianOf(totals: readonly number[]): number {
  const sorted = [...totals].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function deviationOf(totals: readonly number[], mean: number): number {
  return Math.sqrt(totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / totals.length);
}

function longestRun(flags: readonly boolean[]): number {
  const runs = flags
    .map((flag) => (flag ? 'x' : ' '))
    .join('')
    .split(' ');
  return Math.max(...runs.map((run) => run.length));
}

function quotient(part: number, total: number): number | null {
  return total === 0 ? null : part / total;
}
