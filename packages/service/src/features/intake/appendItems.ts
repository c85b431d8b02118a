import type { ServiceError } from '../../domain/errors.js';
import type { Evidence } from '../../domain/evidence.js';
import type { Reporter } from '../../domain/outcomeEvent.js';
import { CONTENT_DIFFERS, REDUCED, type ReadEvent, type Warning } from '../../domain/readOutcomeEvent.js';
import { type Answer, ok, REPLAYED } from '../../kit/http/answer.js';
import type { IdempotencyClaim } from '../../kit/http/route.js';
import type { Ledger } from '../../ledger/append/append.js';
import type { EventOutcome } from '../../ledger/append/stampedEvent.js';

interface ItemsToAppend {
  readonly reporter: Reporter;
  readonly claim: IdempotencyClaim | null;
  /** In the order of the request: what is good of them is recorded together. */
  readonly items: readonly ReadEvent[];
  readonly evidence: Evidence;
  /** What the answer says besides of the request as a whole. */
  readonly said?: object;
}

interface ItemResult {
  index: number;
  status: 'created' | 'skipped' | 'failed';
  eventId?: string;
  error?: { code: string; message: string; details?: unknown };
  warnings?: readonly Warning[];
}

/** Records items each of which stands or falls alone, and answers for every one of them (RULES E12). */
export async function appendItems(
  ledger: Ledger,
  { reporter, claim, items, evidence, said = {} }: ItemsToAppend,
): Promise<Answer> {
  const body = (outcomes: readonly EventOutcome[]) => ({ ...batchBody(items, outcomes), ...said });
  const answer = await ledger.append({
    reporter,
    events: items.flatMap((item) => ('event' in item ? [item.event] : [])),
    claim,
    evidence,
    remember: (outcomes) => ({ status: 200, answer: body(outcomes) }),
  });
  if (answer.kind === 'replayed') return ok(Object(answer.remembered), REPLAYED);
  return ok(body(answer.outcomes));
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
  const warnings = [...said, ...warningsOf(outcome)];
  const { status, eventId } = outcome;
  return warnings.length === 0 ? { index, status, eventId } : { index, status, eventId, warnings };
}

/** What is said beside an event because of how it was recorded. */
export function warningsOf({
  reduced,
  contentDiffers,
}: Pick<EventOutcome, 'reduced' | 'contentDiffers'>): Warning[] {
  return [...(reduced ? [REDUCED[reduced]] : []), ...(contentDiffers ? [CONTENT_DIFFERS] : [])];
}
