import type { FastifyReply } from 'fastify';
import { fail } from '../../domain/errors.js';
import type { KeyCaller } from './route.js';

/** The calls of a platform in one UTC calendar month, as far as this process knows. */
export interface Month {
  /** 0: unlimited. */
  readonly cap: number;
  readonly used: number;
  readonly end: Date;
  readonly secondsUntilReset: number;
  /** Adds calls. A negative number returns calls whose answer does not count. */
  charge(calls: number): void;
}

/** Counts the calls of platforms. Only the first access to a month waits for the database. */
export interface Meter {
  /** The month of a live caller's platform. */
  monthOf(caller: KeyCaller): Month | Promise<Month>;
  /**
   * Counts an answer that has been sent.
   * @param route as in the table.
   * @param calls how many calls it is billed as.
   */
  count(caller: KeyCaller, route: string, status: number, requests: number, calls: number): void;
}

/** Counts one call against the month and sets the `X-Quota-*` headers. Throws QUOTA_EXCEEDED. */
export function takeFromMonth(month: Month, reply: FastifyReply): void {
  const isSpent = month.cap > 0 && month.used >= month.cap;
  if (!isSpent) month.charge(1);
  showMonth(month, reply);
  if (!isSpent) return;
  const { cap, used, end, secondsUntilReset } = month;
  fail('QUOTA_EXCEEDED', {
    message: `All ${cap} calls of this month are used. Retry in ${secondsUntilReset} s, when the next month starts.`,
    details: { cap, used, periodEnd: end.toISOString() },
    headers: { 'Retry-After': String(secondsUntilReset) },
  });
}

export function showMonth(month: Month, reply: FastifyReply): void {
  if (month.cap === 0) return;
  reply
    .header('x-quota-limit', month.cap)
    .header('x-quota-remaining', Math.max(0, month.cap - month.used))
    .header('x-quota-reset', month.secondsUntilReset);
}

/** Failures of the service and 429 do not count against the quota (RULES M4). */
export function countsAgainstQuota(status: number): boolean {
  return status !== 429 && status < 500;
}

const ROWS_PER_CALL = 1000;

/** A CSV export counts as one call per 1000 rows, rounded up, and at least one (RULES M4). */
export function callsOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_CALL));
}
