import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { failUnknownMapping } from '../savedMappings.js';
import type { IngestDeps } from './deps.js';
import type { mappingPath } from './schemas.js';
import { deleteMapping } from './store.js';

/** DELETE /ingest/mappings/{id}: what was recorded with it stays, and so do imports under way, which have a copy. */
export async function removeMapping(
  { db }: IngestDeps,
  { caller, params: { id } }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof mappingPath>>,
): Promise<Answer> {
  const isGone = isUuid(id) && (await deleteMapping(db, caller, id));
  return isGone ? { status: 204, body: null } : failUnknownMapping();
}
