import { addTestGroups, engines, hasCitus, hasPostgres, openTestDatabase } from '#harness/engines.js';
import type { Database } from '#kit/db/database.js';
import { PooledDatabase } from '#kit/db/pooledDatabase.js';
import { openGroups } from '../../src/shape/groups/groups.js';

/** A database with the handles of all of its ledger groups. */
export interface OpenHome {
  db: Database;
  groups: readonly Database[];
  close(): Promise<void>;
}

interface LinkHome {
  open(): Promise<OpenHome>;
  /** Runs of a property test. */
  runs: number;
}

const GROUPS = 3;

/** Where linked subjects may live: one group on each engine, and several groups on one server. */
export const linkHomes: [name: string, home: LinkHome][] = [
  ...engines.map((engine): [string, LinkHome] => [
    engine,
    {
      runs: engine === 'pglite' ? 12 : 25,
      async open() {
        const { db, close } = await openTestDatabase(engine);
        return { db, groups: [db], close };
      },
    },
  ]),
  ...(hasPostgres
    ? ([
        ['three ledger groups', { runs: 10, open: openThreeGroups }],
        ['ledger groups on two servers', { runs: 10, open: openTwoServers }],
      ] as [string, LinkHome][])
    : []),
];

export async function openThreeGroups(): Promise<OpenHome> {
  const { db, close } = await openTestDatabase('postgresql');
  await addTestGroups(db, GROUPS - (await openGroups(db)).length);
  return { db, groups: await openGroups(db), close };
}

/**
 * Another database in place of another server: a transaction cannot reach it. On Citus the first
 * two groups, which are on different servers.
 */
export async function openTwoServers(): Promise<OpenHome> {
  if (hasCitus) {
    const { db, close } = await openTestDatabase('postgresql');
    return { db, groups: (await openGroups(db)).slice(0, 2), close };
  }
  const [first, second] = [await openTestDatabase('postgresql'), await openTestDatabase('postgresql')];
  if ((await openGroups(second.db)).length === 1) await addTestGroups(second.db, 1);
  return {
    db: first.db,
    groups: await joinServers(first.db, second.db),
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

/** Group 0 of one database and group 1 of another, as the groups of one installation. */
export async function joinServers(first: Database, second: Database): Promise<readonly Database[]> {
  const [, other] = await openGroups(second);
  if (!(first instanceof PooledDatabase && other instanceof PooledDatabase)) throw new Error('no pools');
  first.handles.set(1, other);
  other.handles.set(0, first);
  return [first, other];
}
