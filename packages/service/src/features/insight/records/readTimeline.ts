import { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { Queryable } from '#kit/db/database.js';
import { encodeCursor, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import { type EventRow, eventRecordOfRow } from '#ledger/reads/eventRow.js';
import { findSnapshots, historyEntryOf, type Snapshot } from '#ledger/reads/publishedScores.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { Timeline, TimelineQuery } from './reliability.js';
import { findEvents, findTimelineEnd } from './store.js';

/** The start of a page: after these rows of the two sources. */
interface TimelinePosition {
  /** Ledger position of the newest event of the listing. */
  upTo: number;
  beforeId: string;
  beforeNo: number;
}

const BEYOND_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MAX_INTEGER = 2 ** 31 - 1;
const TimelineCursor = z.tuple([z.int().min(0).max(MAX_INTEGER), z.guid(), z.int().min(1).max(MAX_INTEGER)]);

/**
 * The platform's own events and the score changes, newest first. Throws USER_NOT_FOUND.
 *
 * A subject's events have gapless positions in the order of their commits, and its snapshots have
 * such numbers. The ends of both at the first page bound a fixed set without locks: rows written
 * later neither repeat nor hide one of its rows, and every row acknowledged before is in it (RULES
 * Q2).
 */
export async function readTimeline(
  db: Queryable,
  owner: Owner,
  userId: string,
  { cursor, limit }: TimelineQuery,
): Promise<Timeline> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
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
  const nextCursor = rows.length > limit ? cursorAfter(page, start) : null;
  return { items: page.map(itemOf), nextCursor };
}

type TimelineRow = { kind: 'event'; row: EventRow } | { kind: 'score'; row: Snapshot };

/**
 * Merges the two sources by time, newest first. At equal times the score comes first, because it
 * includes the event.
 */
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

function cursorAfter(page: readonly TimelineRow[], start: TimelinePosition): string {
  let { beforeId, beforeNo } = start;
  for (const { kind, row } of page) {
    if (kind === 'event') beforeId = row.eventId;
    else beforeNo = row.snapshotNo;
  }
  return encodeCursor([start.upTo, beforeId, beforeNo]);
}

function itemOf({ kind, row }: TimelineRow): Timeline['items'][number] {
  return kind === 'event'
    ? { kind, at: row.createdAt, event: eventRecordOfRow(row) }
    : { kind, at: row.computedAt, score: historyEntryOf(row) };
}
