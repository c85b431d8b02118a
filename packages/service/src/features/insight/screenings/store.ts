import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, rowsOf, sql, updateRow } from '#kit/db/rows.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { type JobKey, trackedJobs } from '../trackedJobs.js';
import type { Finding, Screening } from './screening.js';

const COLUMNS = 'screening_id as id, status, label, total, found_count, error, created_at, completed_at';

type Tracked = Screening & { readonly progressAt: Date };

export const screenings = trackedJobs<Tracked>('screening', `${COLUMNS}, progress_at`);

/** A screening with its mode: a job knows only the platform. */
export type OwnedScreening = Tracked & { readonly livemode: boolean };

export async function insertScreening(tx: Tx, owner: ModeOwner, screening: Screening): Promise<void> {
  await insertRow(tx, 'screening', {
    ...pick(screening, 'status', 'label', 'total', 'foundCount', 'createdAt', 'completedAt'),
    ...pick(owner, 'platformId', 'livemode'),
    screeningId: screening.id,
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
  { platformId }: ModeOwner,
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

/** Ids of up to a thousand screenings in progress that made no progress since `quietSince`. */
export async function findStaleScreenings(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
  quietSince: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select screening_id as id from screening
     where platform_id = $1 and livemode = $2 and status in ('QUEUED', 'RUNNING') and progress_at < $3 limit 1000`,
    [platformId, livemode, quietSince],
  );
  return rows.map(({ id }) => id);
}

const jobKeys = rowsOf<JobKey>({ uuid: ['platformId', 'jobId'] });

/** The first chunk without results. */
export async function nextChunk(
  tx: Tx,
  { platformId, jobId }: JobKey,
): Promise<{ firstIndex: number; userIds: string[] } | null> {
  const [row] = await tx.query<{ firstIndex: number; userIds: string[] }>(
    `select first_place as first_index, user_ids from screening_chunk
     where platform_id = $1 and screening_id = $2 and results is null order by first_place limit 1`,
    [platformId, jobId],
  );
  return row ?? null;
}

export async function storeResults(
  tx: Tx,
  { platformId, jobId }: JobKey,
  firstIndex: number,
  results: readonly Finding[],
): Promise<void> {
  const chunk = { platformId, screeningId: jobId, firstPlace: firstIndex };
  await updateRow(tx, 'screening_chunk', chunk, { results: JSON.stringify(results) });
  await tx.execute(
    'update screening set found_count = found_count + $3 where platform_id = $1 and screening_id = $2',
    [platformId, jobId, results.filter((finding) => finding !== null).length],
  );
}

/** Ends a screening without results. Null as for `screenings.change`. */
export async function failScreening(
  tx: Tx,
  job: JobKey,
  ended: { error: string; completedAt: Date },
  quietSince?: Date,
): Promise<OwnedScreening | null> {
  const failed = await screenings.change(tx, job, { status: 'FAILED', ...ended }, quietSince);
  if (failed) await deleteChunks(tx, [job]);
  return failed;
}

/** The chunks with any of the indexes from `from` to before `before`, in order. */
export function readChunks(
  db: Queryable,
  { platformId, jobId }: JobKey,
  { from, before }: { from: number; before: number },
): Promise<(Chunk & { results: readonly Finding[] })[]> {
  return db.query(
    `select first_place as first_index, user_ids, results from screening_chunk
     where platform_id = $1 and screening_id = $2 and first_place < $4 and first_place + id_count > $3
       and results is not null
     order by first_place`,
    [platformId, jobId, from, before],
  );
}

export async function deleteChunks(tx: Tx, jobs: readonly JobKey[]): Promise<void> {
  await sql`delete from screening_chunk
    where (platform_id, screening_id) in (select * from ${jobKeys.as('deleted', jobs)})`.execute(tx);
}
