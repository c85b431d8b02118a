import { fail, serviceError } from '#domain/errors.js';
import { isSameSecret } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { readEach } from '#kit/db/groups.js';
import { media } from '#kit/http/answer.js';
import type { Metrics } from '#kit/http/metrics.js';
import { joinLogStates, type LogState, readLogState } from '#ledger/log/state.js';
import { joinWitnessStates, readWitnessStates, type WitnessState } from '#ledger/log/witness/witnesses.js';
import type { GroupsDeps } from './checkHealth.js';
import { failingRecords, jobDepth, outboxDepth, queueDepth } from './store.js';

export interface MetricsAccess {
  metricsToken: string | undefined;
  trustProxy: number | string[] | undefined;
  host: string;
}

/** The processes of one start, of which this is one (PROCESSES). */
export interface Processes {
  state(): { readonly configured: number; readonly running: number; readonly restarts: number };
  /** The metrics of all of them. Rejects if they cannot be added up now. */
  metricsText(): Promise<string>;
}

interface MetricsDeps extends GroupsDeps {
  metrics: Metrics;
  replica: { lagSeconds(): number | null } | null;
  processes: Processes;
  config: MetricsAccess;
}

interface Scrape {
  readonly remoteAddress: string;
  header(name: string): string | undefined;
}

const MAX_COUNT = 100_000;

/**
 * Needs METRICS_TOKEN if it is set. Otherwise it answers this machine alone, and only where no
 * proxy can be in front.
 */
export async function showMetrics(deps: MetricsDeps, scrape: Scrape) {
  const { metricsToken } = deps.config;
  if (metricsToken === undefined) assertLocal(deps.config, scrape);
  else assertToken(metricsToken, scrape);
  const { metrics } = deps;
  const found = await readFigures(deps);
  const sumOf = (figure: (of: Figures) => number) =>
    found.length === 0 ? Number.NaN : found.reduce((sum, each) => sum + figure(each), 0);
  metrics.recomputeQueueDepth.set(sumOf(({ queued }) => queued));
  metrics.recomputeFailingRecords.set(sumOf(({ failing }) => failing));
  metrics.outboxQueueDepth.set(sumOf(({ deliveries }) => deliveries));
  metrics.jobQueueDepth.set(sumOf(({ jobs }) => jobs));
  const log = joinLogStates(found.map((each) => each.log));
  metrics.logLeaves.set(log?.treeSize ?? Number.NaN);
  metrics.logSignedLeaves.set(log?.signedSize ?? Number.NaN);
  metrics.logPublishedLeaves.set(log?.publishedSize ?? Number.NaN);
  const witnesses = joinWitnessStates(found.map((each) => each.witnesses));
  const countOf = (isMeant: (state: WitnessState) => boolean) =>
    log ? witnesses.filter(isMeant).length : Number.NaN;
  metrics.logWitnessesFailing.set(countOf(({ problem }) => problem !== null));
  metrics.logWitnessesContradicting.set(countOf(({ isContradicting }) => isContradicting));
  metrics.logQueueDepth.set(log?.waiting ?? Number.NaN);
  metrics.logHalted.set(log ? Number(log.halted !== null) : Number.NaN);
  const { running, restarts } = deps.processes.state();
  metrics.replicaLagSeconds.set(deps.replica?.lagSeconds() ?? Number.NaN);
  metrics.processesRunning.set(running);
  metrics.processRestarts.set(restarts);
  return media(metrics.registry.contentType, await textOf(deps));
}

async function textOf({ processes }: MetricsDeps): Promise<string> {
  try {
    return await processes.metricsText();
  } catch (error) {
    // The metrics of this thread alone would look like a restart of the others.
    throw serviceError('SERVICE_UNAVAILABLE', { cause: error });
  }
}

/** What is read from a ledger group. */
interface Figures {
  queued: number;
  failing: number;
  deliveries: number;
  jobs: number;
  log: LogState;
  witnesses: WitnessState[];
}

/** The figures of the ledger groups that answer. The metric `ledger_group_up` says which do not. */
async function readFigures(deps: MetricsDeps): Promise<Figures[]> {
  const { ledgerGroupUp } = deps.metrics;
  for (const { ledgers } of deps.groups()) ledgerGroupUp.set({ group: ledgers.own }, 0);
  const found = await readEach(await deps.reachableGroups(), async (db) => {
    const figures = await figuresOf(db).catch(() => null);
    if (figures) ledgerGroupUp.set({ group: db.ledgers.own }, 1);
    return figures;
  });
  return found.filter((figures) => figures !== null);
}

async function figuresOf(db: Database): Promise<Figures> {
  return {
    queued: await queueDepth(db, MAX_COUNT),
    failing: await failingRecords(db, MAX_COUNT),
    deliveries: await outboxDepth(db, MAX_COUNT),
    jobs: await jobDepth(db),
    log: await readLogState(db),
    witnesses: await readWitnessStates(db),
  };
}

function assertToken(expected: string, scrape: Scrape): void {
  const given = /^Bearer (.+)$/i.exec(scrape.header('authorization') ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, expected)) return;
  fail('UNAUTHORIZED', {
    message: 'Send METRICS_TOKEN of this installation as Authorization: Bearer to read metrics.',
  });
}

/**
 * A proxy on this machine calls from loopback on behalf of anyone, and so does a browser on behalf
 * of any website. Most are recognised by the headers they add; the others by TRUST_PROXY and HOST.
 */
function assertLocal({ trustProxy, host }: MetricsAccess, scrape: Scrape): void {
  if (trustProxy !== undefined || !(host === 'localhost' || isLoopback(host))) {
    fail('FORBIDDEN', {
      message:
        'Set METRICS_TOKEN to read metrics. Without it they are closed while TRUST_PROXY is set or HOST is not a ' +
        'loopback address, because a request through a proxy looks like one from this machine.',
    });
  }
  const isForwarded = FORWARDED_HEADERS.some((name) => scrape.header(name) !== undefined);
  const isOwnName = LOOPBACK_HOST.test(scrape.header('host') ?? '');
  if (!isForwarded && isOwnName && isLoopback(scrape.remoteAddress)) return;
  fail('FORBIDDEN', {
    message:
      'Metrics can be read from this machine only, at localhost or a loopback address. Set METRICS_TOKEN to read them from elsewhere.',
  });
}

/** DNS can lead the name of a website to 127.0.0.1: its page then reads as of the same origin. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const FORWARDED_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'origin'];

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}
