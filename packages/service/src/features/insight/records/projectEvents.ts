import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { RecordDeps } from './deps.js';
import { loadRecord } from './loadRecord.js';
import { projectScore } from './projection.js';
import type { ProjectionBody } from './projectionSchemas.js';
import { isOwnSubject } from './store.js';

/** POST /users/{id}/score/project: what the score would become. Writes nothing, and knows no difference between the unknown. */
export async function projectEvents(
  { db, clock }: RecordDeps,
  context: UserContext<undefined, z.output<typeof ProjectionBody>>,
): Promise<Answer> {
  const { caller, body, params } = context;
  const subjectId = subjectOf(context);
  const [record, isOwn] = await Promise.all([loadRecord(db, subjectId), isOwnSubject(db, subjectId)]);
  const events = body.events.map((event) => ({
    eventType: event.eventType,
    stakeLevel: event.stakeLevel ?? 'MEDIUM',
    platformTier: event.platformTier ?? caller.trustTier,
    // As POST /events would take it from this caller (RULES R5).
    isVerified: (event.isVerified ?? false) && !isOwn,
    dueDate: event.dueDate ?? null,
    completedAt: event.completedAt ?? null,
  }));
  return ok({ userId: params.id, ...projectScore(record, events, clock.now()) });
}
