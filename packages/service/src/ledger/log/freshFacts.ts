import type { RecordedEvent } from '../append/stampedEvent.js';
import type { SnapshotRow } from '../recompute/store.js';
import type { Cursor } from './cursors.js';
import { type EventFactRow, eventRowOf, type SnapshotFactRow, snapshotRowOf } from './facts.js';
import type { FactRows, LogKeeper } from './logKeeper.js';

/**
 * Facts that were just committed, so that the sequencer need not read them back. Only a saving: what
 * is missing is read, and numbers from the database decide what is complete.
 */
export interface FreshFacts {
  addEvents(events: readonly RecordedEvent[]): void;
  addSnapshots(snapshots: readonly SnapshotRow[]): void;
  /** Facts of another process. */
  addRows(rows: FactRows): void;
  of(subjectId: string): SubjectFacts | undefined;
  /** Drops what is logged of a subject. */
  drop(subjectId: string, logged: Pick<Cursor, 'eventPosition' | 'snapshotNo'>): void;
  clear(): void;
}

/** By position and number, perhaps with gaps. */
export interface SubjectFacts {
  readonly events: readonly EventFactRow[];
  readonly snapshots: readonly SnapshotFactRow[];
}

/** About 30 MB. Facts beyond this are read: those that came first are needed first. */
const MAX_FACTS = 30_000;

/** @param keeper null: this process keeps the log. */
export function createFreshFacts(keeper: LogKeeper | null = null): FreshFacts {
  const bySubject = new Map<string, { events: EventFactRow[]; snapshots: SnapshotFactRow[] }>();
  let count = 0;
  return {
    addEvents(events) {
      const live = events.filter(({ stamped }) => stamped.reporter.livemode);
      add({ events: live.map(eventRowOf), snapshots: [] });
    },
    addSnapshots(snapshots) {
      const live = snapshots.filter(({ change }) => change.livemode);
      add({ events: [], snapshots: live.map(snapshotRowOf) });
    },
    addRows: keep,
    of: (subjectId) => bySubject.get(subjectId),
    drop(subjectId, { eventPosition, snapshotNo }) {
      const facts = bySubject.get(subjectId);
      if (!facts) return;
      const events = facts.events.filter(({ position }) => position > eventPosition);
      const snapshots = facts.snapshots.filter((snapshot) => snapshot.snapshotNo > snapshotNo);
      count -= facts.events.length + facts.snapshots.length - events.length - snapshots.length;
      if (events.length + snapshots.length > 0) bySubject.set(subjectId, { events, snapshots });
      else bySubject.delete(subjectId);
    },
    clear() {
      bySubject.clear();
      count = 0;
    },
  };

  function add(rows: FactRows): void {
    if (rows.events.length + rows.snapshots.length === 0) return;
    if (keeper?.isOther()) keeper.handOver(rows);
    else keep(rows);
  }

  function keep({ events, snapshots }: FactRows): void {
    for (const row of events) if (count < MAX_FACTS) factsOf(row.subjectId).events.push(row);
    for (const row of snapshots) if (count < MAX_FACTS) factsOf(row.subjectId).snapshots.push(row);
  }

  /** For one more fact. */
  function factsOf(subjectId: string) {
    count += 1;
    const known = bySubject.get(subjectId);
    if (known) return known;
    const facts = { events: [], snapshots: [] };
    bySubject.set(subjectId, facts);
    return facts;
  }
}
