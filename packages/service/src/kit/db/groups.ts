import type { Queryable, Tx } from './types.js';

/*
 * A ledger group is a schema with tables of its own for the platforms that live in it. Group 0 is
 * the schema that the connection finds by itself, so a database with one group has no other names.
 * Schemas, channels, advisory locks and prepared statements share one name space in a database:
 * here all of them are named after the group.
 */

/** Bounds numbers that carry a group. */
export const MAX_GROUP = 999;

/** The schema of a group other than 0. */
export function schemaOfGroup(group: number): string {
  if (!Number.isInteger(group) || group < 1 || group > MAX_GROUP) {
    throw new RangeError(`not the number of a group with a schema of its own: ${group}`);
  }
  return `ledger_group_${group}`;
}

/** Names first looked up in the group's schema, then in the one that all groups share. */
export function searchPathOf(group: number, shared: string): string {
  return `${schemaOfGroup(group)}, "${shared.replaceAll('"', '""')}"`;
}

/** The name of a notification channel of one group. */
export function channelOfGroup(group: number, channel: string): string {
  return group === 0 ? channel : `${channel}_${group}`;
}

/** The name of an advisory lock that processes of one group take turns with. */
export function lockOfGroup({ group }: Queryable, name: string): string {
  return group === 0 ? name : `${name} of group ${group}`;
}

/** Polls of further groups: idle polls of many groups would add up. */
const FURTHER_GROUP_POLL_MS = 30_000;

/** How long a loop that is not woken may sleep. */
export function pollOfGroup({ group }: Queryable, pollMs: number): number {
  return group === 0 ? pollMs : FURTHER_GROUP_POLL_MS;
}

/**
 * Runs `work` on the tables of a group, in an open transaction of group 0: for the few writes that
 * belong together and to both.
 */
export async function withGroup<T>(tx: Tx, group: number, work: () => Promise<T>): Promise<T> {
  if (group === 0) return work();
  const shared = await readPath(tx);
  await setPath(tx, `${schemaOfGroup(group)}, ${shared}`);
  const result = await work();
  await setPath(tx, shared);
  return result;
}

async function readPath(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ path: string }>("select current_setting('search_path') as path");
  return row?.path ?? '';
}

async function setPath(tx: Tx, path: string): Promise<void> {
  await tx.query("select set_config('search_path', $1, true)", [path]);
}

const GROUPS_AT_ONCE = 4;

/**
 * Reads from each group. One after the other takes too long with many groups, and all at once take
 * all connections.
 */
export async function readEach<Handle, T>(
  groups: readonly Handle[],
  read: (db: Handle) => Promise<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    found.push(...(await Promise.all(groups.slice(from, from + GROUPS_AT_ONCE).map((db) => read(db)))));
  }
  return found;
}

/** The handle of a group. Throws if this process has not opened it: it was added a moment ago. */
export function openedGroup<Handle>(handles: ReadonlyMap<number, Handle>, group: number): Handle {
  const handle = handles.get(group);
  if (!handle) throw new Error(`this process has not opened ledger group ${group} yet`);
  return handle;
}
