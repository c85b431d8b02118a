import { type BackgroundLoop, createBackgroundLoop } from '../../kit/backgroundLoop.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { findNodes } from '../citus/placement.js';

interface LateDeps {
  db: Database;
  log: Pick<DatabaseLog, 'info' | 'error'>;
  /** Groups that are not open. */
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
    await Promise.all(
      byNode.map((groups) =>
        openInTurn(
          groups.map(({ group }) => group),
          stopping,
        ),
      ),
    );
  }

  async function openInTurn(groups: readonly number[], stopping: AbortSignal): Promise<void> {
    for (const group of groups) {
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
