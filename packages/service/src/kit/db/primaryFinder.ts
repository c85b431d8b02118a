import { setTimeout as pause } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import type { ServerAddress } from './databaseUrl.js';
import type { DatabaseLog } from './types.js';

/** Finds the server that accepts writes among those of DATABASE_URL. */
export interface PrimaryFinder {
  /** Remembers the server until `forget`. Rejects if none accepts writes. */
  find(): Promise<ServerAddress>;
  /** Call if this server does not answer or refuses writes: the next call looks for another. */
  forget(server: ServerAddress): void;
}

const PROBE_WITHIN_MS = 1_500;
/** For servers that answer later than the first one that accepts writes. */
const OTHERS_WITHIN_MS = 300;
/** While no server accepts writes, callers within this time share the refusal. */
const AGAIN_AFTER_MS = 250;

interface Primary {
  readonly server: ServerAddress;
  readonly timeline: number;
}

export function createPrimaryFinder(
  servers: readonly ServerAddress[],
  config: ClientConfig,
  log: Pick<DatabaseLog, 'info'>,
): PrimaryFinder {
  let found: Promise<ServerAddress> | null = null;
  let last: ServerAddress | null = null;
  return {
    find() {
      found ??= look();
      return found;
    },
    forget(server) {
      const forgotten = found;
      // Another one may have been found meanwhile.
      void forgotten?.then((current) => {
        if (current === server && found === forgotten) found = null;
      }, ignoreHere);
    },
  };

  async function look(): Promise<ServerAddress> {
    const primaries: Primary[] = [];
    const probes = servers.map(async (server) => {
      const primary = await probe(server, config).catch(() => null);
      if (primary) primaries.push(primary);
    });
    const first = Promise.race(
      probes.map((done) => done.then(() => (primaries.length > 0 ? null : never()))),
    );
    await Promise.race([Promise.all(probes), first.then(() => pause(OTHERS_WITHIN_MS))]);
    // An old primary that came back after a failover accepts writes, too. It has the older timeline.
    const [newest] = primaries.sort((a, b) => b.timeline - a.timeline);
    if (!newest) {
      const names = servers.map(({ host, port }) => `${host}:${port}`).join(', ');
      setTimeout(() => {
        found = null;
      }, AGAIN_AFTER_MS).unref();
      throw new Error(`none of the servers accepts writes: ${names}`);
    }
    if (last && last !== newest.server) log.info(newest, 'another database server accepts writes now');
    last = newest.server;
    return newest.server;
  }
}

// A refusal is reported to those who asked.
function ignoreHere(): void {}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** Null: it answers, but does not accept writes. */
async function probe(server: ServerAddress, config: ClientConfig): Promise<Primary | null> {
  const limits = { connectionTimeoutMillis: PROBE_WITHIN_MS, query_timeout: PROBE_WITHIN_MS };
  const client = Object.assign(new pg.Client({ ...config, ...limits }), server);
  client.on('error', ignoreHere); // the running statement fails with it
  try {
    await client.connect();
    if (await refusesWrites(client)) return null;
    return { server, timeline: await timelineOf(client) };
  } finally {
    client.end().catch(ignoreHere);
  }
}

async function refusesWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ refuses: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as refuses`,
  );
  return rows[0]?.refuses !== false;
}

/** It grows with each promotion. 0: the server does not tell. */
async function timelineOf(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ file: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as file',
    );
    return Number.parseInt(rows[0]?.file.slice(0, 8) ?? '0', 16);
  } catch {
    return 0;
  }
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A client that connects to the server that accepts writes. */
export function clientOfPrimary(finder: PrimaryFinder): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    // The pool passes a callback.
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): unknown {
      const connected = this.#connectToPrimary();
      const done = callback as ((error: Error | null) => void) | undefined;
      return done ? connected.then(() => done(null), done) : connected;
    }

    async #connectToPrimary(): Promise<this> {
      const server = await finder.find();
      Object.assign(this, server);
      try {
        await super.connect();
        if (await refusesWrites(this))
          throw new Error(`${server.host}:${server.port} does not accept writes`);
        return this;
      } catch (error) {
        finder.forget(server);
        throw error;
      }
    }
  } as typeof pg.Client;
}
