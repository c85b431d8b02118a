import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { ChannelDeps } from './deps.js';
import type { channelPath } from './schemas.js';
import { findChannel } from './store.js';

/** GET /notification-channels/{id} */
export async function readChannel(
  { db }: ChannelDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, z.output<typeof channelPath>>,
): Promise<Answer> {
  return ok((await findChannel(db, caller, channelIdOf(params))) ?? failUnknownChannel());
}

/** An id of a path that can be looked up; anything else names no channel. */
export function channelIdOf({ id }: { id: string }): string {
  return isUuid(id) ? id : failUnknownChannel();
}

export function failUnknownChannel(): never {
  return fail('NOT_FOUND', { message: 'There is no notification channel with this id, in this mode.' });
}
