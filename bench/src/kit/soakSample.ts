import { readdirSync } from 'node:fs';
import pg from 'pg';
import { residentBytes } from '../memory.js';
import type { PostgresHome } from './bench.js';
import { metricOf } from './fill.js';
import type { LiveMemory } from './liveMemory.js';
import { processorMs } from './processorTime.js';
import type { Server } from './server.js';

/** Tables whose rows are work that waits. */
export const QUEUES = ['recompute_queue', 'log_queue', 'outbox_queue', 'import_chunk', 'job'] as const;

export interface TableSize {
  /** As the statistics of the server count them. */
  readonly rows: number;
  /** With indexes, free space and dead rows. */
  readonly bytes: number;
}

/** The state of the service and its database at one moment. */
export interface SoakSample {
  readonly hours: number;
  /** Events acknowledged so far. */
  readonly events: number;
  readonly residentMb: number;
  readonly heapMb: number;
  readonly outsideHeapMb: number;
  /** Every five minutes. */
  readonly live: LiveMemory | null;
  /** Processor time so far, of the service and of PostgreSQL. */
  readonly processorMs: number;
  readonly openFiles: number;
  readonly connections: number;
  readonly queues: Readonly<Record<string, number>>;
  readonly tables: ReadonlyMap<string, TableSize>;
  readonly p50: number;
  readonly p99: number;
}

type State = Omit<SoakSample, 'hours' | 'events' | 'live' | 'p50' | 'p99'>;

export interface SoakWatch {
  sample(): Promise<State>;
  /** One row of numbers. */
  count(sql: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const TABLES = `select relname as name, n_live_tup::float8 as rows, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables`;
const CONNECTIONS = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
const WAITING = `select ${QUEUES.map((name) => `(select count(*)::integer from ${name}) as ${name}`)}`;

/** Watches a service with a connection of its own. */
export async function watchService(server: Server, home: PostgresHome): Promise<SoakWatch> {
  const client = new pg.Client({ connectionString: home.databaseUrl });
  client.on('error', () => undefined); // the running query rejects, too
  await client.connect();
  const count = async (sql: string) => (await client.query<Record<string, number>>(sql)).rows[0] ?? {};
  return {
    count,
    async sample() {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      const megabytes = (name: string) => metricOf(metrics, name) / 1e6;
      const tables = await client.query<TableSize & { name: string }>(TABLES);
      return {
        residentMb: residentBytes(server.pid, 'VmRSS') / 1e6,
        heapMb: megabytes('nodejs_heap_size_used_bytes'),
        outsideHeapMb: megabytes('nodejs_external_memory_bytes'),
        processorMs: await processorMs(server, home),
        openFiles: readdirSync(`/proc/${server.pid}/fd`).length,
        connections: (await count(CONNECTIONS)).count ?? Number.NaN,
        queues: await count(WAITING),
        tables: new Map(tables.rows.map(({ name, rows, bytes }) => [name, { rows, bytes }])),
      };
    },
    close: () => client.end(),
  };
}
