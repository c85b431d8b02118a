import type { Database, DatabaseLog, Queryable, Reads } from '#kit/db/database.js';
import { PooledDatabase } from '#kit/db/pooledDatabase.js';
import { openPostgres } from '#kit/db/postgres.js';
import { inTime } from '#kit/inTime.js';

type ReadSource = 'replica' | 'primary' | 'retried';

export type ReplicaReads = ReturnType<typeof openReplica>;

interface ReplicaOptions {
  databaseUrl: string;
  replicaUrl: string;
  poolSize: number;
  maxLagMs: number;
  log: DatabaseLog;
}

/** A replica is measured while it is used, and for so long afterwards. */
const USED_MS = 10_000;
const MAX_POLL_MS = 250;
const MIN_POLL_MS = 20;
/** A replica that does not answer within this time is away. */
const ANSWER_WITHIN_MS = 1_000;

/** Does not connect yet. */
export function openReplica({ databaseUrl, replicaUrl, poolSize, maxLagMs, log }: ReplicaOptions) {
  const replica = openPostgres({ databaseUrl: replicaUrl, poolSize, log });
  // Of its own: measuring must not wait for the pool of the requests.
  const gauge = openPostgres({ databaseUrl, poolSize: 1, log });
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, maxLagMs / 4));
  const lag = createReplicaLag();
  let lost = createLoss();
  let usedMs = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | null = null;
  let isClosed = false;
  let isServing = false;
  let note: (source: ReadSource) => void = () => undefined;
  return {
    /** Reads in place of a handle of the primary. */
    readsFor(own: Database): Reads {
      const scope = own instanceof PooledDatabase ? own.scope : null;
      const handle = scope ? replica.open(scope) : replica;
      return { from: (work, fallback = own) => read(handle, work, fallback) };
    },
    /** How old the data of the replica is at most, in seconds; null while it is not known. */
    lagSeconds(): number | null {
      const ageMs = lag.ageMs(performance.now());
      return ageMs === null ? null : ageMs / 1000;
    },
    /** Called after each choice. `retried`: the replica failed, and the primary answered. */
    onRead(called: (source: ReadSource) => void): void {
      note = called;
    },
    async close(): Promise<void> {
      isClosed = true;
      await polling;
      await Promise.all([gauge.close(), replica.close()]);
    },
  };

  async function read<T>(handle: Queryable, work: (db: Queryable) => Promise<T>, fallback: Queryable) {
    usedMs = performance.now();
    polling ??= poll();
    if (!isFresh()) {
      note('primary');
      return work(fallback);
    }
    try {
      const result = await Promise.race([work(handle), lost.happens]);
      note('replica');
      return result;
    } catch {
      note('retried');
      return work(fallback);
    }
  }

  function isFresh(): boolean {
    const ageMs = lag.ageMs(performance.now());
    return ageMs !== null && ageMs <= maxLagMs;
  }

  async function poll(): Promise<void> {
    while (!isClosed && performance.now() - usedMs < USED_MS) {
      await measure().catch((error: unknown) => {
        lag.forget();
        lost.report();
        lost = createLoss();
        logServing(false, error);
      });
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    polling = null;
  }

  async function measure(): Promise<void> {
    const askedMs = performance.now();
    const [written] = await inTime(gauge.query<Position>(WRITTEN), ANSWER_WITHIN_MS);
    const [replayed] = await inTime(replica.query<Partial<Position>>(REPLAYED), ANSWER_WITHIN_MS);
    if (!written || !replayed?.lsn) throw new Error('DATABASE_REPLICA_URL is not a standby');
    if (written.cluster !== replayed.cluster) {
      throw new Error('DATABASE_REPLICA_URL is a standby of another server than DATABASE_URL');
    }
    lag.noteWritten(written.lsn, askedMs);
    lag.noteReplayed(replayed.lsn);
    logServing(isFresh(), { maxLagMs });
  }

  function logServing(serves: boolean, reason: unknown): void {
    if (serves && !isServing) log.info({ maxLagMs }, 'the replica serves reads');
    if (!serves && isServing)
      log.warn({ err: reason }, 'the replica is away or too old: the primary serves all reads');
    isServing = serves;
  }
}

/** Of the write-ahead log. */
interface Position {
  lsn: string;
  cluster: string;
}

/** Everything acknowledged before is at or below the flushed position. */
const WRITTEN = `select pg_current_wal_flush_lsn()::text as lsn, system_identifier::text as cluster from pg_control_system()`;

const REPLAYED = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as lsn,
    system_identifier::text as cluster from pg_control_system()`;

/** A read that waits for a replica that died would wait until its own time limit. */
function createLoss(): { happens: Promise<never>; report(): void } {
  let report = () => {};
  const happens = new Promise<never>((_, reject) => {
    report = () => reject(new Error('the replica is away'));
  });
  happens.catch(() => undefined);
  return { happens, report: () => report() };
}

/** Positions that wait to be replayed. Beyond this the replica is far behind. */
const MAX_WAITING = 1_000;

/**
 * How old the data of a replica is, at most. A position of the primary's write-ahead log is noted
 * with the time at which it was asked for. Once the replica has replayed it, the replica holds
 * everything that was committed before that time. So an idle primary causes no lag, and clocks of
 * different machines are not compared (`pg_last_xact_replay_timestamp` has both problems).
 */
export function createReplicaLag() {
  let waiting: { lsn: bigint; askedMs: number }[] = [];
  let holdsUntilMs: number | null = null;
  return {
    /** @param lsn of the primary, asked for at `askedMs`. */
    noteWritten(lsn: string, askedMs: number): void {
      if (waiting.length < MAX_WAITING) waiting.push({ lsn: positionOf(lsn), askedMs });
    },
    /** @param lsn up to which the replica has replayed. */
    noteReplayed(lsn: string): void {
      const replayed = positionOf(lsn);
      const newest = waiting.filter((written) => written.lsn <= replayed).at(-1);
      if (!newest) return;
      holdsUntilMs = newest.askedMs;
      waiting = waiting.filter((written) => written.lsn > replayed);
    },
    /** The replica is away. */
    forget(): void {
      waiting = [];
      holdsUntilMs = null;
    },
    /** Null: not known. */
    ageMs: (nowMs: number) => (holdsUntilMs === null ? null : nowMs - holdsUntilMs),
  };
}

/** `16/B374D848` as a number. */
function positionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
