import { failValidation } from '../../domain/errors.js';
import { usableMapping } from '../../domain/mapping/compileMapping.js';
import type { Mapping } from '../../domain/mapping/mapping.js';
import type { Queryable } from '../../kit/db/database.js';
import type { Owner } from '../../kit/http/route.js';
import { failUnknownMapping, findMapping } from './ingest/store.js';

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
