import type { LogWitness } from '#domain/logWitnesses.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { insertNote } from '../queue.js';

/** As `log_checkpoint.cosignatures` stores it. `key`: name+id. `line`: the signature line, without newline. */
export type Cosignature = Readonly<Record<'key' | 'line', string>>;

export interface WitnessState {
  key: string;
  /** Leaves under the newest checkpoint that it cosigned. */
  cosignedSize: number;
  cosignedAt: Date | null;
  /** Why its last answer was of no use; null: all is well. */
  problem: string | null;
  failingSince: Date | null;
  /** It has seen another log under this name. */
  isContradicting: boolean;
}

export function keyNameOf({ key: { name, id } }: LogWitness): string {
  return `${name}+${id}`;
}

export async function setWitnesses(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.execute(
    `with removed as (delete from log_witness where key <> all($1::text[]))
     insert into log_witness (key) select unnest($1::text[]) on conflict do nothing`,
    [keys],
  );
}

export function readWitnessStates(db: Queryable): Promise<WitnessState[]> {
  return db.query<WitnessState>(
    `select key, cosigned_size, cosigned_at, problem, failing_since, is_contradicting from log_witness order by key`,
  );
}

/**
 * The states of the witnesses in several ledger groups, one for each key: sums, and the worst of each
 * state. `cosignedAt` is null while a log waits for its first cosignature.
 */
export function joinWitnessStates(groups: readonly (readonly WitnessState[])[]): WitnessState[] {
  const byKey = new Map<string, WitnessState>();
  for (const state of groups.flat()) {
    const known = byKey.get(state.key);
    byKey.set(state.key, known ? worse(known, state) : state);
  }
  return [...byKey.values()];
}

function worse(a: WitnessState, b: WitnessState): WitnessState {
  const failing = [a, b].find(({ problem }) => problem !== null) ?? a;
  return {
    key: a.key,
    cosignedSize: a.cosignedSize + b.cosignedSize,
    cosignedAt: a.cosignedAt && b.cosignedAt && new Date(Math.min(+a.cosignedAt, +b.cosignedAt)),
    problem: failing.problem,
    failingSince: failing.failingSince,
    isContradicting: a.isContradicting || b.isContradicting,
  };
}

/**
 * Keeps a cosignature that was verified, one of a key.
 * @returns the keys of all cosignatures of the checkpoint.
 */
export async function storeCosignature(db: Queryable, treeSize: number, cosignature: Cosignature) {
  await db.execute(
    `update log_checkpoint set cosignatures = (cosignatures::jsonb || $2::jsonb)::json
     where tree_size = $1 and not exists (
       select 1 from json_array_elements(cosignatures) known where known ->> 'key' = $3)`,
    [treeSize, JSON.stringify([cosignature]), cosignature.key],
  );
  const [row] = await db.query<{ cosignatures: Cosignature[] }>(
    'select cosignatures from log_checkpoint where tree_size = $1',
    [treeSize],
  );
  return row?.cosignatures.map(({ key }) => key) ?? [];
}

export async function noteCosigned(db: Queryable, key: string, treeSize: number, now: Date): Promise<void> {
  await db.execute(
    `update log_witness set cosigned_size = $2, cosigned_at = $3, problem = null, failing_since = null,
       is_contradicting = false where key = $1`,
    [key, treeSize, now],
  );
}

export async function noteProblem(
  db: Queryable,
  key: string,
  { problem, isContradicting, now }: { problem: string; isContradicting: boolean; now: Date },
): Promise<void> {
  await db.execute(
    `update log_witness set problem = $2, is_contradicting = $3, failing_since = coalesce(failing_since, $4)
     where key = $1`,
    [key, problem, isContradicting, now],
  );
}

/** The newest checkpoint of another installation's log that this one cosigned. */
export interface WitnessedLog {
  size: number;
  root: Buffer;
  /** With the signatures of the log and the cosignatures. */
  note: string;
}

export async function findWitnessedLog(db: Queryable, origin: string): Promise<WitnessedLog | null> {
  const known = 'select size, root, note from witnessed_log where origin = $1';
  const [row] = await db.query<WitnessedLog>(known, [origin]);
  return row ?? null;
}

/**
 * Replaces what is known of a log, if it is still what the new checkpoint was compared with. One
 * statement, so that two processes never cosign two logs under one name.
 * @param before null: nothing is known of the log.
 * @returns false: somebody else was faster.
 */
export async function advanceWitnessedLog(
  db: Queryable,
  origin: string,
  before: WitnessedLog | null,
  after: WitnessedLog,
  now: Date,
): Promise<boolean> {
  const values = [origin, after.size, after.root, after.note, now];
  const changed = before
    ? await db.execute(
        `update witnessed_log set size = $2, root = $3, note = $4, cosigned_at = $5
         where origin = $1 and size = $6 and root = $7`,
        [...values, before.size, before.root],
      )
    : await db.execute(
        `insert into witnessed_log (origin, size, root, note, cosigned_at) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        values,
      );
  return changed === 1;
}

/**
 * Forgets a log, which makes this witness cosign whatever it gets next under that name. So it
 * becomes a fact of this installation's own log.
 * @returns the leaves that were known; null: the log is unknown.
 */
export function forgetWitnessedLog(db: Database, origin: string, now: Date): Promise<number | null> {
  return db.transaction(async (tx) => {
    const remove = 'delete from witnessed_log where origin = $1 returning size';
    const [row] = await tx.query<{ size: number }>(remove, [origin]);
    if (!row) return null;
    await insertNote(tx, { kind: 'rollback', origin, size: row.size }, now);
    return row.size;
  });
}
