import { assertNever } from '../../../domain/errors.js';
import { fourDecimals } from '../../../domain/share.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database, Engine } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { type HealthCheck, overallStatus } from './checkHealth.js';
import { countSamples } from './store.js';

interface StatusDeps {
  db: Database;
  clock: Clock;
  checkHealth: HealthCheck;
}

/**
 * Liveness, readiness and status (RULES O4). Ready means: a request would be answered. A missing worker does not
 * make a process unready, since events are still taken and nothing is lost; `/status.json` calls that degraded.
 */
export async function showReadiness({ checkHealth }: StatusDeps): Promise<Answer> {
  const checks = await checkHealth();
  const isReady = checks.database.status === 'ok';
  return isReady ? ok({ status: 'ready', checks }) : { status: 503, body: { status: 'degraded', checks } };
}

export async function showStatus(deps: StatusDeps): Promise<Answer> {
  const checks = await deps.checkHealth();
  const history = checks.database.status === 'ok' ? await readHistory(deps) : null;
  return ok({ status: overallStatus(checks), checks, history, storage: storageOf(deps.db.engine) });
}

interface Uptime {
  uptime: number | null;
  samples: number;
}

async function readHistory({ db, clock }: StatusDeps): Promise<{ '24h': Uptime; '7d': Uptime } | null> {
  const now = clock.now();
  try {
    return { '24h': await uptimeOver(db, now, 1), '7d': await uptimeOver(db, now, 7) };
  } catch {
    return null;
  }
}

const MINUTE_MS = 60_000;

/** A minute without a sample counts as down: nobody was there to take one. Time before the first sample does not count. */
async function uptimeOver(db: Database, now: Date, days: number): Promise<Uptime> {
  const { first, samples, good } = await countSamples(db, new Date(now.getTime() - days * DAY_MS));
  if (!first) return { uptime: null, samples };
  const minutes = Math.floor((now.getTime() - first.getTime()) / MINUTE_MS) + 1;
  return { uptime: fourDecimals(Math.min(1, good / minutes)), samples };
}

function storageOf(engine: Engine): { engine: Engine; durability: string } {
  switch (engine) {
    case 'pglite':
      return {
        engine,
        durability:
          'Embedded. What has been acknowledged survives a crash of the process, but not a loss of power. Set DATABASE_URL for a database that survives both.',
      };
    case 'postgresql':
      return {
        engine,
        durability:
          'PostgreSQL. What has been acknowledged survives a crash and a loss of power, unless the server runs with fsync or synchronous_commit off.',
      };
    default:
      return assertNever(engine);
  }
}
