import { type Bench, checkpoint } from './kit/bench.js';
import { contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { giveEverybodyAScore, scorePaths } from './kit/fill.js';
import { startOtherServer, startService } from './kit/server.js';
import { getScript } from './kit/wrk.js';
import { reader } from './readScore.js';

const CONNECTIONS = 64;

/** Cost of authentication, scopes, limits and metering, compared with the same service without them. */
export const admissionCost: Figure = { name: 'admissionCost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = getScript(scorePaths());
  const home = await bench.postgres();
  const service = await startService(home);
  await giveEverybodyAScore(service.url);
  await checkpoint(home);
  const open = await startOtherServer('openDoor', [home.databaseUrl]);
  const results = await contest(bench, [
    reader('open door', open, script),
    reader('service', service, script),
  ]);
  await open.stop();
  await service.stop();
  const [guarded, unguarded] = [resultOf(results, 'service'), resultOf(results, 'open door')];
  return [
    {
      what: `Cost of admission, GET /users/{id}/score, ${CONNECTIONS} connections`,
      setting: 'PostgreSQL',
      value: guarded.perSecond(),
      baseline: unguarded.perSecond('without admission'),
      // The share of a request's time that admission takes.
      measure: 1 - guarded.median / unguarded.median,
      unit: 'ratio',
      target: { under: 0.15 },
      profile: 'read',
    },
  ];
}
