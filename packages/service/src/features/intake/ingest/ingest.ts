import { z } from 'zod';
import { fail, failValidation } from '#domain/errors.js';
import { applyMapping, readMappedEvent } from '#domain/mapping/applyMapping.js';
import { usableMapping } from '#domain/mapping/compileMapping.js';
import { shortened } from '#domain/mapping/unusable.js';
import type { Warning } from '#domain/readOutcomeEvent.js';
import { namesOf } from '#domain/sameParty.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import { created, noContent, ok, REPLAYED, type TypedAnswer } from '#kit/http/answer.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import {
  type IdempotencyClaim,
  type KeyAccess,
  keyFor,
  type Owner,
  type RequestContext,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { findUnstorable, refusalOfUnstorable } from '#kit/http/text.js';
import { assertSameRequest, findClaims } from '#ledger/requests/idempotency.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { appendItems, type ItemsRecorded, itemsRecorded, Warnings } from '../appendItems.js';
import { dryRunQuery, isDryRun, type ProjectOutcomes } from '../foresee.js';
import {
  deleteMapping,
  failUnknownMapping,
  findChosenMapping,
  listMappings,
  lockMappings,
  MAPPING_GUIDE,
  MappingPage,
  MappingQuery,
  MappingRules,
  mappingPath,
  NewMapping,
  readMapping,
  SavedMapping,
} from '../mappings.js';

const Record = z.record(z.string(), z.unknown());

/** Loose, so that a warning can name a misspelt property. */
export const IngestBody = z
  .looseObject({
    records: z.array(looseItems(Record)).min(1).max(100),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z.string().max(255).meta({ format: 'uuid' }).nullish(),
  })
  .meta({ id: 'IngestRequest' });

export const Ingested = z
  .object({
    ...itemsRecorded,
    warnings: Warnings.optional(),
  })
  .meta({ id: 'Ingested' });

export const IngestQuery = z.object(dryRunQuery);

type IngestDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'ledger' | 'erased' | 'withIdempotency'> & {
  readonly projectOutcomes: ProjectOutcomes;
};

/** Outcomes in the platform's own shape, and the mappings that read them. */
export function ingestRoutes(deps: IngestDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Ingest' };
  const onOne = { ...own, params: mappingPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /ingest': route({
      operationId: 'ingestRecords',
      ...own,
      summary: 'Record up to 100 outcomes in your own shape',
      description:
        'An invalid record fails alone. Its error names the field and the path in the record. Map an ' +
        `\`idempotencyKey\`, and a repeated record is skipped and answered with its first event.\n\n${MAPPING_GUIDE}`,
      idempotent: true,
      body: IngestBody,
      query: IngestQuery,
      itemsStandAlone: true,
      answers: { 200: Ingested },
      errors: ['INGEST_MAPPING_INVALID', 'NOT_FOUND', 'SUBJECT_ERASED'],
      handle: (context) => ingestRecords(deps, context),
    }),
    'POST /ingest/mappings': route({
      operationId: 'saveMapping',
      ...own,
      idempotent: true,
      body: NewMapping,
      answers: { 201: SavedMapping },
      errors: ['INGEST_MAPPING_INVALID', 'CONFLICT'],
      handle: ({ owner, body, claim }) => saveMapping(deps, owner, body, claim),
    }),
    'GET /ingest/mappings': route({
      operationId: 'listMappings',
      ...own,
      query: MappingQuery,
      answers: { 200: MappingPage },
      handle: async ({ owner, query }) => ok(await listMappings(deps.db, owner, query)),
    }),
    'GET /ingest/mappings/{id}': route({
      operationId: 'readMapping',
      ...onOne,
      answers: { 200: SavedMapping },
      handle: async ({ owner, params }) => ok(await readMapping(deps.db, owner, params.id)),
    }),
    'DELETE /ingest/mappings/{id}': route({
      operationId: 'deleteMapping',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMapping(deps.db, owner, params.id);
        return noContent();
      },
    }),
  };
}

type Context = RequestContext<
  KeyAccess,
  z.output<typeof IngestBody>,
  z.output<typeof IngestQuery>,
  undefined
>;

/** POST /ingest: records in the platform's own shape. An invalid one fails alone. */
export async function ingestRecords(
  { db, clock, ledger, erased, projectOutcomes }: IngestDeps,
  { body, caller, claim, hasUnstorable, query }: Context,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const { records, ...rest } = body;
  const error = hasUnstorable ? findUnstorable(rest) : null;
  if (error) failValidation([error]);
  const mapping = await findChosenMapping(db, caller, body);
  if (!mapping) return earlierAnswer(db, claim);
  const { livemode } = caller;
  const options = { livemode, now: clock.now(), isErased: erased.among(caller), isImport: false };
  const items = await mapInTurns(records, (raw, index) => {
    const path = `records.${index}`;
    const refusal = hasUnstorable ? refusalOfUnstorable(raw, path) : null;
    if (refusal) return { refusal };
    return readMappedEvent(applyMapping(mapping, raw), { ...options, path });
  });
  const evidence = { by: 'named', platform: namesOf([caller.platformName]) } as const;
  const warnings = unknownProperties(rest);
  const project = isDryRun(query) ? projectOutcomes : undefined;
  return appendItems({ ledger, erased }, { reporter: caller, claim, items, evidence, warnings, project });
}

/** A repeated request gets its first answer, even if its saved mapping has been deleted since. */
async function earlierAnswer(
  db: Queryable,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const stored = claim && (await findClaims(db, [claim.keyId])).get(claim.keyId);
  if (!stored) return failUnknownMapping();
  assertSameRequest(stored, claim);
  return ok(stored.answer as ItemsRecorded, REPLAYED);
}

const MAX_UNKNOWN_NAMED = 20;

/** Only beside `records`: inside of them unknown names belong to the platform. */
function unknownProperties(body: object): Warning[] {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(IngestBody.shape, name));
  return unknown.slice(0, MAX_UNKNOWN_NAMED).map((name) => ({
    code: 'UNKNOWN_FIELD',
    message: `"${shortened(name)}" is not a property of this request and was ignored.`,
  }));
}

/** Per platform, for both modes together. */
const MAX_MAPPINGS = 500;

/** POST /ingest/mappings: validates the whole mapping, so that every saved one can be used. */
export function saveMapping(
  { clock, ids, withIdempotency }: IngestDeps,
  owner: Owner,
  { name, mapping }: NewMapping,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, SavedMapping>> {
  // The rules as they were sent.
  const rules = usableMapping(mapping).rules as SavedMapping['mapping'];
  const now = clock.now();
  return withIdempotency(claim, { now }, async (tx) => {
    await assertCanAdd(tx, owner, name);
    const saved: SavedMapping = { id: ids.at(now), name, mapping: rules, createdAt: now };
    await insertRow(tx, 'saved_mapping', {
      platformId: owner.platformId,
      mappingId: saved.id,
      name,
      rules: JSON.stringify(rules),
      createdAt: now,
    });
    return created(saved);
  });
}

async function assertCanAdd(tx: Tx, owner: Owner, name: string): Promise<void> {
  const { count, hasName } = await lockMappings(tx, owner, name);
  if (hasName) fail('CONFLICT', { message: 'There is already a mapping with this name.', details: { name } });
  if (count < MAX_MAPPINGS) return;
  const message = `A platform can save at most ${MAX_MAPPINGS} mappings. Delete one first.`;
  fail('CONFLICT', { message, details: { limit: MAX_MAPPINGS } });
}
