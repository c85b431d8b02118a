import { setTimeout as pause } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import { parseDatabaseUrl, type ServerAddress } from './databaseUrl.js';
import { columnTypes } from './results.js';
import { identify, nameOf, ServerHistory, type ServerIdentity } from './serverHistory.js';
import type { DatabaseLog } from './types.js';

export const CONNECT_WITHIN_MS = 2_000;
export const STATEMENT_LIMIT_MS = 30_000;
export const TRANSACTION_LIMIT_MS = 10_000;

export interface Connecting {
  readonly config: ClientConfig;
  /** To the server that accepts writes, and to none that an earlier connection has made an old one. */
  readonly Client: typeof pg.Client;
}

export function connectionTo(
  databaseUrl: string,
  log: DatabaseLog,
  connectWithinMs = CONNECT_WITHIN_MS,
  history = new ServerHistory(null, log),
): Connecting {
  const { url, servers, mustAcceptWrites } = parseDatabaseUrl(databaseUrl);
  const config = { ...connectionConfig(url), connectionTimeoutMillis: connectWithinMs };
  const finder = mustAcceptWrites ? createPrimaryFinder(servers, config, log, history) : null;
  return { config, Client: clientOf(servers[0] as ServerAddress, finder, history) };
}

// Parameters in the URL (application_name, ssl, …) override these.
function connectionConfig(connectionString: string): ClientConfig {
  return {
    connectionString,
    application_name: 'reliability-score',
    query_timeout: STATEMENT_LIMIT_MS + 5_000, // for a server that no longer answers
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  };
}

const PROBE_WITHIN_MS = 1_500;
/** For servers that answer later than the first one that accepts writes. */
const OTHERS_WITHIN_MS = 300;
/** While no server accepts writes, callers within this time share the refusal. */
const AGAIN_AFTER_MS = 250;

type PrimaryFinder = ReturnType<typeof createPrimaryFinder>;

/** Finds the server that accepts writes among those of DATABASE_URL. */
function createPrimaryFinder(
  servers: readonly ServerAddress[],
  config: ClientConfig,
  log: Pick<DatabaseLog, 'info'>,
  history: ServerHistory,
) {
  let found: Promise<ServerAddress> | null = null;
  let last: ServerAddress | null = null;
  return {
    /** Remembers the server until `forget`. Rejects if none accepts writes, or none that may be used. */
    find(): Promise<ServerAddress> {
      found ??= look();
      return found;
    },
    forget(server: ServerAddress): void {
      const forgotten = found;
      // Another one may have been found meanwhile.
      void forgotten?.then((current) => {
        if (current === server && found === forgotten) found = null;
      }, ignoreHere);
    },
  };

  async function look(): Promise<ServerAddress> {
    try {
      const newest = await newestPrimary();
      if (last && last !== newest) log.info(newest, 'another database server accepts writes now');
      last = newest;
      return newest;
    } catch (error) {
      setTimeout(() => {
        found = null;
      }, AGAIN_AFTER_MS).unref();
      throw error;
    }
  }

  async function newestPrimary(): Promise<ServerAddress> {
    const primaries: { server: ServerAddress; identity: ServerIdentity }[] = [];
    let refusal: Error | null = null;
    const probes = servers.map(async (server) => {
      const identity = await probe(server, config).catch(() => null);
      if (!identity || identity.refusesWrites) return;
      const refused = await history.refuses(server, identity);
      if (refused) refusal = refused;
      else primaries.push({ server, identity });
    });
    const first = Promise.race(
      probes.map((done) => done.then(() => (primaries.length > 0 ? null : never()))),
    );
    await Promise.race([Promise.all(probes), first.then(() => pause(OTHERS_WITHIN_MS))]);
    // An old primary that came back after a failover accepts writes, too. It has the older timeline.
    const usable = await history.ofOneCluster(primaries);
    const [newest] = usable.sort((a, b) => (b.identity.timeline ?? 0) - (a.identity.timeline ?? 0));
    if (newest) return newest.server;
    throw refusal ?? new Error(`none of the servers accepts writes: ${servers.map(nameOf).join(', ')}`);
  }
}

// A refusal is reported to those who asked.
function ignoreHere(): void {}

function never(): Promise<never> {
  return new Promise(() => {});
}

async function probe(server: ServerAddress, config: ClientConfig): Promise<ServerIdentity> {
  const limits = { connectionTimeoutMillis: PROBE_WITHIN_MS, query_timeout: PROBE_WITHIN_MS };
  const client = Object.assign(new pg.Client({ ...config, ...limits }), server);
  client.on('error', ignoreHere); // the running statement fails with it
  try {
    await client.connect();
    return await identify(client);
  } finally {
    client.end().catch(ignoreHere);
  }
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A client that connects to a server that may be used. With a finder, to the one that accepts writes. */
function clientOf(
  server: ServerAddress,
  finder: PrimaryFinder | null,
  history: ServerHistory,
): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    // The pool passes a callback.
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): unknown {
      const connected = this.#connectTo();
      const done = callback as ((error: Error | null) => void) | undefined;
      return done ? connected.then(() => done(null), done) : connected;
    }

    async #connectTo(): Promise<this> {
      if (!finder) return this.#admitted(server);
      const primary = await finder.find();
      Object.assign(this, primary);
      try {
        return await this.#admitted(primary);
      } catch (error) {
        finder.forget(primary);
        throw error;
      }
    }

    async #admitted(to: ServerAddress): Promise<this> {
      this.on('error', ignoreHere); // the pool listens only when this has resolved
      await super.connect();
      try {
        const identity = await identify(this);
        if (finder && identity.refusesWrites) throw new Error(`${nameOf(to)} does not accept writes`);
        const refused = await history.refuses(to, identity);
        if (refused) throw refused;
        await history.noteConnection(this, to, identity);
      } catch (error) {
        this.end().catch(ignoreHere);
        throw error;
      }
      return this;
    }
  } as typeof pg.Client;
}
