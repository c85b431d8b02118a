import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import type { WebhookDeps } from './deps.js';
import type { WebhookQuery } from './webhookSchemas.js';
import { findWebhooks } from './webhookStore.js';

const WebhookCursor = z.tuple([z.guid()]);

/** GET /webhooks: the endpoints of one platform and mode, newest first. */
export async function listWebhooks(
  { db }: Pick<WebhookDeps, 'db'>,
  owner: Owner,
  { limit, cursor }: z.output<typeof WebhookQuery>,
): Promise<Answer> {
  const [beforeId] = positionOf(cursor, WebhookCursor) ?? [null];
  const found = await findWebhooks(db, owner, beforeId, limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
  return ok({ webhooks: rows, nextCursor });
}
