import { openDatabase } from '../../../packages/service/src/kit/db/database.js';
import { type Bench, checkpoint } from './bench.js';
import type { Contender } from './contest.js';
import { settled } from './fill.js';
import { type Home, type Server, startService, startWorker } from './server.js';
import { type LoadScript, runLoad } from './wrk.js';

/** A service under load whose events are counted: what was answered has to be there in the end. */
export interface WatchedService {
  readonly contender: Contender;
  /** Stops it and counts its ledger; throws when an answered event is missing. Answers what the ledger holds. */
  finish(): Promise<number>;
}

interface WatchedOptions {
  name: string;
  home: Home;
  /** `apart`: ROLE=api, with a worker in another process. */
  arrangement: 'all' | 'apart';
  script: LoadScript;
  connections: number;
  eventsPerRequest: number;
}

/** Starts the service for a contest of writes. */
export async function watchWrites(bench: Bench, options: WatchedOptions): Promise<WatchedService> {
  const { name, home, arrangement, script, connections, eventsPerRequest } = options;
  const service = await startService(home, { role: arrangement === 'all' ? 'all' : 'api' });
  const worker = arrangement === 'apart' ? await startWorker(home) : undefined;
  let answered = 0;
  let rounds = 0;
  const contender: Contender = {
    name,
    async round(seconds) {
      const load = await runLoad(service.url, script, { connections, seconds });
      if (load.refused > 0) throw new Error(`${name}: ${load.refused} requests were refused under load`);
      answered += load.answered * eventsPerRequest;
      rounds += 1;
      return load.perSecond * eventsPerRequest;
    },
    async rest() {
      const settleMs = await settled(service.url);
      if (settleMs > 1_000) bench.say(`  ${name}: scores caught up after ${(settleMs / 1000).toFixed(1)} s`);
      await calmDown(home);
    },
  };
  return {
    contender,
    async finish() {
      await stopAll(service, worker);
      const stored = await countEvents(home);
      // The generator hangs up on requests under way, which may still be written: at most one per connection and round.
      const mayBeMore = rounds * connections * eventsPerRequest;
      if (stored < answered || stored > answered + mayBeMore)
        throw new Error(`${name}: ${answered} events were answered, the ledger holds ${stored}`);
      bench.say(`  ${name}: ${answered} events answered, ${stored} in the ledger, none lost`);
      return stored;
    },
  };
}

async function stopAll(service: Server, worker: { stop(): Promise<void> } | undefined): Promise<void> {
  await service.stop();
  await worker?.stop();
}

async function calmDown(home: Home): Promise<void> {
  if ('databaseUrl' in home) await checkpoint(home);
}

/** Length of the ledger; the service must have stopped. */
export async function countEvents(home: Home): Promise<number> {
  const db = await openHome(home);
  try {
    const [row] = await db.query<{ count: number }>('select count(*)::integer as count from event');
    return row?.count ?? 0;
  } finally {
    await db.close();
  }
}

/** Opens the data of a service that is not running. */
export function openHome(home: Home) {
  const log = { info() {}, warn: console.warn, error: console.error };
  return 'databaseUrl' in home
    ? openDatabase({ databaseUrl: home.databaseUrl, log })
    : openDatabase({ dataDir: `${home.dataDir}/database`, log });
}
