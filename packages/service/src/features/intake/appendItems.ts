import { z } from 'zod';
import type { Evidence } from '#domain/declaredSubject.js';
import { ServiceError, serviceError } from '#domain/errors.js';
import type { Reporter } from '#domain/outcomeEvent.js';
import { CONTENT_DIFFERS, REDUCED, type ReadEvent, type Warning } from '#domain/readOutcomeEvent.js';
import { ok, REPLAYED, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim } from '#kit/http/route.js';
import type { Ledger } from '#ledger/append/append.js';
import type { EventOutcome } from '#ledger/append/store.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { ProjectedScore, type ProjectOutcomes, projectedScores } from './foresee.js';

export const Warnings = z.array(z.object({ code: z.string(), message: z.string() }));

const ItemResult = z.object({
  index: z.int().min(0),
  status: z.enum(['created', 'skipped', 'failed']),
  eventId: z.uuid().optional(),
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
  warnings: Warnings.optional(),
});
type ItemResult = z.output<typeof ItemResult>;

/** The fields of an answer of `appendItems`. */
export const itemsRecorded = {
  results: z.array(ItemResult),
  createdCount: z.int().min(0),
  skippedCount: z.int().min(0),
  failedCount: z.int().min(0),
  dryRun: z.literal(true).optional(),
  projected: z.array(ProjectedScore).optional(),
};

/** `warnings` are about the whole request. */
export type ItemsRecorded = z.output<z.ZodObject<typeof itemsRecorded>> & { warnings?: readonly Warning[] };

interface ItemsToAppend {
  readonly reporter: Reporter;
  readonly claim: IdempotencyClaim | null;
  /** In the order of the request. The valid ones are recorded together. */
  readonly items: readonly ReadEvent[];
  readonly evidence: Evidence;
  /** About the whole request. */
  readonly warnings?: readonly Warning[];
  /** Set for a dry run: nothing is written, and the answer has the projected scores. */
  readonly project?: ProjectOutcomes | undefined;
}

/**
 * Records the valid items and answers for each one: an invalid item fails alone (RULES E12), also
 * one about a subject that another process has just erased.
 */
export async function appendItems(
  { ledger, erased }: AppendDeps,
  request: ItemsToAppend,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  try {
    return await appendAll(ledger, request);
  } catch (error) {
    const isErased = erased.among(request.reporter);
    const items = request.items.map((item) =>
      'event' in item && isErased(item.event.externalId) ? { refusal: serviceError('SUBJECT_ERASED') } : item,
    );
    const isOfSubject = error instanceof ServiceError && error.code === 'SUBJECT_ERASED';
    if (!isOfSubject || items.every((item, index) => item === request.items[index])) throw error;
    return appendAll(ledger, { ...request, items });
  }
}

type AppendDeps = Pick<ServiceDeps, 'ledger' | 'erased'>;

async function appendAll(
  ledger: Ledger,
  { reporter, claim, items, evidence, warnings = [], project }: ItemsToAppend,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const events = items.flatMap((item) => ('event' in item ? [item.event] : []));
  const body = (outcomes: readonly EventOutcome[]): ItemsRecorded => {
    const recorded = itemsRecordedOf(items, outcomes);
    return warnings.length === 0 ? recorded : { ...recorded, warnings };
  };
  const answer = await (project ? ledger.foresee : ledger.append)({
    reporter,
    events,
    claim,
    evidence,
    remember: (outcomes) => ({ status: 200, answer: body(outcomes) }),
  });
  const isReplay = answer.kind === 'replayed';
  const outcomes = isReplay ? [] : answer.outcomes;
  const recorded = isReplay ? (answer.remembered as ItemsRecorded) : body(outcomes);
  const headers = isReplay ? REPLAYED : undefined;
  if (!project) return ok(recorded, headers);
  const judged = events.map((event, index) => {
    const outcome = outcomes[index];
    const isVerified = event.isVerified && outcome?.reduced === null;
    return { ...event, userId: event.externalId, isVerified, added: outcome?.status === 'created' };
  });
  const projected = await projectedScores(project, reporter, judged);
  return ok({ ...recorded, dryRun: true, projected }, headers);
}

function itemsRecordedOf(items: readonly ReadEvent[], outcomes: readonly EventOutcome[]): ItemsRecorded {
  let next = 0;
  const results = items.map((item, index) => {
    if ('refusal' in item) return failedItem(index, item.refusal);
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('the ledger returned no outcome for an event');
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

function recordedItem(index: number, outcome: EventOutcome, warningsOfInput: readonly Warning[]): ItemResult {
  const warnings = [...warningsOfInput, ...warningsOf(outcome)];
  const { status, eventId } = outcome;
  return warnings.length === 0 ? { index, status, eventId } : { index, status, eventId, warnings };
}

/** Warnings about how an event was recorded. */
export function warningsOf({
  reduced,
  contentDiffers,
}: Pick<EventOutcome, 'reduced' | 'contentDiffers'>): Warning[] {
  return [...(reduced ? [REDUCED[reduced]] : []), ...(contentDiffers ? [CONTENT_DIFFERS] : [])];
}
