import type { z } from 'zod';
import { filingEvent, isDisputable } from '../../../domain/dispute.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { IdempotencyClaim } from '../../../kit/http/route.js';
import type { DisputeDeps } from './deps.js';
import type { DisputeBody } from './schemas.js';
import {
  type Dispute,
  findSubjectOfEvent,
  insertDispute,
  lockSubject,
  type Owner,
  readDisputableEvent,
  toDisputeResponse,
} from './store.js';

interface FileContext {
  caller: Owner;
  body: z.output<typeof DisputeBody>;
  claim: IdempotencyClaim | null;
}

/** POST /disputes: writes DISPUTE_FILED and the dispute together, at most once for an event. */
export async function fileDispute(deps: DisputeDeps, { caller, body, claim }: FileContext): Promise<Answer> {
  const now = deps.clock.now();
  const answer = await deps.withIdempotency(claim, { now }, async (tx) =>
    created(toDisputeResponse(await file(tx, deps, now, caller, body))),
  );
  deps.signal.queued();
  return answer;
}

async function file(
  tx: Tx,
  { config, ids, ledger }: DisputeDeps,
  now: Date,
  { platformId, livemode }: Owner,
  { eventId, reason }: FileContext['body'],
): Promise<Dispute> {
  const subjectId = (await findSubjectOfEvent(tx, { platformId, livemode }, eventId)) ?? failUnknownEvent();
  // Whoever else disputes or resolves, resets or reports about the subject waits from here on.
  await lockSubject(tx, subjectId);
  const event = (await readDisputableEvent(tx, subjectId, eventId)) ?? failUnknownEvent();
  if (!isDisputable(event.eventType)) {
    const message = `An event of type ${event.eventType} cannot be disputed, only a breach or a disputed outcome.`;
    return fail('CONFLICT', { message, details: { eventType: event.eventType } });
  }
  if (event.disputeId !== null) {
    const message = 'This event has had its dispute. There is one at most for an event.';
    return fail('CONFLICT', { message, details: { disputeId: event.disputeId } });
  }
  const id = ids.at(now);
  const reporter = { platformId, livemode, trustTier: event.platformTier };
  const filing = filingEvent(event, id, reason ?? null);
  const [filed] = await ledger.appendIn(tx, reporter, [filing], { by: 'engine' });
  if (!filed) throw new Error('the ledger answered for no event');
  const dispute: Dispute = {
    id,
    subjectId,
    platformId,
    livemode,
    eventId: event.eventId,
    externalId: event.externalId,
    status: 'OPEN',
    lapsed: false,
    openedAt: now,
    respondBy: new Date(now.getTime() + config.disputeWindowMs),
    resolvedAt: null,
    outcomeEventId: null,
  };
  await insertDispute(tx, dispute, filed.eventId);
  return dispute;
}

function failUnknownEvent(): never {
  return fail('NOT_FOUND', { message: 'There is no event of yours with this id.' });
}
