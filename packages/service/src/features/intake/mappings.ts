import { z } from 'zod';
import { failValidation } from '../../domain/errors.js';
import { MAX_MAPPING_BYTES, usableMapping } from '../../domain/mapping/compileMapping.js';
import type { Mapping } from '../../domain/mapping/mapping.js';
import { type MappingField, mappingFields, transformNames } from '../../domain/mapping/values.js';
import type { Queryable } from '../../kit/db/database.js';
import type { Owner } from '../../kit/http/route.js';
import { failUnknownMapping, findMapping } from './ingest/store.js';

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

\`{"path": …, "transform": …}\` changes the value. \`cents_to_units\` divides a whole number by 100. \`iso_date\` takes an ISO 8601 date (the start of that day in UTC) or timestamp (in UTC if it has no offset), 10 digits of Unix seconds or 13 of milliseconds. \`lowercase\` and \`trim\` change text; numbers and booleans are unchanged. \`boolean\` takes true, t, yes, y, on, 1 and false, f, no, n, off, 0, in any case.

\`{"constant": "LOW"}\` sets the same value for every record.

**Nothing is guessed.** Without a transform, a text is accepted for a field of another type if it is a number with a decimal point, \`true\` or \`false\`, or an RFC 3339 timestamp; a whole number is accepted as an id. A number, a date, or a yes or no has at most 64 characters. Any other value fails the record, for example 12,50 as an amount, or 03/04/2024 or 31 February as a date. Constants, defaults and the values of a table are used without a change, so a mapping is refused if one of them is invalid for its field.

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
