import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { IngestDeps } from './deps.js';
import type { MappingQuery } from './schemas.js';
import { findMappings } from './store.js';

/** GET /ingest/mappings: those of the key's mode. */
export async function listMappings(
  { db }: IngestDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof MappingQuery>, undefined>,
): Promise<Answer> {
  const [beforeId] = positionOf(query.cursor, MappingCursor) ?? [null];
  const found = await findMappings(db, caller, beforeId, query.limit);
  const { rows, nextCursor } = pageOf(found, query.limit, ({ id }) => [id]);
  return ok({ mappings: rows, nextCursor });
}

const MappingCursor = z.tuple([z.guid()]);
