import type { Queryable } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type ProjectedRecord, projectScore } from './projection.js';
import type { ProjectionAnswer, ProjectionBody } from './projectionSchemas.js';
import { findRecordTallies, isOwnSubject } from './store.js';

export type ProjectionDeps = Pick<ServiceDeps, 'db' | 'clock'>;

/**
 * The score with events that have not happened. Writes nothing. An unknown subject has an empty
 * record.
 */
export async function projectEvents(
  { db, clock }: ProjectionDeps,
  caller: KeyCaller,
  userId: string,
  body: ProjectionBody,
): Promise<ProjectionAnswer> {
  const subjectId = subjectIdOf(caller.platformId, caller.livemode, userId);
  const [record, isOwn] = await Promise.all([loadRecord(db, subjectId), isOwnSubject(db, subjectId)]);
  const events = body.events.map((event) => ({
    eventType: event.eventType,
    stakeLevel: event.stakeLevel ?? 'MEDIUM',
    platformTier: event.platformTier ?? caller.trustTier,
    // As POST /events would record it for this caller (RULES R5).
    isVerified: (event.isVerified ?? false) && !isOwn,
    dueDate: event.dueDate ?? null,
    completedAt: event.completedAt ?? null,
  }));
  return { userId, ...projectScore(record, events, clock.now()) };
}

/** A subject's record with its published score; empty for an unknown subject. */
export async function loadRecord(db: Queryable, subjectId: string): Promise<ProjectedRecord> {
  const [tallies, scores] = await Promise.all([
    findRecordTallies(db, subjectId),
    findScores(db, [subjectId]),
  ]);
  const score = scores.get(subjectId);
  if (!score) return { tallies, published: null };
  const { finalScore, scoreBand, frozen } = score;
  return { tallies, published: { score: finalScore, band: scoreBand, frozen } };
}
