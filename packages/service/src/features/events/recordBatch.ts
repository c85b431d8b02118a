import { type ServiceError, sentenceOf, serviceError } from '../../domain/errors.js';
import { type ReadEvent, readOutcomeEvent, type Warning } from '../../domain/readOutcomeEvent.js';
import { type Answer, ok, REPLAYED } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { findUnstorableText } from '../../kit/http/text.js';
import type { EventOutcome } from '../../ledger/stampedEvent.js';
import type { EventParts } from './parts.js';
import { CONTENT_DIFFERS } from './recordEvent.js';

interface ItemResult {
  index: number;
  status: 'created' | 'skipped' | 'failed';
  eventId?: string;
  error?: { code: string; message: string; details?: unknown };
  warnings?: readonly Warning[];
}

/** POST /events/batch: each item stands or falls alone; what is good is recorded together. */
export async function recordBatch(
  { ledger, clock }: EventParts,
  {
    body,
    caller,
    claim,
    hasUnstorableText,
  }: RequestContext<KeyAccess, { events: unknown[] }, undefined, undefined>,
): Promise<Answer> {
  const { livemode } = caller;
  const now = clock.now();
  const items = body.events.map((raw, index) => {
    const path = `events.${index}`;
    const refused = hasUnstorableText ? refusalOfTexts(raw, path) : null;
    return refused ?? readOutcomeEvent(raw, { livemode, now, path });
  });
  const answer = await ledger.append({
    reporter: caller,
    events: items.flatMap((item) => ('event' in item ? [item.event] : [])),
    claim,
    remember: (outcomes) => ({ status: 200, answer: batchBody(items, outcomes) }),
  });
  if (answer.kind === 'replayed') return ok(Object(answer.remembered), REPLAYED);
  return ok(batchBody(items, answer.outcomes));
}

function refusalOfTexts(raw: unknown, path: string): ReadEvent | null {
  const fault = findUnstorableText(raw);
  if (!fault) return null;
  const details = [{ ...fault, path: fault.path === '' ? path : `${path}.${fault.path}` }];
  return { refusal: serviceError('VALIDATION_ERROR', { message: sentenceOf(details), details }) };
}

function batchBody(items: readonly ReadEvent[], outcomes: readonly EventOutcome[]): object {
  let next = 0;
  const results = items.map((item, index) => {
    if ('refusal' in item) return failedItem(index, item.refusal);
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('the ledger left an event without an outcome');
    return recordedItem(index, outcome, item.warnings);
  });
  const count = (status: ItemResult['status']) => results.filter((result) => result.status === status).length;
  return {
    results,
    createdCount: count('created'),
    skippedCount: count('skipped'),
    failedCount: count('failed'),
  };
}

function failedItem(index: number, { code, message, details }: ServiceError): ItemResult {
  return {
    index,
    status: 'failed',
    error: details === undefined ? { code, message } : { code, message, details },
  };
}

function recordedItem(index: number, outcome: EventOutcome, said: readonly Warning[]): ItemResult {
  const warnings = outcome.contentDiffers ? [...said, CONTENT_DIFFERS] : said;
  const { status, eventId } = outcome;
  return warnings.length === 0 ? { index, status, eventId } : { index, status, eventId, warnings };
}
