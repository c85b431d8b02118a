import { fail, failValidation } from '../../domain/errors.js';
import { usableMapping } from '../../domain/mapping/compileMapping.js';
import type { Mapping } from '../../domain/mapping/mapping.js';
import type { Queryable } from '../../kit/db/database.js';
import { isUuid } from '../../kit/ids.js';

/** Whose mappings: a mode sees its own only. */
export interface MappingOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** A saved mapping as it is shown. */
export interface SavedMapping {
  readonly id: string;
  readonly name: string;
  /** The JSON as it was given. */
  readonly mapping: object;
  readonly createdAt: Date;
}

/** Columns of a saved mapping under the names of `SavedMapping`. */
export const SAVED_MAPPING = 'mapping_id as id, name, rules as mapping, created_at';

/** How a request names its mapping: by its rules or by the id of a saved one. */
export interface MappingChoice {
  readonly mapping?: unknown;
  readonly mappingId?: string | null | undefined;
}

/**
 * The mapping of a request that records or imports, ready for use. Fails with VALIDATION_ERROR unless exactly one of the two is
 * given, INGEST_MAPPING_INVALID with every fault, or NOT_FOUND.
 */
export async function chosenMapping(
  db: Queryable,
  owner: MappingOwner,
  choice: MappingChoice,
): Promise<Mapping> {
  return (await findChosenMapping(db, owner, choice)) ?? failUnknownMapping();
}

/** The same; undefined where no saved mapping has the id. */
export async function findChosenMapping(
  db: Queryable,
  owner: MappingOwner,
  { mapping, mappingId }: MappingChoice,
): Promise<Mapping | undefined> {
  const hasRules = mapping !== undefined && mapping !== null;
  if (typeof mappingId !== 'string') {
    if (hasRules) return usableMapping(mapping);
    const message = 'is required, unless `mappingId` names a saved one';
    return failValidation([{ path: 'mapping', code: 'required', message }]);
  }
  if (hasRules) {
    const message = 'is given beside `mapping`: send one of the two';
    return failValidation([{ path: 'mappingId', code: 'custom', message }]);
  }
  const saved = await findSavedMapping(db, owner, mappingId);
  return saved && usableMapping(saved.mapping);
}

/** Undefined for an id that names nothing in this mode. */
export async function findSavedMapping(
  db: Queryable,
  { platformId, livemode }: MappingOwner,
  id: string,
): Promise<SavedMapping | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await db.query<SavedMapping>(
    `select ${SAVED_MAPPING} from saved_mapping where platform_id = $1 and mapping_id = $2 and livemode = $3`,
    [platformId, id, livemode],
  );
  return found;
}

export function failUnknownMapping(): never {
  return fail('NOT_FOUND', { message: 'There is no mapping with this id, in this mode.' });
}
