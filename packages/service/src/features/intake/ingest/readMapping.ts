import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { failUnknownMapping, findSavedMapping } from '../savedMappings.js';
import type { IngestDeps } from './deps.js';
import type { mappingPath } from './schemas.js';

/** GET /ingest/mappings/{id} */
export async function readMapping(
  { db }: IngestDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof mappingPath>>,
): Promise<Answer> {
  return ok((await findSavedMapping(db, caller, params.id)) ?? failUnknownMapping());
}
