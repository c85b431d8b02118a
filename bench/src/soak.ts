import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { type Figure, type Measured, type Samples, tenth, whole } from './kit/figure.js';
import { caughtUp, giveEverybodyAScore, settled } from './kit/fill.js';
import { createLiveMemoryProbe, type LiveMemoryProbe } from './kit/liveMemory.js';
import { eventBodies } from './kit/load.js';
import { dropFolder, pause } from './kit/scratch.js';
import { type Server, startService } from './kit/server.js';
import { processorPerEvent, type SoakOutcome, soakReport } from './kit/soakReport.js';
import { type SoakSample, type SoakWatch, watchService } from './kit/soakSample.js';
import { importer, openStreams, readByTurns, subscribeEndpoints } from './kit/soakTraffic.js';
import { bodiesFile, CONNECTIONS, EVENTS_PATH, timesAt } from './kit/steadyEvents.js';
import { postScript, runLoad } from './kit/wrk.js';

const ENDPOINTS = 2;
const STREAMS = 4;
const READS_PER_SECOND = 5;
const IMPORT_ROWS = 1000;
const IMPORT_EVERY_MINUTES = 10;
const COLLECT_EVERY_MINUTES = 5;
/** Minutes with a refused request before the run ends early. */
const MAX_BROKEN = 5;
const [MIN_MINUTES, MAX_MINUTES] = [8, 24 * 60];

/** Hours of steady load: does memory, a queue or a table grow without bound, and is anything lost? */
export const soak: Figure = { name: 'soak', measure };

async function measure(bench: Bench): Promise<Measured> {
  if (!(bench.minutes >= MIN_MINUTES && bench.minutes <= MAX_MINUTES))
    throw new Error(`--minutes must be ${MIN_MINUTES} to ${MAX_MINUTES}`);
  const home = await bench.postgres();
  const env = { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' };
  const probe = createLiveMemoryProbe();
  const service = await startService(home, { env, nodeFlags: probe.nodeFlags });
  const watch = await watchService(service, home);
  try {
    const rate = bench.rate ?? (await highestRate(bench, service, home)) / 2;
    await giveEverybodyAScore(service.url);
    const outcome = await soakAt(rate, bench, service, home, watch, probe);
    return soakReport(outcome, rate);
  } finally {
    await watch.close();
    await service.stop();
    probe.close();
  }
}

async function highestRate(bench: Bench, { url }: Server, home: PostgresHome): Promise<number> {
  const script = postScript(EVENTS_PATH, eventBodies(50_000));
  const { perSecond } = await runLoad(url, script, { connections: CONNECTIONS, seconds: bench.seconds });
  await settled(url);
  await checkpoint(home);
  bench.say(`  highest rate: ${whole(perSecond)}/s`);
  return perSecond;
}

async function soakAt(
  rate: number,
  bench: Bench,
  service: Server,
  home: PostgresHome,
  watch: SoakWatch,
  probe: LiveMemoryProbe,
): Promise<SoakOutcome> {
  const endpoints = await subscribeEndpoints(service, ENDPOINTS);
  const streams = await openStreams(service, STREAMS);
  const reads = readByTurns(service, READS_PER_SECOND);
  const importRows = await importer(service, IMPORT_ROWS);
  const before = await ledgerOf(watch);
  const samples: SoakSample[] = [];
  const imports: Promise<void>[] = [];
  const broken: string[] = [];
  let acknowledged = 0;
  const startedAt = performance.now();
  const hasTime = () => performance.now() - startedAt < (bench.minutes - 0.5) * 60_000;
  for (let minute = 1; hasTime() && broken.length < MAX_BROKEN; minute += 1) {
    if (minute % IMPORT_EVERY_MINUTES === 1) {
      const one = importRows(`soak-${minute}`).then(
        () => {
          acknowledged += IMPORT_ROWS;
        },
        (error) => {
          broken.push(`import in minute ${minute}: ${error}`);
        },
      );
      imports.push(one);
    }
    const times = await minuteOfEvents(service, rate, minute).catch((error) => {
      broken.push(`events in minute ${minute}: ${error}`);
    });
    acknowledged += times?.count ?? 0;
    const state = await watch.sample();
    const live = minute % COLLECT_EVERY_MINUTES === 0 ? await probe.measure(service.pid) : null;
    const sample: SoakSample = {
      ...state,
      live,
      hours: (performance.now() - startedAt) / 3_600_000,
      events: acknowledged,
      p50: times?.median ?? Number.NaN,
      p99: times?.percentile(99) ?? Number.NaN,
    };
    samples.push(sample);
    bench.say(progressOf(minute, sample, samples.at(-2)));
  }
  await Promise.all(imports);
  await reads.stop().catch((error) => broken.push(`reads: ${error}`));
  for (const [status, count] of reads.unexpected) broken.push(`${count} reads were answered with ${status}`);
  await caughtUp(home).catch((error) => broken.push(`after the load: ${error}`));
  await queueEmpty(watch);
  const after = await ledgerOf(watch);
  const received = await endpoints.received();
  const [streamed, closed] = [[...streams.received], streams.closed];
  streams.stop();
  await endpoints.stop();
  return {
    samples,
    broken,
    acknowledged,
    recorded: after.events - before.events,
    due: (after.envelopes - before.envelopes) * ENDPOINTS,
    delivered: after.deliveries - before.deliveries,
    received,
    streamed: { due: after.envelopes - before.envelopes, each: streamed, closed },
    reads: reads.count,
  };
}

async function minuteOfEvents({ url }: Server, rate: number, minute: number): Promise<Samples> {
  const file = bodiesFile(eventBodies(Math.ceil(rate * 60), minute));
  const times = await timesAt(url, file, rate, 60);
  dropFolder(dirname(file));
  return times;
}

const EMPTY_WITHIN_MS = 300_000;

interface Ledger {
  readonly events: number;
  readonly envelopes: number;
  /** Envelopes that an endpoint has accepted, once for each endpoint. */
  readonly deliveries: number;
}

async function ledgerOf(watch: SoakWatch): Promise<Ledger> {
  const row = await watch.count(`select (select count(*)::integer from event) as events,
    (select count(*)::integer from envelope where type = 'score.updated') as envelopes,
    (select count(distinct (webhook_id, envelope_id))::integer from delivery
      where status = 'succeeded') as deliveries`);
  return { events: 0, envelopes: 0, deliveries: 0, ...row };
}

/** Waits until nothing is due, within limits: what is left counts as lost. */
async function queueEmpty(watch: SoakWatch): Promise<void> {
  for (
    const startedAt = performance.now();
    performance.now() - startedAt < EMPTY_WITHIN_MS;
    await pause(200)
  ) {
    const { count } = await watch.count('select count(*)::integer as count from outbox_queue');
    if (count === 0) return;
  }
}

function progressOf(minute: number, sample: SoakSample, before: SoakSample | undefined): string {
  const {
    residentMb,
    heapMb,
    outsideHeapMb,
    openFiles,
    connections,
    queues,
    tables,
    events,
    p50,
    p99,
    live,
  } = sample;
  const waiting = Object.entries(queues).map(([name, count]) => `${name} ${count}`);
  const bytes = [...tables.values()].reduce((sum, table) => sum + table.bytes, 0);
  return [
    `  minute ${minute}: ${whole(events)} events, p50 ${tenth(p50)} ms, p99 ${tenth(p99)} ms`,
    `memory ${tenth(residentMb)} MB (heap ${tenth(heapMb)}, outside ${tenth(outsideHeapMb)})`,
    live ? `after a collection ${tenth(live.residentMb)} MB (held ${tenth(live.heldMb)})` : '',
    before ? `processor ${whole(processorPerEvent(before, sample))} µs an event` : '',
    `${openFiles} files, ${connections} connections`,
    waiting.join(' '),
    `tables ${whole(bytes / 1e6)} MB`,
    `load ${tenth(loadavg()[0] ?? Number.NaN)}`,
  ].join('; ');
}
