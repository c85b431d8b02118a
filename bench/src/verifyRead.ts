import type { Bench } from './kit/bench.js';
import { contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { giveEverybodyAScore, scorePaths } from './kit/fill.js';
import { SUBJECTS, subjectName } from './kit/load.js';
import { LIVE_KEY, type Server, startOtherServer, startService } from './kit/server.js';
import { getScript } from './kit/wrk.js';
import { reader } from './readScore.js';

const CONNECTIONS = 64;

/** Public reads of shared records against a server that has nothing to look up. */
export const verifyRead: Figure = { name: 'verifyRead', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const service = await startService(await bench.postgres());
  await giveEverybodyAScore(service.url);
  const tokens = await shareEverybody(service);
  const bare = await startOtherServer('bare');
  const paths = tokens.map((token) => `/api/v1/verify/${token}`);
  const results = await contest(bench, [
    reader('bare server', bare, getScript(scorePaths())),
    reader('service', service, getScript(paths)),
  ]);
  for (const server of [bare, service]) await server.stop();
  return [
    {
      what: `GET /verify/{token}, ${CONNECTIONS} connections`,
      setting: 'PostgreSQL',
      value: resultOf(results, 'service').perSecond(),
      against: resultOf(results, 'bare server').perSecond('bare server'),
      measure: resultOf(results, 'service').median / resultOf(results, 'bare server').median,
      unit: 'ratio',
      target: { least: 0.4 },
    },
  ];
}

/** A token for each subject of the load, in an order that jumps. */
async function shareEverybody({ url }: Server): Promise<string[]> {
  const tokens: string[] = [];
  const next = Array.from({ length: SUBJECTS }, (_, index) => subjectName((index * 7919) % SUBJECTS));
  const lane = async () => {
    for (let name = next.pop(); name !== undefined; name = next.pop()) {
      const answer = await fetch(`${url}/api/v1/users/${name}/share-token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${LIVE_KEY}` },
      });
      tokens.push(((await answer.json()) as { shareToken: string }).shareToken);
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return tokens;
}
