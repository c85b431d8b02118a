import { DatabaseUnavailableError } from './errors.js';
import type { Queryable } from './types.js';

/*
 * A ledger group is a schema with tables of its own for the platforms that live in it. Group 0 is
 * the schema that the connection finds by itself, so a database with one group has no other names.
 * Schemas, channels, advisory locks and prepared statements share one name space in a database:
 * here all of them are named after the group.
 */

/** Bounds numbers that carry a group. */
export const MAX_GROUP = 999;

/** Its search path, too: no statement of a group can come to read or write a shared table. */
export function schemaOfGroup(group: number): string {
  if (!Number.isInteger(group) || group < 1 || group > MAX_GROUP) {
    throw new RangeError(`not the number of a group with a schema of its own: ${group}`);
  }
  return `ledger_group_${group}`;
}

export function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

export function channelOfGroup(group: number, channel: string): string {
  return group === 0 ? channel : `${channel}_${group}`;
}

export function lockOfGroup({ ledgers: { own } }: Queryable, name: string): string {
  return own === 0 ? name : `${name} of group ${own}`;
}

/** Polls of further groups: idle polls of many groups would add up. */
const FURTHER_GROUP_POLL_MS = 30_000;

export function pollOfGroup({ ledgers }: Queryable, pollMs: number): number {
  return ledgers.own === 0 ? pollMs : FURTHER_GROUP_POLL_MS;
}

const GROUPS_AT_ONCE = 4;

/** One after the other takes too long with many groups, and all at once take all connections. */
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

/** Throws DatabaseUnavailableError if this process has not opened the group: it was added a moment ago. */
export function openedGroup<Handle>(handles: ReadonlyMap<number, Handle>, group: number): Handle {
  const handle = handles.get(group);
  if (!handle) throw new DatabaseUnavailableError(`this process has not opened ledger group ${group} yet`);
  return handle;
}
