import { fourDecimals } from '#domain/points.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Clock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import { type HealthCheck, overallStatus } from './checkHealth.js';
import type { NotReady, Ready, Status, Uptime } from './schemas.js';
import type { Processes } from './showMetrics.js';
import { countSamples } from './store.js';

interface StatusDeps {
  db: Database;
  clock: Clock;
  checkHealth: HealthCheck;
  processes: Processes;
}

/**
 * Ready means that a request would be answered (RULES O4), by a database that holds what was signed: a
 * log that has stopped may be the log of a wrong server. Requests are still answered then. A missing worker does not make a process
 * unready, because events are still accepted and nothing is lost; `/status.json` calls that
 * degraded.
 */
export async function showReadiness({
  checkHealth,
}: StatusDeps): Promise<TypedAnswer<200, Ready> | TypedAnswer<503, NotReady>> {
  const checks = await checkHealth();
  const isReady = checks.database.status === 'ok' && checks.log.status !== 'halted';
  return isReady ? ok({ status: 'ready', checks }) : { status: 503, body: { status: 'degraded', checks } };
}

export async function readStatus(deps: StatusDeps): Promise<Status> {
  const checks = await deps.checkHealth();
  const history = checks.database.status === 'ok' ? await readHistory(deps) : null;
  const { configured, running } = deps.processes.state();
  const processes = { configured, running };
  return { status: overallStatus(checks), checks, history, processes, storage: storageOf(deps.db) };
}

async function readHistory({ db, clock }: StatusDeps): Promise<Status['history']> {
  const now = clock.now();
  try {
    return { '24h': await uptimeOver(db, now, 1), '7d': await uptimeOver(db, now, 7) };
  } catch {
    return null;
  }
}

const MINUTE_MS = 60_000;

/**
 * A minute without a sample counts as down: no process was able to take one. Time before the first
 * sample does not count.
 */
async function uptimeOver(db: Database, now: Date, days: number): Promise<Uptime> {
  const { first, last, samples, good } = await countSamples(db, new Date(now.getTime() - days * DAY_MS));
  if (!first || !last) return { uptime: null, samples };
  const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);
  // The minute that has begun is counted with its sample, not before.
  const end = Math.max(minuteOf(last) + 1, minuteOf(now));
  const minutes = end - minuteOf(first);
  return { uptime: fourDecimals(Math.min(1, good / minutes)), samples };
}

function storageOf({ hasOneConnection }: Database): Status['storage'] {
  return hasOneConnection
    ? {
        engine: 'pglite',
        durability:
          'Embedded. Acknowledged data survives a crash of the process, but not a power loss. Set DATABASE_URL for a database that survives both.',
      }
    : {
        engine: 'postgresql',
        durability:
          'PostgreSQL. Acknowledged data survives a crash and a power loss, unless the server runs with fsync or synchronous_commit off.',
      };
}
