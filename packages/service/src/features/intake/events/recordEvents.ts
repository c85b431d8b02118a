import { z } from 'zod';
import { dateRange } from '#domain/dateOrTimestamp.js';
import { fail } from '#domain/errors.js';
import { LogReceipt } from '#domain/logProofs.js';
import { EventRecordSchema, eventRecordOf } from '#domain/outcomeEvent.js';
import { EventInput, readOutcomeEvent, type Warning } from '#domain/readOutcomeEvent.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import { created, REPLAYED, type TypedAnswer } from '#kit/http/answer.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { cursorParam, pageLimit, pageSchema, pathText } from '#kit/http/query.js';
import type { KeyAccess, KeyCaller, Owner, RequestContext } from '#kit/http/route.js';
import { refusalOfUnstorable } from '#kit/http/text.js';
import type { Ledger } from '#ledger/append/append.js';
import type { EventOutcome } from '#ledger/append/store.js';
import { awaitReceipt } from '#ledger/log/receipt.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { appendItems, type ItemsRecorded, itemsRecorded, Warnings, warningsOf } from '../appendItems.js';
import { dryRunQuery, isDryRun, ProjectedScore, type ProjectOutcomes, projectedScores } from '../foresee.js';
import { findEvent } from './store.js';

export const EventBody = looseItems(EventInput);

export type EventRecorded = z.output<typeof EventRecorded>;
export const EventRecorded = z
  .object({
    eventId: z.uuid(),
    event: EventRecordSchema,
    warnings: Warnings,
    receipt: LogReceipt.optional(),
    dryRun: z.literal(true).optional(),
    projected: ProjectedScore.optional(),
  })
  .meta({ id: 'EventRecorded' });

export const RecordQuery = z.object({
  receipt: z.enum(['0', '1']).optional(),
  ...dryRunQuery,
});

export const BatchQuery = z.object(dryRunQuery);

export const BatchBody = z
  .object({ events: z.array(looseItems(EventInput)).min(1).max(100) })
  .meta({ id: 'EventBatch' });

export const BatchRecorded = z.object(itemsRecorded).meta({ id: 'EventBatchRecorded' });

export const ExportQuery = z.object({
  ...dateRange,
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(1000, 100),
});

export type ExportPage = z.output<typeof ExportPage>;
export const ExportPage = pageSchema('events', EventRecordSchema).meta({ id: 'EventExportPage' });

export const eventPath = z.object({
  id: pathText(),
});

type RecordDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ledger' | 'wakes' | 'erased'> & {
  readonly projectOutcomes: ProjectOutcomes;
};
type Context<Body extends z.ZodType, Query = undefined> = RequestContext<
  KeyAccess,
  z.output<Body>,
  Query,
  undefined
>;
type Recorded = TypedAnswer<201, EventRecorded>;

/** POST /events: records one outcome, once for each Idempotency-Key and each item key. */
export function recordEvent(
  deps: RecordDeps,
  context: Context<typeof EventBody, z.output<typeof RecordQuery>>,
): Promise<Recorded> {
  const { caller, query } = context;
  if (isDryRun(query)) {
    return record(deps, context, deps.ledger.foresee).then((each) => withProjection(deps, caller, each));
  }
  const recorded = record(deps, context, deps.ledger.append);
  if (query.receipt !== '1') return recorded;
  return recorded.then((each) => withReceipt(deps, caller, each));
}

async function withProjection(
  { projectOutcomes }: RecordDeps,
  caller: KeyCaller,
  { body, headers }: Recorded,
): Promise<Recorded> {
  const recorded: EventRecorded = body;
  const added = headers === undefined;
  const [projected] = await projectedScores(projectOutcomes, caller, [{ ...recorded.event, added }]);
  return created({ ...recorded, dryRun: true, projected }, headers);
}

/** The event is committed: it is answered in any case. */
async function withReceipt(
  { db, wakes }: RecordDeps,
  { platformId, livemode }: Owner,
  recorded: Recorded,
): Promise<Recorded> {
  const { headers } = recorded;
  const body: EventRecorded = recorded.body;
  if (!livemode) return created({ ...body, warnings: [...body.warnings, NO_RECEIPT_IN_TEST] }, headers);
  wakes.raise('facts');
  const receipt = await awaitReceipt(db, platformId, body.eventId).catch(() => null);
  if (receipt) return created({ ...body, receipt }, headers);
  return created({ ...body, warnings: [...body.warnings, RECEIPT_PENDING] }, headers);
}

const RECEIPT_PENDING: Warning = {
  code: 'RECEIPT_PENDING',
  message: 'The log took longer than 5 s. Read the receipt later at GET /events/{id}/receipt.',
};

const NO_RECEIPT_IN_TEST: Warning = {
  code: 'TEST_MODE_NOT_ALLOWED',
  message: 'Test events are not logged, so they have no receipt.',
};

async function record(
  deps: RecordDeps,
  { body, caller, claim }: Pick<Context<typeof EventBody>, 'body' | 'caller' | 'claim'>,
  append: Ledger['append'],
): Promise<Recorded> {
  const read = readOutcomeEvent(body, {
    livemode: caller.livemode,
    now: deps.clock.now(),
    isErased: deps.erased.among(caller),
  });
  if ('refusal' in read) throw read.refusal;
  const answer = await append({
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
  if (!outcome) throw new Error('the ledger returned no outcome for an event');
  if (outcome.status === 'skipped') return replayed(deps, caller, outcome, read.warnings);
  const { eventId } = outcome;
  const event = eventRecordOf(read.event, {
    eventId,
    isVerified: read.event.isVerified && outcome.reduced === null,
    livemode: caller.livemode,
    createdAt: answer.createdAt,
    reportedBy: caller.keyId,
  });
  return created({ eventId, event, warnings: [...read.warnings, ...warningsOf(outcome)] });
}

async function replayed(
  { db }: RecordDeps,
  owner: Owner,
  remembered: Remembered,
  warnings: readonly Warning[],
): Promise<Recorded> {
  const { eventId } = remembered;
  const event = await findEvent(db, owner, eventId);
  if (!event) {
    return fail('CONFLICT', {
      message: 'A test reset has just deleted the event of this key. Send it again.',
    });
  }
  return created({ eventId, event, warnings: [...warnings, ...warningsOf(remembered)] }, REPLAYED);
}

type Remembered = Omit<EventOutcome, 'status'>;

function rememberedOutcome(remembered: unknown): Remembered {
  if (typeof remembered === 'object' && remembered !== null && 'eventId' in remembered) {
    const contentDiffers = 'contentDiffers' in remembered && remembered.contentDiffers === true;
    const reduced = 'reduced' in remembered && remembered.reduced !== null ? 'own' : null;
    return { eventId: String(remembered.eventId), contentDiffers, reduced };
  }
  throw new Error('an idempotency row of POST /events has no event id');
}

/** POST /events/batch: an invalid item fails alone; the valid ones are recorded together. */
export async function recordBatch(
  {
    ledger,
    clock,
    erased,
    projectOutcomes,
  }: Pick<RecordDeps, 'ledger' | 'clock' | 'erased' | 'projectOutcomes'>,
  { body, caller, claim, hasUnstorable, query }: Context<typeof BatchBody, z.output<typeof BatchQuery>>,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const { livemode } = caller;
  const options = { livemode, now: clock.now(), isErased: erased.among(caller) };
  const items = await mapInTurns(body.events, (raw, index) => {
    const path = `events.${index}`;
    const refusal = hasUnstorable ? refusalOfUnstorable(raw, path) : null;
    return refusal ? { refusal } : readOutcomeEvent(raw, { path, ...options });
  });
  const project = isDryRun(query) ? projectOutcomes : undefined;
  const evidence = { by: 'reporter' } as const;
  return appendItems({ ledger, erased }, { reporter: caller, claim, items, evidence, project });
}
