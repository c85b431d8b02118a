import type { Bench } from './kit/bench.js';
import { contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { giveEverybodyAScore, scorePaths } from './kit/fill.js';
import { SUBJECTS, subjectName } from './kit/load.js';
import { LIVE_KEY, type Server, startOtherServer, startService } from './kit/server.js';
import { getScript } from './kit/wrk.js';
import { reader } from './readScore.js';

const CONNECTIONS = 64;

/** Public reads of shared records, compared with a server that looks nothing up. */
export const verifyRead: Figure = { name: 'verifyRead', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const service = await startService(await bench.postgres());
  await giveEverybodyAScore(service.url);
  const tokens = await shareEverybody(service);
  const bare = await startOtherServer('bare');
  const reads = publicReads.map((read) => ({
    ...read,
    script: getScript(tokens.map((token) => read.path.replace('{token}', token))),
  }));
  const results = await contest(bench, [
    reader('bare server', bare, getScript(scorePaths())),
    ...reads.map(({ path, script }) => reader(path, service, script)),
  ]);
  for (const server of [bare, service]) await server.stop();
  const limit = resultOf(results, 'bare server');
  return reads.map(({ path, target }) => ({
    what: `GET ${path}, ${CONNECTIONS} connections`,
    setting: 'PostgreSQL',
    value: resultOf(results, path).perSecond(),
    baseline: limit.perSecond('bare server'),
    measure: resultOf(results, path).median / limit.median,
    unit: 'ratio',
    target,
  }));
}

/** Without a target: the answer is rendered for people. */
const publicReads: readonly { path: string; target: Line['target'] }[] = [
  { path: '/api/v1/verify/{token}', target: { min: 0.4 } },
  { path: '/api/v1/verify/{token}/delivery-receipts', target: { min: 0.4 } },
  { path: '/badge/{token}.svg', target: { min: 0.4 } },
  { path: '/verify/{token}', target: null },
];

/** A share token for each subject of the load, in a scattered order. */
async function shareEverybody({ url }: Server): Promise<string[]> {
  const tokens: string[] = [];
  const next = Array.from({ length: SUBJECTS }, (_, index) => subjectName((index * 7919) % SUBJECTS));
  const loop = async () => {
    for (let name = next.pop(); name !== undefined; name = next.pop()) {
      const answer = await fetch(`${url}/api/v1/users/${name}/share-token`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${LIVE_KEY}` },
      });
      tokens.push(((await answer.json()) as { shareToken: string }).shareToken);
    }
  };
  await Promise.all(Array.from({ length: 16 }, loop));
  return tokens;
}
