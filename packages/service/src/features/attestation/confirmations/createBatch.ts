import type { ServiceError } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { refusalOfTexts } from '../../../kit/http/text.js';
import { askerOf } from '../attestations/answerEvidence.js';
import { type Draft, draftOf, handedOut, recordOf, writeDrafts } from '../attestations/drafts.js';
import { readConfirmationRequest } from './confirmationRequest.js';
import type { ConfirmationDeps } from './deps.js';
import { errorOf } from './itemError.js';
import { loadSelfRefusal } from './selfAsked.js';

type Context = RequestContext<KeyAccess, { confirmations: unknown[] }, undefined, undefined>;
type Item = Draft | { readonly refusal: ServiceError };

/** POST /confirmations/batch: each item stands or falls alone; what is good is written together. */
export function createBatch(deps: ConfirmationDeps, context: Context): Promise<Answer> {
  const { caller, claim } = context;
  const now = deps.clock.now();
  const read = itemsOf(deps, context, now);
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const items = await withSelfRefusals(tx, caller, read);
    const drafts = items.flatMap((item) => ('refusal' in item ? [] : [item]));
    await writeDrafts(tx, deps, caller, drafts);
    return ok({
      results: items.map((item, index) => resultOf(deps, item, index)),
      createdCount: drafts.length,
      skippedCount: 0,
      failedCount: items.length - drafts.length,
    });
  });
}

function itemsOf(deps: ConfirmationDeps, context: Context, now: Date): readonly Item[] {
  const { body, caller, hasUnstorableText } = context;
  const asker = askerOf(context);
  const options = { livemode: caller.livemode, now, expiryHours: deps.config.confirmationExpiryHours };
  return body.confirmations.map((raw, index) => {
    const path = `confirmations.${index}`;
    const refusal = hasUnstorableText ? refusalOfTexts(raw, path) : null;
    if (refusal) return { refusal };
    const read = readConfirmationRequest(raw, { ...options, path });
    return 'refusal' in read ? read : draftOf(deps, caller, read.request, { now, asker });
  });
}

async function withSelfRefusals(tx: Tx, caller: KeyCaller, items: readonly Item[]): Promise<Item[]> {
  const requests = items.flatMap((item) => ('refusal' in item ? [] : [item.row.request]));
  const refusalOf = await loadSelfRefusal(tx, caller, requests);
  return items.map((item) => {
    const refusal = 'refusal' in item ? null : refusalOf(item.row.request);
    return refusal ? { refusal } : item;
  });
}

function resultOf({ config }: ConfirmationDeps, item: Item, index: number): object {
  if ('refusal' in item) return { index, status: 'failed', error: errorOf(item.refusal) };
  return { index, status: 'created', confirmation: recordOf(item), ...handedOut(config.baseUrl, item) };
}
