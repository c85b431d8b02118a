import type { FastifyReply } from 'fastify';
import { fail } from '../../domain/errors.js';
import type { KeyCaller } from './route.js';

/** The calls of a platform in one UTC calendar month, as far as this process knows them. */
export interface Month {
  /** 0: no quota. */
  readonly cap: number;
  readonly used: number;
  readonly end: Date;
  readonly secondsUntilReset: number;
  /** Adds calls; a negative number gives back what was taken for an answer that does not count. */
  charge(calls: number): void;
}

/** Counts what platforms call. Nothing of it writes or waits, but the first look at a month. */
export interface Meter {
  /** The platform's month, for a live caller. */
  monthOf(caller: KeyCaller): Month | Promise<Month>;
  /** An answer is through. @param route as the table names it. @param calls what it is billed as. */
  count(caller: KeyCaller, route: string, status: number, requests: number, calls: number): void;
}

/** Takes one call off the month and says in the `X-Quota-*` headers what is left. Throws QUOTA_EXCEEDED. */
export function takeFromMonth(month: Month, reply: FastifyReply): void {
  const isSpent = month.cap > 0 && month.used >= month.cap;
  if (!isSpent) month.charge(1);
  showMonth(month, reply);
  if (!isSpent) return;
  const { cap, used, end, secondsUntilReset } = month;
  fail('QUOTA_EXCEEDED', {
    message: `The ${cap} calls of this month are spent. The next month starts in ${secondsUntilReset} s.`,
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

/** A CSV export counts one call per 1000 rows or part of them, and at least one (RULES M4). */
export function callsOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_CALL));
}
