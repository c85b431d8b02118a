import { CLOCK_SKEW_MS } from '@reliability/proof';
import { dayOf, FORMULA_VERSION, isoFromDay } from '@reliability/scoring';
import type { z } from 'zod';
import { DECAY, VELOCITY_CLEARED } from '../recompute/scoreChange.js';
import { DECAY_SNAPSHOT_DAYS } from '../sweep.js';
import type { Report } from './report.js';
import type { FreezeFact, StoredSnapshot } from './store.js';

interface SnapshotIds {
  subjectId: string;
  snapshotNo: number;
  platformId: string;
  livemode: boolean;
}

export type SnapshotRow = SnapshotIds & z.input<typeof StoredSnapshot>;
export type AuditedSnapshot = SnapshotIds & z.output<typeof StoredSnapshot>;

export function isForeign({ formulaVersion }: AuditedSnapshot): boolean {
  return formulaVersion !== FORMULA_VERSION;
}

/** A score is as of the day on which it was computed, not of an earlier one. */
export function checkDay({ asOf, computedAt }: { asOf: number; computedAt: Date }, report: Report): void {
  const day = dayOf(computedAt);
  if (asOf !== day) report(`as_of is ${isoFromDay(asOf)}, it was computed on ${isoFromDay(day)}`);
}

export interface Step {
  subjectId: string;
  snapshot: AuditedSnapshot;
  before: AuditedSnapshot | null;
  isLinked: boolean;
  freezes: readonly FreezeFact[];
}

/** The reason that a snapshot gives must follow from what it counts and from the facts before it. */
export function checkReason(given: Step, report: Report): void {
  const { reason } = given.snapshot;
  const fault = faultOfReason(given);
  if (fault) report(`its reason is ${reason ?? 'null (events)'}, and ${fault}`);
}

function faultOfReason({ subjectId, snapshot, before, isLinked, freezes }: Step): string | null {
  const { reason, positions, computedAt } = snapshot;
  const isAlone = [snapshot, before].every((one) => Object.keys(one?.positions ?? {}).length < 2);
  const hasNews = positions[subjectId] !== before?.positions[subjectId];
  switch (reason) {
    case null:
      // Only their own group distinguishes events of members in other groups from ageing.
      return before && !isForeign(before) && isAlone && !hasNews ? 'it counts no event more' : null;
    case DECAY:
      if (!before) return 'no snapshot is before it';
      return hasNews ? 'it counts events that the one before does not' : null;
    case VELOCITY_CLEARED: {
      const upTo = computedAt.getTime() + CLOCK_SKEW_MS;
      const isCleared = freezes.some(({ action, at }) => action === 'cleared' && at.getTime() <= upTo);
      return isCleared || isLinked ? null : 'no freeze has ended before it';
    }
    case 'linked':
    case 'unlinked':
      return isLinked ? null : 'its subject was never linked';
    default:
      return 'no such reason exists';
  }
}

/** Retention marks only what it has looked at. */
export function checkKept({ isKept, reason, computedAt }: AuditedSnapshot, now: Date, report: Report): void {
  if (!isKept) return;
  if (reason !== DECAY) report('is_kept is true, though it shows more than ageing');
  else if (dayOf(computedAt) > dayOf(now) - DECAY_SNAPSHOT_DAYS)
    report('is_kept is true, though it is not old');
}

/**
 * Retention deletes snapshots that only show ageing, once they are old, and keeps the last of these of
 * each month. So where some are missing, a later one of the same month is there, and no more are
 * missing than the days between could have.
 */
export function createGapCheck(now: Date, report: Report) {
  let open: { month: string; names: string } | null = null;
  const settle = () => {
    if (open) report(`${open.names}: missing, and no later one of their month shows ageing`);
    open = null;
  };
  return {
    /** Takes each stored snapshot, in order, with the one before it. */
    take(snapshot: AuditedSnapshot, before: AuditedSnapshot | null) {
      const { snapshotNo, asOf, reason } = snapshot;
      const month = monthOf(asOf);
      if (open && open.month !== month) settle();
      const missing = snapshotNo - (before?.snapshotNo ?? 0) - 1;
      if (missing > 0) {
        const from = snapshotNo - missing;
        const names = missing === 1 ? `snapshot ${from}` : `snapshots ${from} to ${snapshotNo - 1}`;
        const first = Math.max((before?.asOf ?? asOf) + 1, asOf - Number(isoFromDay(asOf).slice(8)) + 1);
        if (!before) report(`${names}: missing, and the first one never shows ageing only`);
        else if (first + missing - 1 > asOf) report(`${names}: missing, and that is more than one a day`);
        else if (first + missing - 1 > dayOf(now) - DECAY_SNAPSHOT_DAYS || month >= monthOf(dayOf(now)))
          report(`${names}: missing, and not old enough for retention`);
        else open = { month, names };
      }
      if (reason === DECAY) open = null;
    },
    /** Call it after the last one. */
    end: settle,
  };
}

function monthOf(day: number): string {
  return isoFromDay(day).slice(0, 7);
}
