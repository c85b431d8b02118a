import { groupHandles } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { type Clock, systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { announce } from '#kit/db/wakes.js';
import { createKnownLog, logBatch } from '#ledger/log/batch.js';
import { type StoredCheckpoint, signCheckpoint } from '#ledger/log/checkpoints.js';
import { type LogSigner, logSigner, noteKey } from '#ledger/log/logKey.js';
import { queuedKinds } from '#ledger/log/queue.js';
import { ensureSigningKey } from '#ledger/signingKeys.js';

export const ORIGIN = 'reliability.example/log';
export const testVault = createVault('data-key-of-the-tests-thirty-two-characters');

/** Takes in everything that is queued, then signs, as the sequencer does in a round. */
export async function logAll(db: Database, clock: Clock = systemClock): Promise<StoredCheckpoint | null> {
  const signer = await testLogSigner(db, clock);
  await noteKey(db, signer, clock.now());
  await appendAll(db);
  return (await signCheckpoint(db, signer, clock.now(), true)).checkpoint;
}

/** The key that signs the log of a test database. */
export async function testLogSigner(db: Database, clock: Clock = systemClock): Promise<LogSigner> {
  return logSigner(ORIGIN, await ensureSigningKey(db, testVault, clock, 'log'));
}

/** Queues all live subjects: facts that the log lacks become leaves again. */
export async function queueAll(db: Queryable): Promise<void> {
  await db.execute(
    `insert into log_queue (subject_ids, kinds, queued_at)
     select array_agg(subject_id), ${queuedKinds.all}, now() from subject where livemode`,
  );
}

/** Takes in everything that is queued, without signing. */
export async function appendAll(db: Database): Promise<void> {
  const known = createKnownLog();
  while ((await logBatch(db, 7, known))?.hasMore);
}

/**
 * Waits until everything queued is logged and signed, in all ledger groups.
 * @param wake wakes the only sequencer, that of this group. Default: those of the service.
 */
export async function settledLog(db: Database, wake?: () => unknown): Promise<void> {
  if (wake) return settledLogOf(db, wake);
  for (const group of await groupHandles(db)) {
    await settledLogOf(group, () => announce(group, 'facts'));
  }
}

/** The same for one group. */
export async function settledLogOf(db: Database, wake: () => unknown): Promise<void> {
  await eventually(async () => {
    const [row] = await db.query<{ isDone: boolean }>(
      `select not exists (select 1 from log_queue) and not exists (select 1 from recompute_queue)
         and tree_size = (select max(tree_size) from log_checkpoint) as is_done from log_state`,
    );
    if (row?.isDone) return true;
    await wake();
    return false;
  });
}

/** The number of leaves of each kind (ledger/log/queue.ts). */
export async function leavesByKind(db: Database): Promise<Record<number, number>> {
  const rows = await db.query<{ kind: number; leaves: number }>(
    'select kind, count(*) as leaves from log_fact group by kind order by kind',
  );
  return Object.fromEntries(rows.map(({ kind, leaves }) => [kind, leaves]));
}
