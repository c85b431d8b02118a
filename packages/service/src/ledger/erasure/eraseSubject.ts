import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import type { Vault } from '../../kit/vault.js';
import { recordActivity } from '../activity.js';
import { lockRecordsOf } from '../links/lockRecords.js';
import { queueForLog } from '../log/queue.js';
import { lockShareTokens } from '../shareTokenLock.js';
import { enqueueSearches } from './erasureJob.js';
import type { TextSource } from './storedTexts.js';
import {
  clearSubject,
  deleteProfile,
  deleteRequests,
  deleteTraces,
  findErasure,
  hasSubject,
  insertErasure,
} from './traces.js';

/** Ends the open disputes of a subject whose record is locked. */
export type EndDisputes = (tx: Tx, subjectId: string, now: Date) => Promise<void>;

interface EraseOptions extends TextSource {
  /** As in Activity. */
  actor: string;
  now: Date;
}

/**
 * Erases a subject (RULES P10): at once what its id finds, and by jobs of the same transaction what
 * has to be searched for. A repetition changes nothing. Returns when the subject was erased. Throws
 * USER_NOT_FOUND for a subject of which nothing is stored: its id may be misspelt.
 *
 * Writers that run at the same time leave nothing behind:
 * - An append locks the subject's row. It commits before, or it fails.
 * - A recompute and a link hold the lock of the record, which is taken here.
 * - The jobs repeat everything later, for writers that began before the commit.
 */
export async function eraseSubject(
  tx: Tx,
  deps: { ids: IdSource; vault: Vault; lapseErased: EndDisputes },
  { actor, now, ...source }: EraseOptions,
): Promise<Date> {
  const { subjectId, platformId, livemode } = source;
  const requests = await deleteRequests(tx, subjectId);
  const profile = await deleteProfile(tx, subjectId);
  await lockRecordsOf(tx, [subjectId]);
  await lockShareTokens(tx, subjectId);
  const earlier = await findErasure(tx, subjectId);
  if (earlier) return earlier;
  if (requests + profile === 0 && !(await hasSubject(tx, subjectId))) {
    return fail('USER_NOT_FOUND', { message: 'Nothing is stored under this id in this mode.' });
  }
  await deps.lapseErased(tx, subjectId, now);
  const erased = { subjectId, platformId, livemode, at: now };
  await insertErasure(tx, erased);
  await clearSubject(tx, erased);
  await deleteTraces(tx, erased);
  await queueForLog(tx, [subjectId], now);
  await recordActivity(tx, {
    id: deps.ids.at(now),
    platformId,
    livemode,
    action: 'SUBJECT_ERASED',
    actor,
    at: now,
  });
  await enqueueSearches(tx, deps, source, now);
  return now;
}
