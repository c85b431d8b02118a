import { fail } from '../../../domain/errors.js';
import { eventRecordOf } from '../../../domain/eventRecord.js';
import { readOutcomeEvent, type Warning } from '../../../domain/readOutcomeEvent.js';
import { type Answer, created, REPLAYED } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { EventOutcome } from '../../../ledger/append/stampedEvent.js';
import { warningsOf } from '../appendItems.js';
import type { EventDeps } from './deps.js';
import { findEvent } from './store.js';

/** POST /events: records one outcome, once under each Idempotency-Key and each item key. */
export async function recordEvent(
  deps: EventDeps,
  { body, caller, claim }: RequestContext<KeyAccess, unknown, undefined, undefined>,
): Promise<Answer> {
  const read = readOutcomeEvent(body, { livemode: caller.livemode, now: deps.clock.now() });
  if ('refusal' in read) throw read.refusal;
  const answer = await deps.ledger.append({
    reporter: caller,
    events: [read.event],
    claim,
    evidence: { by: 'reporter' },
    remember: ([outcome]) => ({ status: 201, answer: outcome }),
  });
  if (answer.kind === 'replayed') {
    return replayed(deps, caller, rememberedOutcome(answer.remembered), read.warnings);
  }
  const [outcome] = answer.outcomes;
  if (!outcome) throw new Error('the ledger answered for no event');
  if (outcome.status === 'skipped') return replayed(deps, caller, outcome, read.warnings);
  const { eventId } = outcome;
  const event = eventRecordOf(read.event, {
    eventId,
    isVerified: read.event.isVerified && outcome.reduced === null,
    livemode: caller.livemode,
    createdAt: answer.createdAt,
  });
  return created({ eventId, event, warnings: [...read.warnings, ...warningsOf(outcome)] });
}

async function replayed(
  { db }: EventDeps,
  caller: { platformId: string; livemode: boolean },
  remembered: Remembered,
  said: readonly Warning[],
): Promise<Answer> {
  const { eventId } = remembered;
  const event = await findEvent(db, caller, eventId);
  if (!event)
    return fail('CONFLICT', { message: 'The event of this key was deleted by a test reset a moment ago.' });
  return created({ eventId, event, warnings: [...said, ...warningsOf(remembered)] }, REPLAYED);
}

type Remembered = Omit<EventOutcome, 'status'>;

function rememberedOutcome(remembered: unknown): Remembered {
  if (typeof remembered === 'object' && remembered !== null && 'eventId' in remembered) {
    const contentDiffers = 'contentDiffers' in remembered && remembered.contentDiffers === true;
    // `isReduced` is how it was remembered before there was more than one reason.
    const isReduced = 'isReduced' in remembered && remembered.isReduced === true;
    const reduced = isReduced || ('reduced' in remembered && remembered.reduced !== null) ? 'own' : null;
    return { eventId: String(remembered.eventId), contentDiffers, reduced };
  }
  throw new Error('an idempotency row of POST /events holds no event id');
}
