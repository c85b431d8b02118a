import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { batchBodies } from './kit/load.js';
import { startProgram } from './kit/scratch.js';
import { startService } from './kit/server.js';
import { watchWrites } from './kit/watched.js';
import { postScript } from './kit/wrk.js';

const EVENTS = 100;
const CONNECTIONS = 8;

/** Batches of a hundred against the same rows in a plain table. */
export const batchPost: Figure = { name: 'batchPost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events/batch', batchBodies(500, EVENTS));
  const common = { script, connections: CONNECTIONS, eventsPerRequest: EVENTS };
  const all = await watchWrites(bench, {
    ...common,
    name: 'service',
    home: await bench.postgres(),
    arrangement: 'all',
  });
  const apart = await watchWrites(bench, {
    ...common,
    name: 'service, worker apart',
    home: await bench.postgres(),
    arrangement: 'apart',
  });
  const embedded = bench.embedded();
  const pglite = await watchWrites(bench, {
    ...common,
    name: 'service on PGlite',
    home: embedded,
    arrangement: 'all',
  });
  const plain = await plainTable(bench);
  const results = await contest(bench, [plain, all.contender, apart.contender, pglite.contender]);
  for (const service of [all, apart, pglite]) await service.finish();
  embedded.drop();

  const line = (setting: string, own: string, target: Line['target']): Line => ({
    what: `POST /events/batch of ${EVENTS}, ${CONNECTIONS} connections, in events`,
    setting,
    value: resultOf(results, own).perSecond(),
    against: resultOf(results, plain.name).perSecond(plain.name),
    measure: resultOf(results, own).median / resultOf(results, plain.name).median,
    unit: 'ratio',
    target,
    profile: 'batch',
  });
  return [
    line('PostgreSQL, ROLE=all', 'service', { least: 0.35 }),
    line('PostgreSQL, api and worker', 'service, worker apart', null),
    line('PGlite', 'service on PGlite', null),
  ];
}

async function plainTable(bench: Bench): Promise<Contender> {
  const home: PostgresHome = await bench.postgres();
  await (await startService(home)).stop(); // brings the table whose columns are copied
  return {
    name: 'plain table on PostgreSQL',
    async round(seconds) {
      const args = [home.databaseUrl, String(seconds)];
      const done = JSON.parse(await startProgram('contenders/plainInsert.ts', args).output());
      if (done.stored < done.count) throw new Error(`${done.count} rows inserted, ${done.stored} there`);
      return done.count / done.seconds;
    },
    rest: () => checkpoint(home),
  };
}
