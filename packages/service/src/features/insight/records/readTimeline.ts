import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import { type EventRow, eventRecordOfRow } from '../../../ledger/reads/eventRow.js';
import { findSnapshots, historyEntryOf, type Snapshot } from '../../../ledger/reads/snapshots.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { RecordDeps } from './deps.js';
import type { TimelineQuery } from './schemas.js';
import { findEvents, findTimelineEnd } from './store.js';

/** Where a page begins: behind these rows of the two sources. */
interface TimelinePosition {
  /** Ledger position of the last event that the walk is about. */
  upTo: number;
  beforeId: string;
  beforeNo: number;
}

const BEYOND_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MAX_INTEGER = 2 ** 31 - 1;
const TimelineCursor = z.tuple([z.int().min(0).max(MAX_INTEGER), z.guid(), z.int().min(1).max(MAX_INTEGER)]);

/**
 * GET /users/{id}/timeline: the caller's own events and the changes of the score, newest first.
 *
 * A subject's events have gapless positions in the order of their commits, and so have its snapshots their numbers. So where
 * both end at the first page bounds a set that never grows, without waiting for anybody: rows written meanwhile can
 * neither repeat nor hide one of it, and all that was acknowledged before is in it (RULES Q2).
 */
export async function readTimeline(
  { db }: RecordDeps,
  context: UserContext<z.output<typeof TimelineQuery>>,
): Promise<Answer> {
  const { cursor, limit } = context.query;
  const subjectId = subjectOf(context);
  const asked = positionOf(cursor, TimelineCursor);
  const end = await findTimelineEnd(db, subjectId);
  if (!end) return fail('USER_NOT_FOUND');
  const start: TimelinePosition = asked
    ? { upTo: asked[0], beforeId: asked[1], beforeNo: asked[2] }
    : { upTo: end.position, beforeId: BEYOND_ALL_IDS, beforeNo: end.snapshotNo + 1 };
  const [events, snapshots] = await Promise.all([
    findEvents(db, subjectId, start, limit + 1),
    findSnapshots(db, subjectId, start.beforeNo, limit + 1),
  ]);
  const rows = merged(events, snapshots);
  const page = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? cursorBehind(page, start) : null;
  return ok({ items: page.map(itemOf), nextCursor });
}

type TimelineRow = { kind: 'event'; row: EventRow } | { kind: 'score'; row: Snapshot };

/** Each source keeps its own order; of two heads the later one comes first, and of equals the score that followed. */
function merged(events: readonly EventRow[], snapshots: readonly Snapshot[]): TimelineRow[] {
  const rows: TimelineRow[] = [];
  for (let nextEvent = 0, nextSnapshot = 0; ; ) {
    const event = events[nextEvent];
    const snapshot = snapshots[nextSnapshot];
    if (snapshot && (!event || snapshot.computedAt >= event.createdAt)) {
      rows.push({ kind: 'score', row: snapshot });
      nextSnapshot += 1;
    } else if (event) {
      rows.push({ kind: 'event', row: event });
      nextEvent += 1;
    } else {
      return rows;
    }
  }
}

function cursorBehind(page: readonly TimelineRow[], start: TimelinePosition): string {
  let { beforeId, beforeNo } = start;
  for (const { kind, row } of page) {
    if (kind === 'event') beforeId = row.eventId;
    else beforeNo = row.snapshotNo;
  }
  return encodeCursor([start.upTo, beforeId, beforeNo]);
}

function itemOf({ kind, row }: TimelineRow) {
  return kind === 'event'
    ? { kind, at: row.createdAt, event: eventRecordOfRow(row) }
    : { kind, at: row.computedAt, score: historyEntryOf(row) };
}
