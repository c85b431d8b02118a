import { type BackgroundLoop, createPollingLoop } from '#kit/backgroundLoop.js';
import type { Clock } from '#kit/clock.js';
import type { Database, DatabaseLog } from '#kit/db/database.js';
import { recoverPrepared } from '#kit/db/participants.js';
import { compareTexts, groupBy } from '#kit/lists.js';
import { deleteOutbox, findOutbox, findRemoteGroups, hasRemoteMembers, takeStates } from './remoteStore.js';

/** Wake it after a commit that queued states of linked subjects for other ledger groups. */
export type Exchange = BackgroundLoop;

interface ExchangeDeps {
  groups: () => readonly Database[];
  clock: Clock;
  log: Pick<DatabaseLog, 'error' | 'warn'>;
  /** Called with a group in which records were queued for a recompute. */
  onQueued(group: number): void;
}

/** Upper bound for finding what a process wrote and did not live to bring. */
const POLL_MS = 1000;
/** The same while no record has members in several groups. */
const IDLE_POLL_MS = 30_000;
const RECOVERY_INTERVAL_MS = 30_000;
const MAX_STATES = 200;

export function createExchange({ groups, clock, log, onQueued }: ExchangeDeps): Exchange {
  let recoveredAtMs = Number.NEGATIVE_INFINITY;
  return createPollingLoop(
    async (_, stopping) => {
      await recoverWhenDue();
      return (await exchangeAll(stopping)) ? POLL_MS : IDLE_POLL_MS;
    },
    (error) => log.error({ err: error }, 'exchanging tallies of linked subjects failed'),
  );

  async function recoverWhenDue(): Promise<void> {
    const nowMs = performance.now();
    if (groups().length === 1 || nowMs - recoveredAtMs < RECOVERY_INTERVAL_MS) return;
    await recoverPrepared(groups(), log);
    recoveredAtMs = nowMs;
  }

  /** True if there are records over groups. A group that is away does not delay the others. */
  async function exchangeAll(stopping: AbortSignal): Promise<boolean> {
    if (groups().length === 1) return false;
    let isNeeded = false;
    let failure: unknown = null;
    for (const db of groups()) {
      if (stopping.aborted) return isNeeded;
      try {
        for (const group of await exchangeTallies(db, groups(), clock.now())) onQueued(group);
        isNeeded ||= await hasRemoteMembers(db);
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== null) throw failure;
    return isNeeded;
  }
}

/**
 * Brings what waits in the outbox of one group to the others. Each of them takes it over in a transaction of
 * its own, so a crash between them repeats a state that changes nothing. A group that is away keeps its
 * states waiting and delays no other. Returns the groups in which records were queued.
 */
export async function exchangeTallies(
  from: Database,
  groups: readonly Database[],
  now: Date,
): Promise<Set<number>> {
  const queued = new Set<number>();
  const failures = new Map<number, unknown>();
  for (let afterId = 0; ; ) {
    const rows = await findOutbox(from, afterId, MAX_STATES);
    const targets = await findRemoteGroups(from, [...new Set(rows.map(({ recordId }) => recordId))]);
    for (const [group, records] of groupBy(targets, ({ groupId }) => groupId)) {
      if (failures.has(group)) continue;
      const isOf = new Set(records.map(({ recordId }) => recordId));
      // In one order, so that two processes do not deadlock.
      const due = rows
        .filter(({ recordId }) => isOf.has(recordId))
        .sort((left, right) => compareTexts(left.subjectId, right.subjectId));
      try {
        const to = groups.find(({ ledgers }) => ledgers.own === group);
        if (!to) throw new Error(`this process has not opened ledger group ${group}`);
        if (await to.transaction((tx) => takeStates(tx, due, now))) queued.add(group);
      } catch (error) {
        failures.set(group, error);
      }
    }
    const kept = new Set(targets.flatMap((each) => (failures.has(each.groupId) ? [each.recordId] : [])));
    const done = rows.flatMap(({ outboxId, recordId }) => (kept.has(recordId) ? [] : [outboxId]));
    if (done.length > 0) await deleteOutbox(from, done);
    if (rows.length < MAX_STATES) break;
    afterId = rows.at(-1)?.outboxId ?? 0;
  }
  const [failure] = failures.values();
  if (failure !== undefined) throw failure;
  return queued;
}
