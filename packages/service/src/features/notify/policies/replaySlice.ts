import { dayOf } from '@reliability/scoring';
import { DAY_MS } from '../../../domain/timestamp.js';
import { createYielder } from '../../../kit/backpressure/yielder.js';
import type { Queryable } from '../../../kit/db/database.js';
import { readsOfRecords } from '../../../ledger/links/recordReads.js';
import { readReplayEntries } from '../../../ledger/reads/recordEntries.js';
import {
  type BookSubject,
  findBookSlice,
  findMembers,
  type PreviewedSlice,
  type PreviewSlice,
} from './previewStore.js';
import { replayCrossings } from './replayCrossings.js';

/** Events of the records of a slice: bounds memory, since a tally counts at least one event. */
const SLICE_EVENTS = 20_000;

/**
 * Finds crossings by the replay by outcome, on the UTC days from `from` to `to`. All other figures
 * are the published ones.
 */
export async function replaySlice(db: Queryable, slice: PreviewSlice): Promise<PreviewedSlice> {
  const found = await findBookSlice(db, slice);
  const subjects = startOf(found);
  const entriesOf = await readRecords(db, subjects);
  const yieldTurn = createYielder();
  const matches: PreviewedSlice['matches'] = [];
  for (const { recordId, subjectId: _, totalEvents: __, ...row } of subjects) {
    await yieldTurn();
    const { crossings, lastCrossedOn } = replayCrossings(
      slice.condition,
      entriesOf(recordId),
      dayOf(slice.from),
      dayOf(slice.to),
    );
    if (!row.isPast && crossings === 0) continue;
    const lastCrossedAt = lastCrossedOn === null ? null : new Date(lastCrossedOn * DAY_MS);
    matches.push({ ...row, crossings, lastCrossedAt });
  }
  const isLast = found.length < slice.size && subjects.length === found.length;
  return {
    matches,
    checked: subjects.length,
    events: subjects.reduce((sum, { totalEvents }) => sum + totalEvents, 0),
    lastExternalId: isLast ? null : (subjects.at(-1)?.externalId ?? null),
  };
}

/** As many subjects as have SLICE_EVENTS together, at least one. */
function startOf(subjects: readonly BookSubject[]): readonly BookSubject[] {
  let events = 0;
  const end = subjects.findIndex(({ totalEvents }, index) => {
    events += totalEvents;
    return index > 0 && events > SLICE_EVENTS;
  });
  return end < 0 ? subjects : subjects.slice(0, end);
}

/** The replay entries of each record: those of all its members. */
async function readRecords(db: Queryable, subjects: readonly BookSubject[]) {
  const linked = subjects.filter(({ recordId, subjectId }) => recordId !== subjectId);
  const reads = await readsOfRecords(
    db,
    linked.map(({ recordId }) => recordId),
  );
  const members = await findMembers(
    reads,
    subjects.map(({ recordId }) => recordId),
  );
  const entries = await readReplayEntries(reads, [...members.values()].flat(), 'outcome');
  return (recordId: string) => (members.get(recordId) ?? []).flatMap((id) => entries.get(id) ?? []);
}
