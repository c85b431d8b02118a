import { type BackgroundLoop, createBackgroundLoop } from '#kit/backgroundLoop.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '#kit/db/database.js';
import { schemaOfGroup } from '#kit/db/groups.js';
import { groupBy } from '#kit/lists.js';
import { DistributedGroup } from '../citus/distributedGroup.js';
import { findNodes } from '../citus/placement.js';

/** Which queues of a group have rows. */
export type QueuedWork = Readonly<Record<'scores' | 'facts' | 'deliveries' | 'jobs', boolean>>;

interface WatchDeps {
  /** The handle of the first group. */
  db: Database;
  log: Pick<DatabaseLog, 'error'>;
  groups(): readonly Database[];
  onQueued(group: number, queued: QueuedWork): void;
}

/** Upper bound for finding work whose notification was lost, or that a dead process left. */
const LOOK_EVERY_MS = 500;
/** If the look itself fails, the loops of each group look for themselves. */
const ALL: QueuedWork = { scores: true, facts: true, deliveries: true, jobs: true };

/**
 * Looks at the queues of all groups of a server with one statement, for rows whose notification was
 * lost or that have none. When each loop looked by itself, an idle group had 19 statements a second.
 */
export function createQueueWatch({ db, log, groups, onQueued }: WatchDeps): BackgroundLoop {
  /** By server. One that does not answer delays those at its own groups only. */
  const underWay = new Map<string, Promise<void>>();
  return createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      for (const [server, members] of groupBy(groups(), serverOf)) {
        if (underWay.has(server)) continue;
        const looking = lookAt(members).finally(() => underWay.delete(server));
        underWay.set(server, looking);
      }
      await underWay.get(FIRST_SERVER);
      await sleep.rest(LOOK_EVERY_MS);
    }
    await Promise.all(underWay.values());
  });

  async function lookAt(members: readonly Database[]): Promise<void> {
    try {
      for (const { group, ...queued } of await findQueuedWork(db, members)) onQueued(group, queued);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return;
      // A group that has left its node finds out where it is with its next statement.
      log.error({ err: error }, 'the queues of ledger groups could not be read');
      for (const { ledgers } of members) onQueued(ledgers.own, ALL);
    }
  }
}

const FIRST_SERVER = '';

/** Groups of a cluster whose node is not known yet are looked at one by one. */
function serverOf(db: Database): string {
  if (!(db instanceof DistributedGroup)) return FIRST_SERVER;
  return db.located?.node ?? `of group ${db.ledgers.own}`;
}

/** The groups of one server that have something queued. */
export async function findQueuedWork(first: Database, groups: readonly Database[]) {
  const [one] = groups;
  if (!one) return [];
  const located = one instanceof DistributedGroup ? one.located : null;
  const looks = groups.map((db) => {
    const has = (table: string) => `exists (select 1 from ${nameOf(db, table)})`;
    return `select ${db.ledgers.own} as "group", ${has('recompute_queue')} as scores, ${has('log_queue')} as facts,
      ${has('outbox_queue')} as deliveries, ${has('job')} as jobs`;
  });
  const handle = located?.db ?? (one instanceof DistributedGroup ? one : first);
  return handle.query<QueuedWork & { readonly group: number }>(
    `select * from (${looks.join(' union all ')}) queued where scores or facts or deliveries or jobs`,
  );
}

function nameOf(db: Database, table: string): string {
  if (db.ledgers.own === 0) return table;
  if (!(db instanceof DistributedGroup)) return `${schemaOfGroup(db.ledgers.own)}.${table}`;
  return db.located ? `${schemaOfGroup(db.ledgers.own)}.${db.located.shardOf(table)}` : table;
}

interface LateDeps {
  db: Database;
  log: Pick<DatabaseLog, 'info' | 'error'>;
  closed: ReadonlySet<number>;
  /** Opens a group, which then is not closed any more. Throws if it cannot be opened yet. */
  open(group: number): Promise<void>;
}

const RETRY_MS = 2_000;

/** Opens ledger groups whose node of a Citus cluster was away when this process started. */
export function createLateGroups({ db, log, closed, open }: LateDeps): BackgroundLoop {
  const reported = new Set<number | undefined>();
  return createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      if (closed.size > 0) await openAll(stopping).catch(note);
      await sleep.rest(RETRY_MS);
    }
  });

  // A node that is away may let each question wait for a time limit: one group asks for the others.
  async function openAll(stopping: AbortSignal): Promise<void> {
    const nodes = (await findNodes(db)).filter(({ group }) => closed.has(group));
    const byNode = [...groupBy(nodes, ({ node }) => node).values()];
    await Promise.all(byNode.map((groups) => openInTurn(groups, stopping)));
  }

  async function openInTurn(groups: readonly { group: number }[], stopping: AbortSignal): Promise<void> {
    for (const { group } of groups) {
      if (stopping.aborted) return;
      try {
        await open(group);
        log.info({ group }, 'the ledger group can be reached and is served');
      } catch (error) {
        note(error, group);
        if (isDatabaseUnavailable(error)) return;
      }
    }
  }

  function note(error: unknown, group?: number): void {
    if (isDatabaseUnavailable(error) || reported.has(group)) return;
    reported.add(group);
    log.error({ err: error, group }, 'a ledger group cannot be opened; its platforms are refused');
  }
}
