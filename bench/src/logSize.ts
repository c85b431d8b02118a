import { leafHash, nodeHash } from '@reliability/proof';
import pg from 'pg';
import type { Database } from '../../packages/service/src/kit/db/database.js';
import { createKnownLog, logBatch } from '../../packages/service/src/ledger/log/batch.js';
import { BLOCK_WIDTH } from '../../packages/service/src/ledger/log/blocks.js';
import { inclusionProofs } from '../../packages/service/src/ledger/log/inclusion.js';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, tenth, whole } from './kit/figure.js';
import { postEvents } from './kit/fill.js';
import { eventBodies } from './kit/load.js';
import { type Server, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';

const SMALL = 100_000;
const EVENTS_A_ROUND = 4000;
const PROOFS_A_ROUND = 200;
/** As the sequencer on PostgreSQL. */
const BATCH_FACTS = 400;
const SETTING = 'PostgreSQL';

/** Whether a long log costs more: the time of an inclusion proof, and of a leaf that is appended. */
export const logSize: Figure = { name: 'logSize', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const [small, large] = [await logOf(bench, SMALL), await logOf(bench, bench.leaves)];
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const log of round % 2 === 0 ? [small, large] : [large, small]) await log.round();
    bench.say(`  round ${round + 1}: ${[small, large].map((log) => log.text()).join(' · ')}`);
  }
  for (const log of [small, large]) await log.close();
  const [few, many] = [SMALL, bench.leaves].map(whole);
  return [
    {
      what: `inclusion proof in a log of ${many} leaves`,
      setting: SETTING,
      value: `${large.proofs.median.toFixed(2)} ms`,
      baseline: `${few} leaves: ${small.proofs.median.toFixed(2)} ms`,
      measure: large.proofs.median,
      unit: 'ms',
      target: { under: 2 },
    },
    {
      what: `leaves appended per second, ${many} leaves in the log against ${few}`,
      setting: SETTING,
      value: `${whole(large.leaves.median)}/s`,
      baseline: `${few} leaves: ${whole(small.leaves.median)}/s`,
      measure: large.leaves.median / small.leaves.median,
      unit: 'ratio',
      target: { min: 0.9 },
    },
  ];
}

interface SizedLog {
  /** Milliseconds of a proof. */
  proofs: Samples;
  /** Leaves a second, by round. */
  leaves: Samples;
  round(): Promise<void>;
  text(): string;
  close(): Promise<void>;
}

async function logOf(bench: Bench, size: number): Promise<SizedLog> {
  const home = await bench.postgres();
  const service = await startService(home, { worker: 'none' });
  const db = await openHome(home);
  const startedMs = performance.now();
  await seedLog(home.databaseUrl, size);
  bench.say(`  ${whole(size)} leaves seeded in ${tenth((performance.now() - startedMs) / 1000)} s`);
  const known = createKnownLog();
  const [proofs, leaves] = [new Samples(), new Samples()];
  return {
    proofs,
    leaves,
    async round() {
      leaves.add(await appendLeaves(service, db, known));
      for (let count = 0; count < PROOFS_A_ROUND; count += 1) {
        const index = Math.floor(Math.random() * size);
        const fromMs = performance.now();
        await inclusionProofs(db, [index], size);
        proofs.add(performance.now() - fromMs);
      }
    },
    text: () => `${whole(size)}: ${whole(leaves.median)} leaves/s, proof ${proofs.median.toFixed(2)} ms`,
    async close() {
      await db.close();
      await service.stop();
    },
  };
}

/** Returns leaves a second. */
async function appendLeaves(
  service: Server,
  db: Database,
  known: ReturnType<typeof createKnownLog>,
): Promise<number> {
  await postEvents(service.url, eventBodies(EVENTS_A_ROUND));
  let leaves = 0;
  const fromMs = performance.now();
  for (let hasMore = true; hasMore; ) {
    const batch = await logBatch(db, BATCH_FACTS, known);
    if (!batch) throw new Error('another process is the sequencer');
    leaves += batch.leaves;
    ({ hasMore } = batch);
  }
  return (leaves * 1000) / (performance.now() - fromMs);
}

const COMMITMENT = Buffer.alloc(32, 'commitment');
const HASH_BYTES = 32;

/**
 * A log of facts that exist nowhere else. All leaves have the same commitment, so all hashes of a
 * level are alike and a block is made once. Subjects are in random order in the index, as real ones.
 */
async function seedLog(connectionString: string, size: number): Promise<void> {
  // Not by openDatabase: its statements end after half a minute.
  const tx = new pg.Client({ connectionString });
  await tx.connect();
  try {
    await tx.query('begin');
    const [primary] = (
      await tx.query<{ name: string; definition: string }>(
        `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = 'log_fact'::regclass and contype = 'p'`,
      )
    ).rows;
    const others = (
      await tx.query<{ name: string; definition: string }>(
        `select indexname as name, indexdef as definition from pg_indexes where tablename = 'log_fact' and indexname <> $1`,
        [primary?.name],
      )
    ).rows;
    await tx.query(`set local maintenance_work_mem = '512MB'`);
    await tx.query(`alter table log_fact drop constraint ${primary?.name}`);
    for (const { name } of others) await tx.query(`drop index ${name}`);
    await tx.query(
      `insert into log_fact (subject_id, kind, ref, leaf_index, salt, d, chain, complete_until)
       select md5((leaf / 20)::text)::uuid, 1, leaf % 20 + 1, leaf, $2::bytea, $3::bytea, $3::bytea, now()
       from generate_series(0, $1::bigint - 1) as leaf`,
      [size, COMMITMENT.subarray(0, 16), COMMITMENT],
    );
    await tx.query(`alter table log_fact add constraint ${primary?.name} ${primary?.definition}`);
    for (const { definition } of others) await tx.query(definition);
    await seedBlocks(tx, size);
    await tx.query(
      'update log_state set tree_size = $1::bigint, walk_after = null, is_ledger_queued = true',
      [size],
    );
    await tx.query('commit');
    await tx.query('vacuum analyze log_fact, log_block');
  } finally {
    await tx.end();
  }
}

async function seedBlocks(tx: pg.Client, size: number): Promise<void> {
  const hashes: Uint8Array[] = [leafHash(COMMITMENT)];
  for (let hash = leafHash(COMMITMENT); hashes.length < 60; hashes.push(hash)) hash = nodeHash(hash, hash);
  for (let level = 0; 2 ** level <= size; level += 4) {
    const nodes = Math.floor(size / 2 ** level);
    const full = Math.floor(nodes / BLOCK_WIDTH);
    await tx.query(
      `insert into log_block (level, block_index, filled, hashes)
       select $1::smallint, block, ${BLOCK_WIDTH}, $3::bytea from generate_series(0, $2::bigint - 1) as block`,
      [level, full, blockOf(hashes, level, BLOCK_WIDTH)],
    );
    const rest = nodes % BLOCK_WIDTH;
    if (rest === 0) continue;
    await tx.query(
      'insert into log_block (level, block_index, filled, hashes) values ($1::smallint, $2::bigint, $3::smallint, $4::bytea)',
      [level, full, rest, blockOf(hashes, level, rest)],
    );
  }
}

/** As ledger/log/blocks.ts lays hashes out: 16 of the level, then 8, 4 and 2 of those above. */
function blockOf(hashes: readonly Uint8Array[], level: number, filled: number): Buffer {
  const block = Buffer.alloc((16 + 8 + 4 + 2) * HASH_BYTES);
  let start = 0;
  for (const height of [0, 1, 2, 3]) {
    const hash = hashes[level + height] as Uint8Array;
    for (let at = 0; at < Math.floor(filled / 2 ** height); at += 1)
      block.set(hash, (start + at) * HASH_BYTES);
    start += BLOCK_WIDTH / 2 ** height;
  }
  return block;
}
