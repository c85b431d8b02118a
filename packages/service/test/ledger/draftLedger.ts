import {
  type EventType,
  mergeTallies,
  type OutcomeFacts,
  tallyCodeOf,
  tallyKeyOf,
} from '@reliability/scoring';
import type { Database } from '../../src/kit/db/database.js';
import { createIdSource } from '../../src/kit/ids.js';
import { subjectIdOf } from '../../src/ledger/subjectId.js';
import { reporter } from './deps.js';

const { platformId } = reporter;
const ids = createIdSource();

/** An event that the draft's score counts. */
export interface DraftEvent extends Partial<OutcomeFacts> {
  eventType: EventType;
  /** Opens its own dispute. The event at this index is the outcome. */
  endedBy?: number;
}

interface DraftSubject {
  createdAt: Date;
  /** The last event that the score counts. */
  scoredUpTo: number;
  isFrozen?: boolean;
}

/**
 * A subject with events, tallies, ended disputes, and a draft score of 71.50 with one snapshot. The
 * queue is empty.
 */
export async function addDraftSubject(
  db: Database,
  name: string,
  events: readonly DraftEvent[],
  { createdAt, scoredUpTo, isFrozen = false }: DraftSubject,
): Promise<void> {
  const subjectId = subjectIdOf(platformId, true, name);
  const rows = events.map((event) => ({ ...factsOf(event, createdAt), eventId: ids.at(createdAt) }));
  await db.execute(
    `insert into subject (subject_id, platform_id, livemode, external_id, record_id, event_count, last_activity_at, registered_at)
     values ($1, $2, true, $3, $1, $4, $5, $5)`,
    [subjectId, platformId, name, events.length, createdAt],
  );
  const disputes = events.flatMap(({ endedBy }, index) =>
    endedBy === undefined
      ? []
      : [{ disputeId: ids.at(createdAt), event: rows[index], outcome: rows[endedBy] }],
  );
  for (const [index, row] of rows.entries()) {
    const ended = disputes.find(({ outcome }) => outcome === row);
    await db.execute(
      `insert into event (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified,
         platform_tier, due_date, completed_at, created_at, dispute_id, closes_event_id)
       values ($1, $2, $3, true, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        subjectId,
        row.eventId,
        platformId,
        index + 1,
        row.eventType,
        row.stakeLevel,
        row.isVerified,
        row.platformTier,
        row.dueDate,
        row.completedAt,
        createdAt,
        ended?.disputeId,
        ended?.event?.eventId,
      ],
    );
  }
  const counted = rows.filter((row) => !disputes.some(({ event }) => event === row));
  const tallies = mergeTallies(counted.map((row) => ({ ...tallyKeyOf(row), count: 1 })));
  for (const { day, count, ...key } of tallies) {
    await db.execute('insert into tally values ($1, $2, $3, $4)', [subjectId, day, tallyCodeOf(key), count]);
  }
  for (const { disputeId, event, outcome } of disputes) {
    await db.execute(
      `insert into dispute (subject_id, dispute_id, platform_id, livemode, event_id, status, opened_at, respond_by, resolved_at,
         outcome_event_id)
       values ($1, $2, $3, true, $4, 'RESOLVED_AGAINST_USER', $5, $5::timestamptz + interval '14 days', $5, $6)`,
      [subjectId, disputeId, platformId, event?.eventId, createdAt, outcome?.eventId],
    );
  }
  await addDraftScore(db, subjectId, name, { createdAt, scoredUpTo, isFrozen });
}

function factsOf(event: DraftEvent, createdAt: Date) {
  return {
    stakeLevel: 'MEDIUM' as const,
    isVerified: true,
    platformTier: 'GROWTH' as const,
    dueDate: null,
    completedAt: null,
    ...event,
    createdAt,
  };
}

async function addDraftScore(
  db: Database,
  subjectId: string,
  name: string,
  { createdAt, scoredUpTo, isFrozen }: Required<DraftSubject>,
): Promise<void> {
  await db.execute(
    `insert into score (subject_id, record_id, platform_id, livemode, final_score, score_band, confidence, confidence_label,
       behavioral_quality, total_events, verified_events, own_events, own_verified_events, last_activity_at, frozen_at, detail,
       formula_version, as_of, position, snapshot_no, computed_at, external_id, subject_type, registered_at, is_draft)
     values ($1, $1, $2, true, 71.5, 'Good', 0.5, 'medium', 80, $3, $3, $3, $3, $4, $5, '{}', '5.3', $6, $3, 1, $4, $7, 'PERSON', $4, true)`,
    [subjectId, platformId, scoredUpTo, createdAt, isFrozen ? createdAt : null, dayIn(createdAt), name],
  );
  if (isFrozen) {
    await db.execute(`insert into freeze_fact (subject_id, number, action, at) values ($1, 1, 'set', $2)`, [
      subjectId,
      createdAt,
    ]);
  }
  await db.execute(
    `insert into score_snapshot (subject_id, snapshot_no, platform_id, livemode, final_score, score_band, confidence,
       behavioral_quality, total_events, verified_events, factors, formula_version, as_of, positions, computed_at, is_draft)
     values ($1::uuid, 1, $2, true, 71.5, 'Good', 0.5, 80, $3, $3, '{}', '5.3', $4, json_build_object($1::uuid::text, $3::integer), $5, true)`,
    [subjectId, platformId, scoredUpTo, dayIn(createdAt), createdAt],
  );
}

function dayIn(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000);
}
