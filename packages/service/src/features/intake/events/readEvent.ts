import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { EventDeps } from './deps.js';
import { findEvent } from './store.js';

/** GET /events/{id}: one of the caller's own, in the key's mode. Throws NOT_FOUND. */
export async function readEvent(
  { db }: Pick<EventDeps, 'db'>,
  owner: { platformId: string; livemode: boolean },
  eventId: string,
): Promise<Answer> {
  const event = isUuid(eventId) ? await findEvent(db, owner, eventId) : null;
  return event ? ok(event) : fail('NOT_FOUND', { message: 'There is no event of yours with this id.' });
}
