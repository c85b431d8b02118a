import { fail } from '../../../domain/errors.js';
import { isSameSecret } from '../../../kit/crypto.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, media } from '../../../kit/http/answer.js';
import type { Metrics } from '../../../kit/http/metrics.js';
import { failingRecords, jobDepth, outboxDepth, queueDepth } from './store.js';

/** What decides who may read them. */
export interface MetricsAccess {
  metricsToken: string | undefined;
  trustProxy: number | string[] | undefined;
  host: string;
}

interface MetricsDeps {
  db: Database;
  metrics: Metrics;
  config: MetricsAccess;
}

interface Scrape {
  readonly remoteAddress: string;
  header(name: string): string | undefined;
}

const DEEPEST_COUNT = 100_000;

/** Prometheus text. Open to METRICS_TOKEN where one is set, else to this machine alone, where no proxy can be in front. */
export async function showMetrics(deps: MetricsDeps, scrape: Scrape): Promise<Answer> {
  const { metricsToken } = deps.config;
  if (metricsToken === undefined) assertLocal(deps.config, scrape);
  else assertToken(metricsToken, scrape);
  const { db, metrics } = deps;
  metrics.recomputeQueueDepth.set(await queueDepth(db, DEEPEST_COUNT).catch(() => Number.NaN));
  metrics.recomputeFailingRecords.set(await failingRecords(db, DEEPEST_COUNT).catch(() => Number.NaN));
  metrics.outboxQueueDepth.set(await outboxDepth(db, DEEPEST_COUNT).catch(() => Number.NaN));
  metrics.jobQueueDepth.set(await jobDepth(db).catch(() => Number.NaN));
  return media(metrics.registry.contentType, await metrics.registry.metrics());
}

function assertToken(expected: string, scrape: Scrape): void {
  const given = /^Bearer (.+)$/i.exec(scrape.header('authorization') ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, expected)) return;
  fail('UNAUTHORIZED', {
    message: 'Metrics need Authorization: Bearer with the METRICS_TOKEN of this installation.',
  });
}

/**
 * A proxy on this machine calls from loopback too, for anybody, and so does a browser for the page of a stranger. Most give
 * themselves away by the headers they add; one that does not is known by how the service is set up.
 */
function assertLocal({ trustProxy, host }: MetricsAccess, scrape: Scrape): void {
  if (trustProxy !== undefined || !(host === 'localhost' || isLoopback(host))) {
    fail('FORBIDDEN', {
      message:
        'Set METRICS_TOKEN to read metrics: without it they are closed while TRUST_PROXY is set or HOST is not a ' +
        'loopback address, since a request of a proxy cannot be told from one of this machine.',
    });
  }
  const isForAnother = FOR_ANOTHER.some((name) => scrape.header(name) !== undefined);
  if (!isForAnother && isLoopback(scrape.remoteAddress)) return;
  fail('FORBIDDEN', {
    message: 'Metrics are open to this machine alone. Set METRICS_TOKEN to read them from elsewhere.',
  });
}

const FOR_ANOTHER = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'origin'];

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}
