import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { ChannelDeps } from './deps.js';
import type { ChannelQuery } from './schemas.js';
import { findChannels } from './store.js';

/** GET /notification-channels: those of the key's mode. */
export async function listChannels(
  { db }: ChannelDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ChannelQuery>, undefined>,
): Promise<Answer> {
  const [beforeId] = positionOf(query.cursor, ChannelCursor) ?? [null];
  const found = await findChannels(db, caller, beforeId, query.limit);
  const { rows, nextCursor } = pageOf(found, query.limit, ({ id }) => [id]);
  return ok({ notificationChannels: rows, nextCursor });
}

const ChannelCursor = z.tuple([z.guid()]);
