import type { Queryable } from '#kit/db/database.js';
import { findRemoteGroups } from './remoteStore.js';

/*
 * Reads about records whose members live in several ledger groups. Each costs nothing with one
 * group. The rows of all groups are put together, so use them for queries whose rows are per subject
 * or are added up by the caller.
 */

export async function readsOfRecords(db: Queryable, recordIds: readonly string[]): Promise<Queryable> {
  if (db.ledgers.all.length === 1 || recordIds.length === 0) return db;
  const found = await findRemoteGroups(db, recordIds);
  return joined(db, othersOf(db, found));
}

export async function readsOfMembers(db: Queryable, subjectIds: readonly string[]): Promise<Queryable> {
  return subjectIds.length < 2 ? db : joined(db, await findOthersOf(db, subjectIds));
}

/** The other groups in which these members of records live. Those that have left may live in any. */
export async function findOthersOf(db: Queryable, subjectIds: readonly string[]): Promise<Queryable[]> {
  if (db.ledgers.all.length === 1 || subjectIds.length === 0) return [];
  const found = await db.query<{ subjectId: string; groupId: number }>(
    `select subject_id, $2::integer as group_id from subject where subject_id = any($1::uuid[])
     union all select subject_id, group_id from remote_member where subject_id = any($1::uuid[])`,
    [subjectIds, db.ledgers.own],
  );
  if (found.length < new Set(subjectIds).size) return othersOf(db);
  return othersOf(db, found);
}

/** All groups: former members of a record may live in any. */
export function readsOfAll(db: Queryable): Queryable {
  return joined(db, othersOf(db));
}

export function othersOf(db: Queryable, rows?: readonly { groupId: number }[]): Queryable[] {
  return [...new Set(rows?.map(({ groupId }) => groupId) ?? db.ledgers.all)]
    .filter((group) => group !== db.ledgers.own)
    .map((group) => db.ledgers.of(group));
}

function joined(own: Queryable, others: readonly Queryable[]): Queryable {
  if (others.length === 0) return own;
  const all = [own, ...others];
  return {
    shared: own.shared,
    ledgers: own.ledgers,
    async query<R extends object>(...statement: Parameters<Queryable['query']>): Promise<R[]> {
      return (await Promise.all(all.map((db) => db.query<R>(...statement)))).flat();
    },
    execute() {
      throw new Error('reads of several ledger groups cannot write');
    },
  };
}

/** Of all groups. @param record an expression for its id. */
export function membersSql(record: string): string {
  return `select subject_id, platform_id, registered_at from subject where record_id = ${record}
    union all select subject_id, platform_id, registered_at from remote_member where record_id = ${record}`;
}

/** A query of the tallies of a record, as its group knows them of members in other groups. */
export function recordTalliesSql(record: string): string {
  return `select subject_id, day, code, count from tally
    where subject_id in (select subject_id from subject where record_id = ${record})
    union all
    select r.subject_id, t.day::integer, t.code::smallint, t.count::integer
    from remote_member r cross join lateral rows from (
      json_array_elements_text(r.tallies -> 'days'), json_array_elements_text(r.tallies -> 'codes'),
      json_array_elements_text(r.tallies -> 'counts')
    ) as t (day, code, count)
    where r.record_id = ${record} and json_typeof(r.tallies -> 'days') = 'array'`;
}
