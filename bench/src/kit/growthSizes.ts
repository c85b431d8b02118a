import type pg from 'pg';
import { onServer } from '../../../packages/service/test/harness/postgresCluster.js';
import type { PostgresHome } from './bench.js';
import { whole } from './figure.js';
import type { Ledger } from './growthLedger.js';

const TABLES = ['subject', 'event', 'event_text', 'tally', 'score', 'score_snapshot'];
const MB = 1_000_000;

interface Size {
  name: string;
  isTable: boolean;
  megabytes: number;
  /** Pages from the root to a row's entry; null: a table. */
  depth: number | null;
  /** Share of pages found in PostgreSQL's cache; null: none was read. */
  hits: number | null;
}

/** Forgets which pages were found in the cache so far. */
export async function resetReads({ databaseUrl }: PostgresHome): Promise<void> {
  await onServer(databaseUrl, (client) => client.query('select pg_stat_reset()'));
}

/** Markdown: size, depth and cache hits of the ledger's tables and indexes, and how long a vacuum takes. */
export async function describeSizes(ledgers: readonly [Ledger, Ledger]): Promise<string> {
  const [small, large] = [await sizesOf(ledgers[0].home), await sizesOf(ledgers[1].home)];
  const rows = large.sizes.map((size) => {
    const before = small.sizes.find(({ name }) => name === size.name);
    const depths = size.depth === null ? '' : `${before?.depth ?? '?'} → ${size.depth}`;
    const hits = `${percent(before?.hits ?? null)} → ${percent(size.hits)}`;
    const name = size.isTable ? `**\`${size.name}\`**` : `\`${size.name}\``;
    return `| ${name} | ${whole(before?.megabytes ?? 0)} → ${whole(size.megabytes)} | ${depths} | ${hits} |`;
  });
  return [
    `The database has ${whole(small.megabytes)} and ${whole(large.megabytes)} MB: ${whole((small.megabytes * MB) / ledgers[0].events)}`,
    `and ${whole((large.megabytes * MB) / ledgers[1].events)} bytes an event. \`vacuum\` of these tables after the loads took`,
    `${small.vacuumSeconds.toFixed(1)} and ${large.vacuumSeconds.toFixed(1)} s.`,
    '',
    '| Table or index | MB | depth | found in the cache |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

function sizesOf({ databaseUrl }: PostgresHome) {
  return onServer(databaseUrl, async (client) => {
    await client.query('create extension if not exists pageinspect');
    const { rows: sizes } = await client.query<Size>(
      `select c.relname as name, c.relkind = 'r' as "isTable", pg_relation_size(c.oid)::float8 / ${MB} as megabytes,
         case when c.relkind = 'i' then (select level::integer + 1 from bt_metap(c.relname::text)) end as depth,
         coalesce(t.heap_blks_hit, i.idx_blks_hit)::float8
           / nullif(coalesce(t.heap_blks_hit + t.heap_blks_read, i.idx_blks_hit + i.idx_blks_read), 0) as hits
       from pg_class c
       left join pg_index x on x.indexrelid = c.oid
       join pg_class of_table on of_table.oid = coalesce(x.indrelid, c.oid)
       left join pg_statio_user_tables t on t.relid = c.oid
       left join pg_statio_user_indexes i on i.indexrelid = c.oid
       where of_table.relname = any($1::text[]) and pg_relation_size(c.oid) > ${MB}
       order by array_position($1::text[], of_table.relname::text), c.relkind desc, c.relname`,
      [TABLES],
    );
    const { rows } = await client.query<{ megabytes: number }>(
      `select pg_database_size(current_database())::float8 / ${MB} as megabytes`,
    );
    return { sizes, megabytes: rows[0]?.megabytes ?? 0, vacuumSeconds: await vacuumSeconds(client) };
  });
}

async function vacuumSeconds(client: pg.Client): Promise<number> {
  const startedMs = performance.now();
  await client.query(`vacuum ${TABLES.join(', ')}`);
  return (performance.now() - startedMs) / 1000;
}
