import { readConfirmationRequest } from '../../domain/confirmationRequest.js';
import type { ServiceError } from '../../domain/errors.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { refusalOfTexts } from '../../kit/http/text.js';
import { askerOf } from '../../ledger/answerEvidence.js';
import { type Draft, draftOf, handedOut, recordOf, writeDrafts } from './draft.js';
import { errorOf } from './itemError.js';
import type { ConfirmationParts } from './parts.js';

type Context = RequestContext<KeyAccess, { confirmations: unknown[] }, undefined, undefined>;
type Item = Draft | { readonly refusal: ServiceError };

/** POST /confirmations/batch: each item stands or falls alone; what is good is written together. */
export function createBatch(parts: ConfirmationParts, context: Context): Promise<Answer> {
  const { caller, claim } = context;
  const now = parts.clock.now();
  const items = itemsOf(parts, context, now);
  return parts.once.run(claim, { now, isSecret: true }, async (tx) => {
    const drafts = items.flatMap((item) => ('refusal' in item ? [] : [item]));
    await writeDrafts(tx, parts, caller, drafts);
    return ok({
      results: items.map((item, index) => resultOf(parts, item, index)),
      createdCount: drafts.length,
      skippedCount: 0,
      failedCount: items.length - drafts.length,
    });
  });
}

function itemsOf(parts: ConfirmationParts, context: Context, now: Date): readonly Item[] {
  const { body, caller, hasUnstorableText } = context;
  const asker = askerOf(context);
  const options = { livemode: caller.livemode, now, expiryHours: parts.config.confirmationExpiryHours };
  return body.confirmations.map((raw, index) => {
    const path = `confirmations.${index}`;
    const refusal = hasUnstorableText ? refusalOfTexts(raw, path) : null;
    if (refusal) return { refusal };
    const read = readConfirmationRequest(raw, { ...options, path });
    return 'refusal' in read ? read : draftOf(parts, caller, read.request, { now, asker });
  });
}

function resultOf({ config }: ConfirmationParts, item: Item, index: number): object {
  if ('refusal' in item) return { index, status: 'failed', error: errorOf(item.refusal) };
  return { index, status: 'created', confirmation: recordOf(item), ...handedOut(config.baseUrl, item) };
}
