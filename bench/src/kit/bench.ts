import {
  freshName,
  onServer,
  type PostgresCluster,
  startPostgresCluster,
} from '../../../packages/service/test/harness/postgresCluster.js';
import { dropFolder, scratchFolder } from './scratch.js';
import type { Home } from './server.js';

/** What each bench program gets. */
export interface Bench {
  /** Length of a round of load, and the number of rounds per contender. */
  readonly seconds: number;
  readonly rounds: number;
  /** Leaves of the long log of `logSize`. */
  readonly leaves: number;
  /** Million events of the large ledger of `growth`. */
  readonly times: number;
  /** The folder of an older checkout that is built, for figures that compare with it. */
  readonly against?: string | undefined;
  /** The loads of `requestCost`; empty: all. */
  readonly loads: readonly string[];
  /** Length of the soak. */
  readonly minutes: number;
  /** Events per second of the soak. Default: half of the highest rate. */
  readonly rate?: number | undefined;
  /** Why the figures of a run must not be quoted. */
  readonly disturbances: string[];
  /** A new, empty database. The server syncs every commit to disk. */
  postgres(): Promise<PostgresHome>;
  /** A new folder for the embedded database. */
  embedded(): EmbeddedHome;
  /** Prints progress. */
  say(line: string): void;
}

export type PostgresHome = Home & { readonly databaseUrl: string };
export type EmbeddedHome = Home & { readonly dataDir: string; drop(): void };

/** Runs `work` with its own PostgreSQL server, started on first use. */
export async function withBench<T>(
  options: {
    seconds: number;
    rounds: number;
    leaves?: number;
    times?: number;
    against?: string | undefined;
    loads?: readonly string[];
    minutes?: number;
    rate?: number | undefined;
    say(line: string): void;
  },
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  let cluster: Promise<PostgresCluster> | undefined;
  const bench: Bench = {
    leaves: 10_000_000,
    times: 50,
    loads: [],
    minutes: 120,
    disturbances: [],
    ...options,
    async postgres() {
      cluster ??= startPostgresCluster({ fsync: true });
      const server = await cluster;
      const name = freshName('bench');
      await server.createDatabase(name);
      return { databaseUrl: server.url(name) };
    },
    embedded() {
      const dataDir = scratchFolder('data');
      return { dataDir, drop: () => dropFolder(dataDir) };
    },
  };
  const removeServer = async () => (await cluster)?.remove();
  const abort = () => void removeServer().finally(() => process.exit(130));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(bench);
  } finally {
    await removeServer();
  }
}

/** Keeps dirty pages of one contender from being written during the round of the next. */
export async function checkpoint({ databaseUrl }: PostgresHome): Promise<void> {
  await onServer(databaseUrl, (client) => client.query('checkpoint'));
}

/**
 * As autovacuum does within a minute. Before it the planner knows nothing of the rows that were just written, and sorts a whole book
 * for one page.
 */
export async function vacuum({ databaseUrl }: PostgresHome): Promise<void> {
  await onServer(databaseUrl, (client) => client.query('vacuum analyze'));
}

/** The server's version, such as 15.8. */
export async function postgresVersion({ databaseUrl }: PostgresHome): Promise<string> {
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query<{ version: string }>("select current_setting('server_version') as version"),
  );
  return rows[0]?.version ?? 'unknown';
}
