import { type Bench, checkpoint } from './kit/bench.js';
import { type Figure, type Line, Samples, tenth, whole } from './kit/figure.js';
import { settled } from './kit/fill.js';
import { eventBodies } from './kit/load.js';
import { startService, type Worker } from './kit/server.js';
import { bodiesFile, CONNECTIONS, EVENTS_PATH, timesAt } from './kit/steadyEvents.js';
import { postScript, runLoad } from './kit/wrk.js';

const WARM_UP_SECONDS = 3;

/** The time of an answer at half of the rate that the service can do. */
export const halfRate: Figure = { name: 'halfRate', measure };

async function measure(bench: Bench): Promise<Line[]> {
  return [
    await measureOne(bench, 'inside', 'PostgreSQL, ROLE=all', { under: 20 }),
    await measureOne(bench, 'separate', 'PostgreSQL, api and worker', null),
  ];
}

async function measureOne(
  bench: Bench,
  worker: Worker,
  setting: string,
  target: Line['target'],
): Promise<Line> {
  const bodies = eventBodies(50_000);
  const script = postScript(EVENTS_PATH, bodies);
  const file = bodiesFile(bodies);
  const home = await bench.postgres();
  const service = await startService(home, { worker });
  await runLoad(service.url, script, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const [rates, medians, p99s] = [new Samples(), new Samples(), new Samples()];
  for (let round = 1; round <= bench.rounds; round += 1) {
    await settled(service.url);
    await checkpoint(home);
    const { perSecond } = await runLoad(service.url, script, {
      connections: CONNECTIONS,
      seconds: bench.seconds,
    });
    await settled(service.url);
    await checkpoint(home);
    const times = await timesAt(service.url, file, perSecond / 2, bench.seconds);
    rates.add(perSecond);
    medians.add(times.median);
    p99s.add(times.percentile(99));
    bench.say(
      `  ${setting}, ${whole(perSecond / 2)}/s: median ${tenth(times.median)} ms, p99 ${tenth(times.percentile(99))} ms`,
    );
  }
  await service.stop();
  return {
    what: `POST /events at half of the highest rate, ${CONNECTIONS} connections: p99`,
    setting,
    value: `${p99s.milliseconds()}, median ${tenth(medians.median)} ms`,
    baseline: rates.perSecond('highest rate'),
    measure: p99s.median,
    unit: 'ms',
    target,
  };
}
