import { openDatabase } from '../../../packages/service/src/shape/openDatabase.js';
import { type Bench, checkpoint } from './bench.js';
import type { Contender } from './contest.js';
import type { Samples } from './figure.js';
import { caughtUp, settled } from './fill.js';
import { processorMs } from './processorTime.js';
import { type Home, startService, type Worker } from './server.js';
import { type LoadScript, runLoad } from './wrk.js';

/** A load of writes. */
interface WriteLoad {
  readonly script: LoadScript;
  readonly connections: number;
  readonly eventsPerRequest: number;
  /** Threads of the load generator. Default: 1. */
  readonly threads?: number;
}

/** A way to run the service, as the report names it. */
export interface Arrangement {
  readonly name: string;
  readonly setting: string;
  readonly engine: 'postgresql' | 'pglite';
  readonly worker: Worker;
  /** PROCESSES. Default: 1. */
  readonly processes?: number;
  /** Gets the processor time of an event in microseconds until it is scored and logged, of each round but the first. */
  readonly costs?: Samples;
}

/** The arrangement that has targets. */
export const SERVICE: Arrangement = {
  name: 'service',
  setting: 'PostgreSQL, ROLE=all',
  engine: 'postgresql',
  worker: 'inside',
};

/** The other arrangements, for comparison. */
export const BESIDE: readonly Arrangement[] = [
  {
    name: 'service, worker apart',
    setting: 'PostgreSQL, api and worker',
    engine: 'postgresql',
    worker: 'separate',
  },
  { name: 'service, no worker', setting: 'PostgreSQL, api alone', engine: 'postgresql', worker: 'none' },
  { name: 'service on PGlite', setting: 'PGlite', engine: 'pglite', worker: 'inside' },
];

/** Services under load whose events are counted: every answered event must be in the ledger at the end. */
export interface WatchedServices {
  readonly contenders: readonly Contender[];
  /** Stops them and counts their ledgers. Throws if an answered event is missing. */
  finish(): Promise<void>;
}

/** Starts the service in each arrangement, each on its own database, for a contest of writes. */
export async function watchServices(
  bench: Bench,
  load: WriteLoad,
  arrangements: readonly Arrangement[] = [SERVICE, ...BESIDE],
): Promise<WatchedServices> {
  const watched: WatchedService[] = [];
  for (const arrangement of arrangements) watched.push(await watchService(bench, load, arrangement));
  return {
    contenders: watched.map(({ contender }) => contender),
    async finish() {
      for (const service of watched) await service.finish();
    },
  };
}

interface WatchedService {
  contender: Contender;
  finish(): Promise<void>;
}

async function watchService(
  bench: Bench,
  load: WriteLoad,
  arrangement: Arrangement,
): Promise<WatchedService> {
  const { name, engine, worker, processes = 1, costs } = arrangement;
  const { script, connections, eventsPerRequest, threads } = load;
  const home: Home = engine === 'pglite' ? bench.embedded() : await bench.postgres();
  const service = await startService(home, { worker, env: { PROCESSES: String(processes) } });
  let answered = 0;
  let rounds = 0;
  const usedMs = async () => ('databaseUrl' in home && costs ? processorMs(service, home) : 0);
  let before = { answered: 0, usedMs: 0 };
  const contender: Contender = {
    name,
    async round(seconds) {
      before = { answered, usedMs: await usedMs() };
      const result = await runLoad(service.url, script, { connections, seconds, threads });
      if (result.refused > 0) throw new Error(`${name}: ${result.refused} requests were refused under load`);
      answered += result.answered * eventsPerRequest;
      rounds += 1;
      return result.perSecond * eventsPerRequest;
    },
    async rest() {
      const settleMs = worker === 'none' ? 0 : await settled(service.url);
      if (settleMs > 1_000) bench.say(`  ${name}: scores caught up after ${(settleMs / 1000).toFixed(1)} s`);
      if (costs && 'databaseUrl' in home) {
        await caughtUp(home);
        const eachUs = (((await usedMs()) - before.usedMs) * 1000) / (answered - before.answered);
        if (rounds > 1) costs.add(eachUs);
      }
      await calmDown(home);
    },
  };
  return {
    contender,
    async finish() {
      await service.stop();
      const stored = await countEvents(home);
      // At the end of a round wrk drops requests in flight, which may still be written: at most one per connection and round.
      const mayBeMore = rounds * connections * eventsPerRequest;
      if (stored < answered || stored > answered + mayBeMore)
        throw new Error(`${name}: ${answered} events were answered, the ledger holds ${stored}`);
      bench.say(`  ${name}: ${answered} events answered, ${stored} in the ledger, none lost`);
    },
  };
}

async function calmDown(home: Home): Promise<void> {
  if ('databaseUrl' in home) await checkpoint(home);
}

/** Number of events in the ledger. The service must have stopped. */
async function countEvents(home: Home): Promise<number> {
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
