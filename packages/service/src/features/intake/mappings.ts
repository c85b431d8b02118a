import { z } from 'zod';
import { fail, failValidation } from '#domain/errors.js';
import { MAX_MAPPING_BYTES, usableMapping } from '#domain/mapping/compileMapping.js';
import type { Mapping } from '#domain/mapping/mapping.js';
import { type MappingField, mappingFields, transformNames } from '#domain/mapping/values.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText, storableText } from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { pageById } from '#ledger/reads/ownedRows.js';

const Scalar = z.union([z.string().max(MAX_MAPPING_BYTES), z.number(), z.boolean()]);

const MappingRule = z
  .object({
    path: z.string().min(1).max(255).optional(),
    constant: Scalar.optional(),
    transform: z.enum(transformNames).optional(),
    table: z.record(z.string(), Scalar).optional(),
    default: Scalar.optional(),
  })
  .meta({ id: 'MappingRule' });

/** For the API reference. `compileMapping` validates mappings. */
export const MappingRules = z
  .object({
    ...(Object.fromEntries(
      Object.keys(mappingFields).map((field) => [
        field,
        field === 'userId' || field === 'eventType' ? MappingRule : MappingRule.optional(),
      ]),
    ) as Record<MappingField, typeof MappingRule>),
    metadata: z.record(z.string(), MappingRule).optional(),
  })
  .meta({ id: 'Mapping' });

/** For the descriptions of operations that take a mapping. */
export const MAPPING_GUIDE = `**Mapping.** One rule for each field of an event, for \`verifiedBy\`, and for each entry of \`metadata\`.

\`{"path": "order.status"}\` reads the value at this path. A property or column with the whole name, including the dots, takes precedence. If the value is missing, null or an empty text, the \`default\` is used; without a default, the field is left out.

\`{"path": …, "table": {"done": "CONTRACT_FULFILLED"}}\` looks the value up. A record whose value is not in the table fails unless there is a \`default\`.

\`{"path": …, "transform": …}\` changes the value. \`cents_to_units\` divides a whole number by 100. \`iso_date\` takes an ISO 8601 date (the start of that day in UTC) or timestamp (in UTC if it has no offset), 10 digits of Unix seconds or 13 of milliseconds. \`day_month_year\` takes 03.10.2026 and 3/10/26, \`month_day_year\` the same with the month first; the year 70 is 1970, the year 69 is 2069. \`decimal_comma\` takes 1.250,50. \`lowercase\` and \`trim\` change text; numbers and booleans are unchanged. \`boolean\` takes true, t, yes, y, on, 1 and false, f, no, n, off, 0, in any case.

\`{"constant": "LOW"}\` sets the same value for every record.

**Nothing is guessed.** Without a transform, a text is accepted for a field of another type if it is a number with a decimal point, \`true\` or \`false\`, or an RFC 3339 timestamp; a whole number is accepted as an id. A number, a date, or a yes or no has at most 64 characters. Any other value fails the record, for example 12,50 as an amount or 03/04/2024 as a date without its transform, or 31 February with any. \`POST /imports/detect\` says how a file writes its dates and numbers. Constants, defaults and the values of a table are used without a change, so a mapping is refused if one of them is invalid for its field.

**Verification.** \`isVerified\` counts only if \`verifiedBy\` names another party for that record. The subject, its operator and your platform, in any spelling, are not another party. For an agent or business that your platform runs itself it never counts. If it does not count, false is recorded with the warning \`VERIFICATION_DOWNGRADED\`. The \`attester\` of an event is the party that verified it. Your metadata is unchanged.`;

/** The mapping of a request: its rules, or the id of a saved one. */
export interface MappingChoice {
  readonly mapping?: unknown;
  readonly mappingId?: string | null | undefined;
}

/**
 * The compiled mapping of a request that records or imports. Throws VALIDATION_ERROR unless the
 * request has exactly one of the two, INGEST_MAPPING_INVALID with every error, or NOT_FOUND.
 */
export async function chosenMapping(db: Queryable, owner: Owner, choice: MappingChoice): Promise<Mapping> {
  return (await findChosenMapping(db, owner, choice)) ?? failUnknownMapping();
}

/** The same, but undefined if there is no saved mapping with the id. */
export async function findChosenMapping(
  db: Queryable,
  owner: Owner,
  { mapping, mappingId }: MappingChoice,
): Promise<Mapping | undefined> {
  const hasRules = mapping !== undefined && mapping !== null;
  if (typeof mappingId !== 'string') {
    if (hasRules) return usableMapping(mapping);
    const message = 'is required if there is no `mappingId`';
    return failValidation([{ path: 'mapping', code: 'required', message }]);
  }
  if (hasRules) {
    const message = 'cannot be combined with `mapping`. Send one of the two';
    return failValidation([{ path: 'mappingId', code: 'custom', message }]);
  }
  const saved = await findMapping(db, owner, mappingId);
  return saved && usableMapping(saved.mapping);
}

export type NewMapping = z.output<typeof NewMapping>;
export const NewMapping = z
  .object({ name: storableText(1, 255), mapping: looseItems(MappingRules) })
  .meta({ id: 'NewMapping' });

export type SavedMapping = z.output<typeof SavedMapping>;
export const SavedMapping = z
  .object({
    id: z.uuid(),
    name: z.string(),
    mapping: MappingRules,
    createdAt: instant,
  })
  .meta({ id: 'SavedMapping' });

export const MappingPage = pageSchema('mappings', SavedMapping).meta({ id: 'SavedMappingPage' });

export const MappingQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

export const mappingPath = z.object({
  id: pathText(),
});

const SELECT_MAPPING = `select mapping_id as id, name, rules as mapping, created_at
  from saved_mapping where platform_id = $1`;

/** Throws NOT_FOUND. */
export async function readMapping(db: Queryable, owner: Owner, id: string): Promise<SavedMapping> {
  return (await findMapping(db, owner, id)) ?? failUnknownMapping();
}

export async function findMapping(
  db: Queryable,
  { platformId }: Owner,
  id: string,
): Promise<SavedMapping | undefined> {
  if (!isUuid(id)) return undefined;
  const [mapping] = await db.query<SavedMapping>(`${SELECT_MAPPING} and mapping_id = $2`, [platformId, id]);
  return mapping;
}

/** A page, newest first. */
export async function listMappings(
  db: Queryable,
  { platformId }: Owner,
  query: z.output<typeof MappingQuery>,
) {
  const page = await pageById<SavedMapping>(db, SELECT_MAPPING, 'mapping_id', [platformId], query);
  return { mappings: page.rows, nextCursor: page.nextCursor };
}

/**
 * The number of the owner's mappings, and whether one has this name. Other transactions cannot add
 * one before this one ends.
 */
export async function lockMappings(
  tx: Tx,
  { platformId }: Owner,
  name: string,
): Promise<{ count: number; hasName: boolean }> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mappings ${platformId}`]);
  const [row] = await tx.query<{ count: number; hasName: boolean }>(
    `select count(*)::integer as count, coalesce(bool_or(name = $2), false) as has_name
     from saved_mapping where platform_id = $1`,
    [platformId, name],
  );
  return row ?? { count: 0, hasName: false };
}

/** Throws NOT_FOUND. Its events stay. Running imports have a copy of it. */
export async function deleteMapping(db: Queryable, { platformId }: Owner, id: string): Promise<void> {
  const text = 'delete from saved_mapping where platform_id = $1 and mapping_id = $2';
  const deleted = isUuid(id) ? await db.execute(text, [platformId, id]) : 0;
  if (deleted === 0) failUnknownMapping();
}

export function failUnknownMapping(): never {
  return fail('NOT_FOUND', { message: 'There is no mapping with this id.' });
}
