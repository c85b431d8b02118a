import { setTimeout as pause } from 'node:timers/promises';
import { onServer, type PostgresCluster } from '#harness/postgresCluster.js';
import { type Random, seededRandom } from '#kit/seededRandom.js';
import { call, Refused } from './api.js';
import type { Load } from './load.js';
import type { ServerProcess } from './serverProcess.js';

interface OutageOptions {
  outages: number;
  seed: number;
  say(line: string): void;
}

/**
 * Lets the database fail while the service runs, in three ways by turns: the server is killed, it is
 * stopped, or one of its backends is killed, after which it recovers by itself. The service must
 * answer SERVICE_UNAVAILABLE while the server is away, stay alive, and recover without help. Throws
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
    await pause(random.whole(100, 800));
    const way = WAYS[(outage - 1) % WAYS.length] ?? 'killed';
    if (way === 'backend killed') await killBackend(cluster, random);
    else {
      await (way === 'killed' ? cluster.kill9() : cluster.stop());
      await pause(random.whole(100, 800));
      await expectUnavailable(server);
    }
    await cluster.start();
    const backAtMs = Date.now();
    await server.untilReady();
    say(
      `postgresql: outage ${outage} of ${outages}, database ${way}; ` +
        `service back ${Date.now() - backAtMs} ms after it, ${load.retries.unavailable} answers said unavailable`,
    );
  }
}

const WAYS = ['killed', 'stopped', 'backend killed'] as const;

/** PostgreSQL ends every connection and recovers from its log when a backend dies by a signal. */
async function killBackend(cluster: PostgresCluster, random: Random): Promise<void> {
  const backends = await onServer(cluster.url('postgres'), async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rows;
  });
  process.kill(random.pick(backends).pid, 'SIGKILL');
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
