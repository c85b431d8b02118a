import type { JobStatus } from '../../../domain/catalogues/enums.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick, rowsOf, sql } from '../../../kit/db/rows.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
} from '../../../ledger/reads/newestPage.js';
import type { Finding, Screening, ScreeningOwner } from './screening.js';

const COLUMNS = 'screening_id as id, status, label, total, found_count, error, created_at, completed_at';

/** A screening with its mode: a job knows only the platform. */
export type OwnedScreening = Screening & { readonly livemode: boolean };

export async function insertScreening(tx: Tx, owner: ScreeningOwner, screening: Screening): Promise<void> {
  await insertRow(tx, 'screening', {
    ...pick(screening, 'status', 'label', 'total', 'foundCount', 'createdAt', 'completedAt'),
    platformId: owner.platformId,
    screeningId: screening.id,
    livemode: owner.livemode,
    progressAt: screening.createdAt,
  });
}

/** Some of a screening's ids, and their results after they were looked up. */
export interface Chunk {
  /** Index of its first id in the request, from 0. */
  readonly firstIndex: number;
  readonly userIds: readonly string[];
  readonly results: readonly Finding[] | null;
}

export async function insertChunks(
  tx: Tx,
  { platformId }: ScreeningOwner,
  screeningId: string,
  chunks: readonly Chunk[],
): Promise<void> {
  await sql`insert into screening_chunk (platform_id, screening_id, ${newChunks.columns})
    select ${platformId}::uuid, ${screeningId}::uuid, * from ${newChunks.as('chunk', chunks)}`.execute(tx);
}

const newChunks = rowsOf<Chunk>(
  { json: ['userIds', 'results'] },
  {
    firstPlace: ['integer', ({ firstIndex }) => firstIndex],
    idCount: ['integer', ({ userIds }) => userIds.length],
  },
);

export async function findScreening(
  db: Queryable,
  { platformId, livemode }: ScreeningOwner,
  screeningId: string,
): Promise<(Screening & { progressAt: Date }) | null> {
  const [row] = await db.query<Screening & { progressAt: Date }>(
    `select ${COLUMNS}, progress_at from screening
     where platform_id = $1 and screening_id = $2 and livemode = $3`,
    [platformId, screeningId, livemode],
  );
  return row ?? null;
}

/** A page of screenings, newest first (newestPage). Any status if it is null. */
export function findScreenings(
  db: Queryable,
  { platformId, livemode, status }: ScreeningOwner & { status: JobStatus | null },
  { beforeId, horizon }: NewestPosition,
  limit: number,
): Promise<(Screening & NewestRow)[]> {
  return db.query(
    `select ${COLUMNS}, ${newestColumns('screening', 'created_at')} from screening cross join ledger_cluster
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or screening_id < $3)
       and ${isWithin('$4', 'screening', 'created_at')} and ($5::text is null or status = $5)
     order by screening_id desc limit $6`,
    [platformId, livemode, beforeId, horizon, status, limit],
  );
}

/** Ids of up to a thousand screenings in progress that made no progress since `quietSince`. */
export async function findStaleScreenings(
  db: Queryable,
  { platformId, livemode }: ScreeningOwner,
  quietSince: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select screening_id as id from screening
     where platform_id = $1 and livemode = $2 and status in ('QUEUED', 'RUNNING') and progress_at < $3 limit 1000`,
    [platformId, livemode, quietSince],
  );
  return rows.map(({ id }) => id);
}

/** The screening of a job. */
interface ScreeningKey {
  readonly platformId: string;
  readonly screeningId: string;
}

const screeningKeys = rowsOf<ScreeningKey>({ uuid: ['platformId', 'screeningId'] });

/**
 * Notes progress and locks the row until the transaction ends. Null if the screening has ended or
 * was deleted.
 */
export async function noteProgress(
  tx: Tx,
  { platformId, screeningId }: ScreeningKey,
  now: Date,
): Promise<{ livemode: boolean } | null> {
  const [row] = await tx.query<{ livemode: boolean }>(
    `update screening set status = 'RUNNING', progress_at = $3
     where platform_id = $1 and screening_id = $2 and status in ('QUEUED', 'RUNNING') returning livemode`,
    [platformId, screeningId, now],
  );
  return row ?? null;
}

/** The first chunk without results. */
export async function nextChunk(
  tx: Tx,
  { platformId, screeningId }: ScreeningKey,
): Promise<{ firstIndex: number; userIds: string[] } | null> {
  const [row] = await tx.query<{ firstIndex: number; userIds: string[] }>(
    `select first_place as first_index, user_ids from screening_chunk
     where platform_id = $1 and screening_id = $2 and results is null order by first_place limit 1`,
    [platformId, screeningId],
  );
  return row ?? null;
}

export async function storeResults(
  tx: Tx,
  { platformId, screeningId }: ScreeningKey,
  firstIndex: number,
  results: readonly Finding[],
): Promise<void> {
  await tx.execute(
    'update screening_chunk set results = $4 where platform_id = $1 and screening_id = $2 and first_place = $3',
    [platformId, screeningId, firstIndex, JSON.stringify(results)],
  );
  await tx.execute(
    'update screening set found_count = found_count + $3 where platform_id = $1 and screening_id = $2',
    [platformId, screeningId, results.filter((finding) => finding !== null).length],
  );
}

/** Null if the screening has ended or was deleted. */
export async function completeScreening(
  tx: Tx,
  { platformId, screeningId }: ScreeningKey,
  now: Date,
): Promise<OwnedScreening | null> {
  const [row] = await tx.query<OwnedScreening>(
    `update screening set status = 'COMPLETED', progress_at = $3, completed_at = $3
     where platform_id = $1 and screening_id = $2 and status in ('QUEUED', 'RUNNING') returning ${COLUMNS}, livemode`,
    [platformId, screeningId, now],
  );
  return row ?? null;
}

/**
 * Ends a screening without results. Null if it has ended or was deleted or, with `quietSince`, made
 * progress after that time.
 */
export async function failScreening(
  tx: Tx,
  { platformId, screeningId }: ScreeningKey,
  { error, now, quietSince = null }: { error: string; now: Date; quietSince?: Date | null },
): Promise<OwnedScreening | null> {
  const [row] = await tx.query<OwnedScreening>(
    `update screening set status = 'FAILED', error = $3, completed_at = $4
     where platform_id = $1 and screening_id = $2 and status in ('QUEUED', 'RUNNING')
       and ($5::timestamptz is null or progress_at < $5::timestamptz)
     returning ${COLUMNS}, livemode`,
    [platformId, screeningId, error, now, quietSince],
  );
  if (!row) return null;
  await tx.execute('delete from screening_chunk where platform_id = $1 and screening_id = $2', [
    platformId,
    screeningId,
  ]);
  return row;
}

/** The chunks with any of the indexes from `from` to before `before`, in order. */
export function readChunks(
  db: Queryable,
  { platformId, screeningId }: ScreeningKey,
  { from, before }: { from: number; before: number },
): Promise<(Chunk & { results: readonly Finding[] })[]> {
  return db.query(
    `select first_place as first_index, user_ids, results from screening_chunk
     where platform_id = $1 and screening_id = $2 and first_place < $4 and first_place + id_count > $3
       and results is not null
     order by first_place`,
    [platformId, screeningId, from, before],
  );
}

/**
 * Deletes up to `limit` screenings that ended (or, without an end, were created) before `before`.
 * Returns their number.
 */
export async function deleteScreenings(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await tx.query<{ platformId: string; screeningId: string }>(
    `delete from screening where (platform_id, screening_id) in (
       select platform_id, screening_id from screening where coalesce(completed_at, created_at) < $1
       order by coalesce(completed_at, created_at) limit $2
     ) returning platform_id, screening_id`,
    [before, limit],
  );
  await sql`delete from screening_chunk
    where (platform_id, screening_id) in (select * from ${screeningKeys.as('deleted', rows)})`.execute(tx);
  return rows.length;
}
