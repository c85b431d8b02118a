import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { readWholeFile, writeWholeFile } from '../wholeFile.js';
import type { ServerAddress } from './databaseUrl.js';
import { isHidden, WrongServerError } from './errors.js';
import type { DatabaseLog } from './types.js';

export interface ServerIdentity {
  readonly refusesWrites: boolean;
  /** Of the PostgreSQL cluster, from initdb. Null: a standby, or the server does not tell. */
  readonly clusterId: string | null;
  /** It grows with each promotion and each restore to a point in time. Null: as above. */
  readonly timeline: number | null;
}

const AGAIN_AFTER_MS = 60_000;

/**
 * The newest timeline that this process has written to, and with a file those of earlier processes.
 * After a failover the old primary still accepts writes if nobody has shut it down: going back to it
 * would lose every event since.
 */
export class ServerHistory {
  readonly #file: SeenTimelinesFile | null;
  readonly #log: Pick<DatabaseLog, 'warn' | 'error'>;
  #clusterId: string | null = null;
  #seen: SeenTimelines = {};
  readonly #open = new Map<pg.Client, number>();
  #refusal: WrongServerError | null = null;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #hasFileFailed = false;

  constructor(file: SeenTimelinesFile | null, log: Pick<DatabaseLog, 'warn' | 'error'>) {
    this.#file = file;
    this.#log = log;
  }

  get refusal(): WrongServerError | null {
    return this.#refusal;
  }

  async refuses(server: ServerAddress, { clusterId, timeline }: ServerIdentity): Promise<Error | null> {
    if (clusterId === null || timeline === null) return null;
    const reason =
      this.#clusterId !== null && this.#clusterId !== clusterId
        ? isOfOtherCluster(server, clusterId, this.#clusterId)
        : isOlder(server, timeline, (await this.#known())[clusterId]);
    if (reason === null) return null;
    const nowMs = performance.now();
    if (this.#refusal?.message !== reason || nowMs - this.#loggedMs > AGAIN_AFTER_MS) {
      this.#loggedMs = nowMs;
      this.#log.error({ server: nameOf(server), clusterId, timeline }, reason);
    }
    this.#refusal = new WrongServerError(reason);
    return this.#refusal;
  }

  /** Of the servers that accept writes, those of one cluster. Throws WrongServerError. */
  async ofOneCluster<S extends { server: ServerAddress; identity: ServerIdentity }>(
    found: S[],
  ): Promise<S[]> {
    const ids = new Set(found.map(({ identity: { clusterId } }) => clusterId));
    if (ids.size < 2) return found;
    const seen = await this.#known();
    const known = found.filter(({ identity: { clusterId } }) => clusterId !== null && clusterId in seen);
    if (new Set(known.map(({ identity }) => identity.clusterId)).size === 1) return known;
    const names = found.map(({ server }) => nameOf(server)).join(' and ');
    throw new WrongServerError(
      `the database servers ${names} accept writes and are different clusters: remove one from DATABASE_URL`,
    );
  }

  /** Ends connections to older timelines: an old primary that was only paused would take their writes. */
  async noteConnection(
    client: pg.Client,
    server: ServerAddress,
    { clusterId, timeline }: ServerIdentity,
  ): Promise<void> {
    this.#refusal = null;
    if (clusterId === null || timeline === null) return;
    if (this.#clusterId === null) await this.#warnOfOther(server, clusterId);
    this.#clusterId = clusterId;
    const seen = { timeline, server: nameOf(server) };
    this.#seen = newestOf(this.#seen, { [clusterId]: seen });
    await this.#keep(clusterId, seen);
    this.#open.set(client, timeline);
    client.once('end', () => this.#open.delete(client));
    // `end` would wait for a server that does not answer. The running statement fails, and the pool
    // drops the connection.
    for (const [other, its] of this.#open) if (its < timeline) other.connection.stream.destroy();
  }

  async #warnOfOther(server: ServerAddress, clusterId: string): Promise<void> {
    const known = Object.keys(await this.#known());
    if (known.length === 0 || known.includes(clusterId)) return;
    this.#log.warn(
      { server: nameOf(server), clusterId, known },
      'the database is on another cluster than at the last start; the transparency log decides whether it is whole',
    );
  }

  async #known(): Promise<SeenTimelines> {
    this.#seen = newestOf(this.#seen, (await this.#file?.read()) ?? {});
    return this.#seen;
  }

  /** Without the file the process still remembers. */
  async #keep(clusterId: string, { timeline, server }: SeenTimelines[string]): Promise<void> {
    if (!this.#file) return;
    try {
      const kept = await this.#file.read();
      if ((kept[clusterId]?.timeline ?? 0) < timeline)
        await this.#file.write({ ...kept, [clusterId]: { timeline, server } });
    } catch (error) {
      if (!this.#hasFileFailed)
        this.#log.error({ err: error }, 'the timeline of the database is not remembered over restarts');
      this.#hasFileFailed = true;
    }
  }
}

function isOlder(server: ServerAddress, timeline: number, newest: SeenTimelines[string] | undefined) {
  if (newest === undefined || timeline >= newest.timeline) return null;
  return (
    `the database server ${nameOf(server)} accepts writes on timeline ${timeline}, and timeline ${newest.timeline} was ` +
    `used before on ${newest.server}: it is an old primary and is not used, and requests answer 503. Shut it down, and ` +
    `bring back ${newest.server}. To lose what was written there and go back, see OPERATIONS, Failover`
  );
}

function isOfOtherCluster(server: ServerAddress, clusterId: string, own: string): string {
  return (
    `the database server ${nameOf(server)} belongs to the cluster ${clusterId}, and this process has written to the ` +
    `cluster ${own}: it is not used, and requests answer 503. If you have moved the data, restart the service`
  );
}

function newestOf(one: SeenTimelines, other: SeenTimelines): SeenTimelines {
  const newest = { ...one };
  for (const [clusterId, seen] of Object.entries(other))
    if (seen.timeline > (newest[clusterId]?.timeline ?? 0)) newest[clusterId] = seen;
  return newest;
}

export function nameOf({ host, port }: ServerAddress): string {
  return `${host}:${port}`;
}

const WHAT_IT_IS = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as refuses_writes`;
const AND_WHICH = `case when not pg_is_in_recovery() then (select system_identifier::text from pg_control_system()) end as cluster_id,
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file`;
export async function identify(client: pg.Client): Promise<ServerIdentity> {
  const { rows } = await client.query(`${WHAT_IT_IS}, ${AND_WHICH}`).catch((error: unknown) => {
    if (!isHidden(error)) throw error;
    return client.query(WHAT_IT_IS);
  });
  const [row] = rows;
  return {
    refusesWrites: row?.refuses_writes !== false,
    clusterId: row?.cluster_id ?? null,
    // The first 8 digits of a WAL file's name are its timeline.
    timeline: row?.file ? Number.parseInt(row.file.slice(0, 8), 16) : null,
  };
}

const SeenTimelines = z.record(
  z.string(),
  z.object({
    timeline: z.int().min(1),
    server: z.string(),
  }),
);

/** The newest timeline of each PostgreSQL cluster that was written to, by its system identifier. */
type SeenTimelines = z.output<typeof SeenTimelines>;

type SeenTimelinesFile = ReturnType<typeof seenTimelinesIn>;

/** Where a service keeps what must outlive both the process and the database. */
export interface StateFolder {
  readonly path: string;
  /** Otherwise the folder is used only if it exists. */
  readonly mayCreate: boolean;
}

export function seenTimelinesIn({ path: folder, mayCreate }: StateFolder) {
  const path = join(folder, 'database-timelines');
  return {
    async read(): Promise<SeenTimelines> {
      const text = await readWholeFile(path);
      if (text === null) return {};
      try {
        return SeenTimelines.parse(JSON.parse(text));
      } catch (error) {
        throw new Error(`the file ${path} cannot be read; restore it, or delete it`, { cause: error });
      }
    },
    async write(seen: SeenTimelines): Promise<void> {
      if (mayCreate || existsSync(folder))
        await writeWholeFile(path, `${JSON.stringify(seen)}\n`, { flush: true });
    },
  };
}

/** Servers on this timeline may be used again. Returns what is forgotten. */
export async function forgetTimelinesAbove(
  folder: StateFolder,
  timeline: number,
): Promise<SeenTimelines[string][]> {
  const file = seenTimelinesIn(folder);
  const seen = Object.entries(await file.read());
  const forgotten = seen.filter(([, each]) => each.timeline > timeline);
  if (forgotten.length > 0)
    await file.write(Object.fromEntries(seen.filter(([, each]) => each.timeline <= timeline)));
  return forgotten.map(([, each]) => each);
}
