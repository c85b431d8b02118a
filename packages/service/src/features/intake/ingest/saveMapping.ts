import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { usableMapping } from '../../../domain/mapping/compileMapping.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { MappingOwner, SavedMapping } from '../savedMappings.js';
import type { IngestDeps } from './deps.js';
import type { NewMapping } from './schemas.js';
import { countMappingsAlone, insertMapping } from './store.js';

/** Per platform and mode. */
const MAX_MAPPINGS = 500;

/** POST /ingest/mappings: checked as a whole now, so that what is saved can be used. */
export function saveMapping(
  { clock, ids, withIdempotency }: IngestDeps,
  { caller, body, claim }: RequestContext<KeyAccess, z.output<typeof NewMapping>, undefined, undefined>,
): Promise<Answer> {
  const { rules } = usableMapping(body.mapping);
  const now = clock.now();
  return withIdempotency(claim, { now }, async (tx) => {
    await assertRoomFor(tx, caller, body.name);
    const saved: SavedMapping = { id: ids.at(now), name: body.name, mapping: rules, createdAt: now };
    await insertMapping(tx, caller, saved);
    return created(saved);
  });
}

async function assertRoomFor(tx: Tx, owner: MappingOwner, name: string): Promise<void> {
  const { mappings, hasName } = await countMappingsAlone(tx, owner, name);
  if (hasName) fail('CONFLICT', { message: 'There is a mapping of this name already.', details: { name } });
  if (mappings < MAX_MAPPINGS) return;
  const message = `A platform can save ${MAX_MAPPINGS} mappings in each mode, and all are there. Delete one first.`;
  fail('CONFLICT', { message, details: { limit: MAX_MAPPINGS } });
}
