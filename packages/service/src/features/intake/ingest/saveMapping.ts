import { fail } from '../../../domain/errors.js';
import { usableMapping } from '../../../domain/mapping/compileMapping.js';
import type { Tx } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { NewMapping, SavedMapping } from './schemas.js';
import { insertMapping, lockMappings } from './store.js';

/** Per platform, for both modes together. */
const MAX_MAPPINGS = 500;

type SaveDeps = Pick<ServiceDeps, 'clock' | 'ids' | 'withIdempotency'>;

/** POST /ingest/mappings: validates the whole mapping, so that every saved one can be used. */
export function saveMapping(
  { clock, ids, withIdempotency }: SaveDeps,
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
    await insertMapping(tx, owner, saved);
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
