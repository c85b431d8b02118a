import { type Bench, checkpoint } from './kit/bench.js';
import { startContender } from './kit/contenders.js';
import { type Contender, contest, interleaved, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { batchBodies } from './kit/load.js';
import { startService } from './kit/server.js';
import { BESIDE, SERVICE, watchServices } from './kit/watched.js';
import { postScript } from './kit/wrk.js';

const EVENTS = 100;
const CONNECTIONS = 16;

/** Batches of 100, compared with the same rows inserted into a plain table. */
export const batchPost: Figure = { name: 'batchPost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events/batch', batchBodies(500, EVENTS));
  const services = await watchServices(bench, { script, connections: CONNECTIONS, eventsPerRequest: EVENTS });
  const prepared = await plainTable(bench, 'prepared');
  const unprepared = await plainTable(bench, 'unprepared');
  const results = await contest(bench, interleaved([prepared, unprepared], services.contenders));
  await services.finish();

  const line = ({ name, setting }: typeof SERVICE, plain: Contender): Line => ({
    what: `POST /events/batch of ${EVENTS}, ${CONNECTIONS} connections, in events`,
    setting,
    value: resultOf(results, name).perSecond(),
    baseline: resultOf(results, plain.name).perSecond(plain.name),
    measure: resultOf(results, name).median / resultOf(results, plain.name).median,
    unit: 'ratio',
    target: null, // the cost of an event has one, in requestCost
    profile: 'batch',
  });
  return [
    line(SERVICE, prepared), // the service prepares its statements as well
    line(SERVICE, unprepared),
    ...BESIDE.map((arrangement) => line(arrangement, prepared)),
  ];
}

async function plainTable(bench: Bench, planning: 'prepared' | 'unprepared'): Promise<Contender> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the table whose columns are copied
  return {
    name: `plain table, ${planning}`,
    ...(planning === 'prepared' && { isYardstick: true }),
    async round(seconds) {
      const args = [home.databaseUrl, String(seconds), planning];
      const done = JSON.parse(await startContender('plainInsert', args).output());
      if (done.stored < done.count) throw new Error(`${done.count} rows inserted, ${done.stored} there`);
      return done.count / done.seconds;
    },
    rest: () => checkpoint(home),
  };
}
