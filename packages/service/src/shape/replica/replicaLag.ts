/**
 * How old the data of a replica is, at most. A position of the primary's write-ahead log is noted
 * with the time at which it was asked for. Once the replica has replayed it, the replica holds
 * everything that was committed before that time. So an idle primary causes no lag, and clocks of
 * different machines are not compared (`pg_last_xact_replay_timestamp` has both problems).
 */
export interface ReplicaLag {
  /** @param lsn of the primary, asked for at `askedMs`. */
  noteWritten(lsn: string, askedMs: number): void;
  /** @param lsn up to which the replica has replayed. */
  noteReplayed(lsn: string): void;
  /** The replica is away: nothing is known. */
  forget(): void;
  /** Null: not known. */
  ageMs(nowMs: number): number | null;
}

/** Positions that wait to be replayed. Beyond this the replica is far behind. */
const MAX_WAITING = 1_000;

export function createReplicaLag(): ReplicaLag {
  let waiting: { lsn: bigint; askedMs: number }[] = [];
  let holdsUntilMs: number | null = null;
  return {
    noteWritten(lsn, askedMs) {
      if (waiting.length < MAX_WAITING) waiting.push({ lsn: positionOf(lsn), askedMs });
    },
    noteReplayed(lsn) {
      const replayed = positionOf(lsn);
      const newest = waiting.filter((written) => written.lsn <= replayed).at(-1);
      if (!newest) return;
      holdsUntilMs = newest.askedMs;
      waiting = waiting.filter((written) => written.lsn > replayed);
    },
    forget() {
      waiting = [];
      holdsUntilMs = null;
    },
    ageMs: (nowMs) => (holdsUntilMs === null ? null : nowMs - holdsUntilMs),
  };
}

/** `16/B374D848` as a number. */
function positionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
