import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../src/kit/seededRandom.js';
import type { PostgresCluster } from '../harness/postgresCluster.js';
import { call, Refused } from './api.js';
import type { Load } from './load.js';
import type { ServerProcess } from './serverProcess.js';

interface OutageOptions {
  outages: number;
  seed: number;
  say(line: string): void;
}

/**
 * Stops the database server while the service runs: by kill -9 and by a stop, in turn. The service
 * must answer SERVICE_UNAVAILABLE meanwhile, stay alive, and recover without help. Throws
 * otherwise.
 */
export async function endureOutages(
  cluster: PostgresCluster,
  server: ServerProcess,
  load: Load,
  { outages, seed, say }: OutageOptions,
): Promise<void> {
  const random = seededRandom(seed);
  for (let outage = 1; outage <= outages; outage += 1) {
    await server.untilReady();
    await pause(random.whole(300, 1500));
    const isSudden = outage % 2 === 1;
    await (isSudden ? cluster.kill9() : cluster.stop());
    await pause(random.whole(300, 1500));
    await expectUnavailable(server);
    await cluster.start();
    const backAtMs = Date.now();
    await server.untilReady();
    say(
      `postgresql: outage ${outage} of ${outages}, database ${isSudden ? 'killed' : 'stopped'}; ` +
        `service back ${Date.now() - backAtMs} ms after it, ${load.retries.unavailable} answers said unavailable`,
    );
  }
}

async function expectUnavailable(server: ServerProcess): Promise<void> {
  const answer = await call(server.url, 'GET', '/users/subject-1/score');
  const { code, retryable } = Refused.parse(JSON.parse(answer.text));
  if (
    answer.status !== 503 ||
    code !== 'SERVICE_UNAVAILABLE' ||
    !retryable ||
    !answer.headers.has('retry-after')
  ) {
    throw new Error(`without its database the service answered ${answer.status} ${answer.text}`);
  }
  const health = await fetch(`${server.url}/health`);
  if (health.status !== 200) throw new Error(`without its database /health answered ${health.status}`);
}
