import type { ServiceError } from '#domain/errors.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import type { Queryable } from '#kit/db/database.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '#kit/http/route.js';
import { refusalOfUnstorable } from '#kit/http/text.js';
import type { IdSource } from '#kit/ids.js';
import { type AskingContext, draftOf, loadSelfRefusal, writeDrafts } from '../attestations/drafts.js';
import type { AttestationDeps, Draft } from '../attestations/kind.js';
import { attestationUrls } from '../attestations/tokens.js';
import type { ConfirmationTypes } from './kind.js';
import { confirmation } from './kind.js';
import type { ConfirmationBatchCreated, ConfirmationCreated, HandedOut, ItemError } from './schemas.js';
import { type ConfirmationRequest, readConfirmationRequest } from './schemas.js';

export type ConfirmationDraft = Draft<ConfirmationTypes>;
type CreateContext<Body> = RequestContext<KeyAccess, Body, undefined, undefined>;

/** POST /confirmations: contacts nobody; the platform hands the token on (RULES A6). */
export function createConfirmation(
  deps: AttestationDeps,
  context: CreateContext<unknown>,
): Promise<TypedAnswer<201, ConfirmationCreated>> {
  const { caller, body, claim } = context;
  const { baseUrl, confirmationExpiryHours: expiryHours } = deps.config;
  const now = deps.clock.now();
  const isErased = deps.erased.among(caller);
  const read = readConfirmationRequest(body, { livemode: caller.livemode, now, expiryHours, isErased });
  if ('refusal' in read) throw read.refusal;
  const { request } = read;
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const refusal = (await loadSelfRefusal(tx, confirmation, caller, [request]))(request);
    if (refusal) throw refusal;
    const draft = confirmationDraft(deps, context, request, now);
    await writeDrafts(tx, deps, confirmation, context, [draft]);
    return created({
      confirmation: confirmation.toResponse(draft.attestation, now),
      ...handedOut(baseUrl, draft),
    });
  });
}

type Item = { readonly request: ConfirmationRequest } | { readonly refusal: ServiceError };

/**
 * POST /confirmations/batch: each item succeeds or fails alone, and the valid ones are written
 * together.
 */
export async function createBatch(
  deps: AttestationDeps,
  context: CreateContext<{ confirmations: unknown[] }>,
): Promise<TypedAnswer<200, ConfirmationBatchCreated>> {
  const { caller, claim } = context;
  const now = deps.clock.now();
  const read = await readItems(deps, context, now);
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const items = await refuseSelf(tx, caller, read);
    const drafts: ConfirmationDraft[] = [];
    const results = await mapInTurns(items, (item, index) => {
      if ('refusal' in item) return { index, status: 'failed' as const, error: errorOf(item.refusal) };
      const draft = confirmationDraft(deps, context, item.request, now);
      drafts.push(draft);
      const handed = handedOut(deps.config.baseUrl, draft);
      return {
        index,
        status: 'created' as const,
        confirmation: confirmation.toResponse(draft.attestation, now),
        ...handed,
      };
    });
    await writeDrafts(tx, deps, confirmation, context, drafts);
    const createdCount = drafts.length;
    return ok({ results, createdCount, skippedCount: 0, failedCount: items.length - createdCount });
  });
}

function readItems(
  { config, erased }: AttestationDeps,
  { body, caller, hasUnstorable }: CreateContext<{ confirmations: unknown[] }>,
  now: Date,
): Promise<Item[]> {
  const options = {
    livemode: caller.livemode,
    now,
    expiryHours: config.confirmationExpiryHours,
    isErased: erased.among(caller),
  };
  return mapInTurns(body.confirmations, (raw, index) => {
    const path = `confirmations.${index}`;
    const refusal = hasUnstorable ? refusalOfUnstorable(raw, path) : null;
    return refusal ? { refusal } : readConfirmationRequest(raw, { ...options, path });
  });
}

async function refuseSelf(db: Queryable, caller: KeyCaller, items: readonly Item[]): Promise<Item[]> {
  const requests = items.flatMap((item) => ('request' in item ? [item.request] : []));
  const refusalOf = await loadSelfRefusal(db, confirmation, caller, requests);
  return mapInTurns(items, (item) => {
    const refusal = 'request' in item ? refusalOf(item.request) : null;
    return refusal ? { refusal } : item;
  });
}

export function confirmationDraft(
  { ids }: { ids: IdSource },
  context: AskingContext,
  { metadata, expiresAt, ...request }: ConfirmationRequest,
  createdAt: Date,
  campaign: { readonly id: string; readonly rowKey: string } | null = null,
): ConfirmationDraft {
  const attestation = {
    id: ids.at(createdAt),
    status: 'PENDING' as const,
    ...request,
    campaignId: campaign?.id ?? null,
    eventId: null,
    createdAt,
    expiresAt,
    respondedAt: null,
    answer: null,
  };
  return draftOf(confirmation, context, attestation, { metadata, rowKey: campaign?.rowKey ?? null });
}

/** What the platform hands on. The token is in this response only. */
export function handedOut(baseUrl: string, { attestation, token }: ConfirmationDraft): HandedOut {
  const { pageUrl, ...urls } = attestationUrls(confirmation, baseUrl, attestation.id, token);
  return { confirmationToken: token, confirmUrl: pageUrl, ...urls };
}

/** Why an item of a batch or a row of a campaign failed. */
export function errorOf({ code, message, details }: ServiceError): ItemError {
  return details === undefined ? { code, message } : { code, message, details };
}
