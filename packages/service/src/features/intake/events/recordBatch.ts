import { readOutcomeEvent } from '../../../domain/readOutcomeEvent.js';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { refusalOfTexts } from '../../../kit/http/text.js';
import { appendItems } from '../appendItems.js';
import type { EventDeps } from './deps.js';

/** POST /events/batch: each item stands or falls alone; what is good is recorded together. */
export function recordBatch(
  { ledger, clock }: EventDeps,
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
    const refusal = hasUnstorableText ? refusalOfTexts(raw, path) : null;
    return refusal ? { refusal } : readOutcomeEvent(raw, { livemode, now, path });
  });
  return appendItems(ledger, { reporter: caller, claim, items, evidence: { by: 'reporter' } });
}
