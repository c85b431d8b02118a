import type { Queryable, Tx } from '../../../kit/db/database.js';
import { type Confirmation, type Owner, SHOWN } from './store.js';

/*
 * What a sweep acts on is found first and changed by its key then, with the condition looked at once more: an answer that comes in
 * between is waited for and stays. (One statement for both could not be spread over machines.)
 */

export interface RequestKey {
  readonly platformId: string;
  readonly id: string;
}

/** Up to `limit` pending requests whose window is over. */
export function findLapsed(db: Queryable, now: Date, limit: number): Promise<RequestKey[]> {
  return db.query<RequestKey>(
    `select platform_id, confirmation_id as id from confirmation
     where status = 'PENDING' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  );
}

export function expire(tx: Tx, keys: readonly RequestKey[]): Promise<number> {
  return tx.execute(
    `update confirmation c set status = 'EXPIRED' from unnest($1::uuid[], $2::uuid[]) as lapsed (platform_id, id)
     where c.platform_id = lapsed.platform_id and c.confirmation_id = lapsed.id and c.status = 'PENDING'`,
    [keys.map(({ platformId }) => platformId), keys.map(({ id }) => id)],
  );
}

/** Of what a platform is told: that a request has waited long (made by a moment), or that it ends soon (by a moment). */
export type Stage = 'awaiting_response' | 'expiring_soon';

/** Up to `limit` requests of which the platform is to be told and was not yet. */
export function findDue(
  db: Queryable,
  stage: Stage,
  { now, by }: { now: Date; by: Date },
  limit: number,
): Promise<RequestKey[]> {
  return db.query<RequestKey>(FIND_DUE[stage], [now, by, limit]);
}

/** A pending request of which its platform is told. */
export interface DueReminder extends Confirmation, Owner {
  readonly subjectId: string;
}

/** Marks those that still are to be told of, and answers them. */
export function markEmitted(
  tx: Tx,
  stage: Stage,
  keys: readonly RequestKey[],
  now: Date,
): Promise<DueReminder[]> {
  return tx.query<DueReminder>(MARK_EMITTED[stage], [
    now,
    keys.map(({ platformId }) => platformId),
    keys.map(({ id }) => id),
  ]);
}

const FIND_DUE: Readonly<Record<Stage, string>> = {
  awaiting_response: findStatement('awaiting_told_at', 'created_at'),
  expiring_soon: findStatement('expiring_told_at', 'expires_at'),
};

const MARK_EMITTED: Readonly<Record<Stage, string>> = {
  awaiting_response: markStatement('awaiting_told_at'),
  expiring_soon: markStatement('expiring_told_at'),
};

/** Nobody is reminded of a token that is no good: requests of a platform that is switched off wait. */
function findStatement(mark: string, moment: string): string {
  return `select c.platform_id, c.confirmation_id as id from confirmation c join platform p using (platform_id)
    where c.status = 'PENDING' and c.expires_at > $1 and c.${mark} is null and c.${moment} <= $2 and p.is_active
    order by c.${moment} limit $3`;
}

function markStatement(mark: string): string {
  return `update confirmation c set ${mark} = $1 from unnest($2::uuid[], $3::uuid[]) as due (platform_id, id)
    where c.platform_id = due.platform_id and c.confirmation_id = due.id and c.status = 'PENDING' and c.${mark} is null
    returning ${SHOWN}, c.platform_id, c.livemode, c.subject_id`;
}
