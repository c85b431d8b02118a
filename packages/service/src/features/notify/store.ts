import { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { type CountedLimit, countUsed } from '#ledger/planCounts.js';
import { subjectIdOf } from '#ledger/subjectId.js';

/**
 * Counts what a plan caps, for one platform and mode. The count is locked until the transaction
 * ends, so simultaneous requests cannot exceed the cap together. Call it before the insert.
 */
export async function lockCount(tx: Tx, limit: CountedLimit, owner: Owner): Promise<number> {
  const { platformId, livemode } = owner;
  const mode = livemode ? 'live' : 'test';
  await tx.execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${limit} ${platformId} ${mode}`,
  ]);
  // A second statement, because only it sees what the lock's previous holder committed.
  return countUsed(tx, limit, owner);
}

/**
 * Locks the subject to watch until the transaction ends. A reset of test data waits for that and
 * then also deletes what was written about the subject. Throws USER_NOT_FOUND.
 */
export async function lockSubject(tx: Tx, owner: Owner, userId: string): Promise<string> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  const rows = await tx.query('select 1 from subject where subject_id = $1 for key share', [subjectId]);
  return rows.length > 0 ? subjectId : fail('USER_NOT_FOUND');
}

/**
 * What a platform and mode has of one kind, by id.
 * @param select a statement up to `where platform_id = $1 and livemode = $2`.
 * @param id the column, with the name that `select` gives its table.
 * @param missing the message of NOT_FOUND.
 */
export function ownedRows<Row extends { readonly id: string }>(select: string, id: string, missing: string) {
  const selectOne = `${select} and ${id} = $3`;
  const selectLocked = `${selectOne} for update of ${id.split('.')[0]}`;

  async function only(db: Queryable, text: string, { platformId, livemode }: Owner, rowId: string) {
    const [row] = isUuid(rowId) ? await db.query<Row>(text, [platformId, livemode, rowId]) : [];
    return row ?? fail('NOT_FOUND', { message: missing });
  }

  return {
    /** Throws NOT_FOUND. */
    read: (db: Queryable, owner: Owner, rowId: string) => only(db, selectOne, owner, rowId),
    /**
     * Locks it until the transaction ends, so that simultaneous changes do not overwrite each other.
     * Throws NOT_FOUND.
     */
    lock: (tx: Tx, owner: Owner, rowId: string) => only(tx, selectLocked, owner, rowId),
    /** A page, newest first. @param filter more of the `where`, with the parameter $5. */
    async list(
      db: Queryable,
      { platformId, livemode }: Owner,
      { cursor, limit }: { cursor?: string | undefined; limit: number },
      filter?: { readonly where: string; readonly value: unknown },
    ) {
      const [beforeId] = positionOf(cursor, IdCursor) ?? [null];
      const found = await db.query<Row>(
        `${select} ${filter?.where ?? ''} and ($3::uuid is null or ${id} < $3) order by ${id} desc limit $4`,
        [platformId, livemode, beforeId, limit + 1, ...(filter ? [filter.value] : [])],
      );
      return pageOf(found, limit, (row) => [row.id]);
    },
  };
}

const IdCursor = z.tuple([z.guid()]);
