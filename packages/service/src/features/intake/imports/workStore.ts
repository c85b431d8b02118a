import type { Reporter } from '#domain/outcomeEvent.js';
import type { YieldTurn } from '#kit/backpressure/yielder.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import { knownPlatform } from '#ledger/groups/platforms.js';
import type { StoredPlan } from './plan.js';
import type { CountedProblem } from './problems.js';
import type { Import } from './store.js';

interface NewImport {
  importId: string;
  reporter: Reporter;
  plan: StoredPlan;
  totalRows: number;
  /** Of warnings about the request itself. */
  warningCount: number;
  createdAt: Date;
}

export async function insertImport(tx: Tx, { reporter, plan, ...columns }: NewImport): Promise<void> {
  const owned = pick(reporter, 'platformId', 'livemode', 'trustTier', 'keyId');
  await insertRow(tx, 'import_job', { ...columns, ...owned, plan, header: plan.header, status: 'QUEUED' });
}

/** Stores the chunks of `chunksOf`, numbered from 1. */
export async function insertChunks(
  tx: Tx,
  importId: string,
  chunks: readonly Uint8Array<ArrayBuffer>[],
  yieldTurn: YieldTurn,
): Promise<void> {
  for (const [index, rows] of chunks.entries()) {
    await yieldTurn();
    const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    await insertRow(tx, 'import_chunk', { importId, chunkNo: index + 1, rows: bytes });
  }
}

/** The platform that imports, with its current name. */
export interface ImportReporter extends Reporter {
  readonly platformName: string;
}

/** An import that a worker runs or resumes. */
export interface ImportWork {
  importId: string;
  reporter: ImportReporter;
  /** Null if the import has ended. */
  plan: StoredPlan | null;
}

export async function findWork(db: Queryable, importId: string): Promise<ImportWork | null> {
  const [row] = await db.query<Omit<ImportWork, 'reporter'> & Reporter>(
    `select import_id, platform_id, livemode, trust_tier, key_id, case when completed_at is null then plan end as plan
     from import_job where import_id = $1`,
    [importId],
  );
  if (!row) return null;
  const { platformId, livemode, trustTier, keyId, ...work } = row;
  const { name: platformName } = await knownPlatform(db, platformId);
  return { ...work, reporter: { platformId, livemode, trustTier, keyId, platformName } };
}

interface StoredChunk {
  chunkNo: number;
  rows: string;
}

/** The chunks after number `afterNo`, in order. */
export function readChunks(
  db: Queryable,
  importId: string,
  afterNo: number,
  limit: number,
): Promise<StoredChunk[]> {
  return db.query<StoredChunk>(
    `select chunk_no, rows from import_chunk where import_id = $1 and chunk_no > $2
     order by chunk_no limit $3`,
    [importId, afterNo, limit],
  );
}

/** Called in the transaction that records the chunk. False: it was recorded before. */
export async function deleteChunk(tx: Tx, importId: string, chunkNo: number): Promise<boolean> {
  const count = await tx.execute('delete from import_chunk where import_id = $1 and chunk_no = $2', [
    importId,
    chunkNo,
  ]);
  return count === 1;
}

export async function deleteChunks(tx: Tx, importId: string): Promise<void> {
  await tx.execute('delete from import_chunk where import_id = $1', [importId]);
}

interface RowCounts {
  created: number;
  skipped: number;
  failed: number;
  warnings: number;
}

/** Adds the counts of some rows. Returns the numbers of errors and warnings before, and their problems. */
export async function addCounts(
  tx: Tx,
  { platformId }: Reporter,
  importId: string,
  { created, skipped, failed, warnings }: RowCounts,
  now: Date,
): Promise<Before> {
  const [row] = await tx.query<Before>(
    `update import_job set status = 'RUNNING', started_at = coalesce(started_at, $7), created_count = created_count + $3,
       skipped_count = skipped_count + $4, failed_count = failed_count + $5, warning_count = warning_count + $6
     where platform_id = $1 and import_id = $2
     returning failed_count - $5 as failed_before, warning_count - $6 as warnings_before, problems as problems_before`,
    [platformId, importId, created, skipped, failed, warnings, now],
  );
  if (!row) throw new Error(`import ${importId} does not exist`);
  return row;
}

interface Before {
  failedBefore: number;
  warningsBefore: number;
  problemsBefore: CountedProblem[];
}

/** In the transaction of `addCounts`, which has locked the row. */
export async function storeProblems(
  tx: Tx,
  { platformId }: Reporter,
  importId: string,
  problems: readonly CountedProblem[],
): Promise<void> {
  await updateRow(tx, 'import_job', { platformId, importId }, { problems: JSON.stringify(problems) });
}

type Ended = Pick<Import, 'createdCount' | 'skippedCount' | 'failedCount'>;

/** Keeps the plan if rows failed: it is needed to send them again. Null: the import had already ended. */
export async function endImportRow(
  tx: Tx,
  { platformId }: Reporter,
  importId: string,
  { status, error }: { status: 'COMPLETED' | 'FAILED'; error: string | null },
  now: Date,
): Promise<Ended | null> {
  const [row] = await tx.query<Ended>(
    `update import_job set status = $3, error = $4, completed_at = $5,
       plan = case when failed_count > 0 then plan end
     where platform_id = $1 and import_id = $2 and completed_at is null
     returning created_count, skipped_count, failed_count`,
    [platformId, importId, status, error, now],
  );
  return row ?? null;
}
