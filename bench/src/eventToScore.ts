import { Agent, request } from 'node:http';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, tenth } from './kit/figure.js';
import { eventBodies } from './kit/load.js';
import { pause } from './kit/scratch.js';
import { type Home, LIVE_KEY, type Server, startService, type Worker } from './kit/server.js';

const EVENTS_PER_SECOND = 300;
const SECONDS = 30;
/** Every so many events, one is followed to its score. */
const SAMPLE_EVERY = 10;
const HOT_SUBJECTS = 20;
const POLL_MS = 2;
const GIVE_UP_MS = 10_000;

/** Time from sending an event to reading a score that includes it, at a steady rate that does not wait for answers. */
export const eventToScore: Figure = { name: 'eventToScore', measure };

interface Arrangement {
  setting: string;
  home: Home;
  worker: Worker;
  /** With a subject each, and with few subjects. Null: for information. */
  limits: readonly [distinct: Limits | null, hot: Limits | null];
}

/** In milliseconds. */
interface Limits {
  readonly median: number;
  readonly p99: number;
}

const USUAL: Limits = { median: 4, p99: 15 };
const ON_PGLITE: Limits = { median: 4, p99: 30 };

async function measure(bench: Bench): Promise<Line[]> {
  const embedded = bench.embedded();
  const arrangements: Arrangement[] = [
    {
      setting: 'PostgreSQL, ROLE=all',
      home: await bench.postgres(),
      worker: 'inside',
      limits: [USUAL, USUAL],
    },
    {
      setting: 'PostgreSQL, api and worker',
      home: await bench.postgres(),
      worker: 'separate',
      limits: [null, null],
    },
    { setting: 'PGlite', home: embedded, worker: 'inside', limits: [null, ON_PGLITE] },
  ];
  const lines: Line[] = [];
  for (const arrangement of arrangements) lines.push(...(await measureOne(bench, arrangement)));
  embedded.drop();
  return lines;
}

async function measureOne(bench: Bench, { setting, home, worker, limits }: Arrangement): Promise<Line[]> {
  const service = await startService(home, { worker });
  try {
    await steadyLoad(service, 5, (index) => `warm-up-${index}`);
    const distinct = await steadyLoad(service, SECONDS, (index) => `single-${index}`);
    const hot = await steadyLoad(service, SECONDS, (index) => `hot-${index % HOT_SUBJECTS}`);
    bench.say(`  ${setting}: median ${tenth(distinct.median)} ms, on hot subjects ${tenth(hot.median)} ms`);
    return [
      ...latencyLines(setting, 'a subject each', distinct, limits[0]),
      ...latencyLines(setting, `${HOT_SUBJECTS} subjects in all`, hot, limits[1]),
    ];
  } finally {
    await service.stop();
  }
}

function latencyLines(setting: string, subjects: string, samples: Samples, limits: Limits | null): Line[] {
  const line = (name: string, measured: number, limitMs: number | undefined): Line => ({
    what: `event to readable score, ${EVENTS_PER_SECOND} events/s on ${subjects}: ${name}`,
    setting,
    value: `${tenth(measured)} ms`,
    baseline: '',
    measure: measured,
    unit: 'ms',
    target: limitMs === undefined ? null : { under: limitMs },
  });
  return [line('median', samples.median, limits?.median), line('p99', samples.percentile(99), limits?.p99)];
}

/** Sends events at a fixed rate that does not wait for answers, and follows every tenth to its score. */
async function steadyLoad(
  service: Server,
  seconds: number,
  subjectOf: (index: number) => string,
): Promise<Samples> {
  const samples = new Samples();
  const sentTo = new Map<string, number>();
  const bodies = eventBodies(EVENTS_PER_SECOND * seconds);
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (const [index, body] of bodies.entries()) {
    await pauseUntil(startedAt + (index * 1000) / EVENTS_PER_SECOND);
    const userId = subjectOf(index);
    const position = (sentTo.get(userId) ?? 0) + 1;
    sentTo.set(userId, position);
    const isSampled = index % SAMPLE_EVERY === 0;
    underWay.push(send(service, { ...body, userId }, isSampled ? { userId, position } : null, samples));
  }
  await Promise.all(underWay);
  return samples;
}

/** @param followed the subject and the number of events sent for it, this one included. null: not followed. */
async function send(
  { url }: Server,
  body: object,
  followed: { userId: string; position: number } | null,
  samples: Samples,
): Promise<void> {
  const sentAt = performance.now();
  const { status } = await call('POST', `${url}/api/v1/events`, JSON.stringify(body));
  if (status !== 201) throw new Error(`an event was answered with ${status}`);
  if (!followed) return;
  const { userId, position } = followed;
  while (performance.now() - sentAt < GIVE_UP_MS) {
    const answer = await call('GET', `${url}/api/v1/users/${userId}/score`);
    if (answer.status === 200 && Number(JSON.parse(answer.text).totalEvents) >= position) {
      samples.add(performance.now() - sentAt);
      return;
    }
    await pause(POLL_MS);
  }
  throw new Error(`no score counts event ${position} of ${userId} after ${GIVE_UP_MS} ms`);
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

function call(method: 'GET' | 'POST', url: string, body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' };
    const sent = request(url, { method, agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// Compensates for late timers: anything due is sent at once.
async function pauseUntil(at: number): Promise<void> {
  const waitMs = at - performance.now();
  if (waitMs > 0) await pause(waitMs);
}
