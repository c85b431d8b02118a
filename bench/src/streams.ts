import { type ClientRequest, get } from 'node:http';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, tenth } from './kit/figure.js';
import { eventBodies } from './kit/load.js';
import { pause } from './kit/scratch.js';
import { ADMIN_SECRET, type Server, startService } from './kit/server.js';
import { residentMb } from './memory.js';

const PLATFORMS = 5;
/** The limit of the largest plan per platform and mode. */
const STREAMS_EACH = 50;
const STREAMS = PLATFORMS * 2 * STREAMS_EACH;
const EVENTS_PER_SECOND = 20;
const SECONDS = 15;
const REST_MS = 5_000;

/** Memory of open streams, and the time until an event reaches all of them. */
export const streams: Figure = { name: 'streams', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const service = await startService(await bench.postgres());
  try {
    const keys = await keysOfPlatforms(service);
    // The same load before and after, so that the difference is due to the streams.
    await load(service, keys, 'before');
    const withoutMb = residentMb(service.pid, 'VmRSS');
    const arrivals = new Samples();
    const opened = await openStreams(service, keys, arrivals);
    await load(service, keys, 'after');
    const withMb = residentMb(service.pid, 'VmRSS');
    for (const stream of opened) stream.destroy();
    const { median } = arrivals;
    const late = arrivals.percentile(99);
    bench.say(`  ${withoutMb} MB without streams, ${withMb} MB with ${STREAMS}, median ${tenth(median)} ms`);
    return linesOf({ withoutMb, withMb, median, late });
  } finally {
    await service.stop();
  }
}

interface Measured {
  withoutMb: number;
  withMb: number;
  median: number;
  late: number;
}

function linesOf({ withoutMb, withMb, median, late }: Measured): Line[] {
  const setting = 'PostgreSQL, ROLE=all';
  const rate = `${EVENTS_PER_SECOND} events/s, each to ${STREAMS_EACH} of ${STREAMS} open streams`;
  return [
    {
      what: `resident memory of ${STREAMS} open streams`,
      setting,
      value: `${withMb} MB`,
      baseline: `${withoutMb} MB without`,
      measure: withMb - withoutMb,
      unit: 'MB',
      target: { under: 100 },
    },
    {
      what: `from event to envelope, ${rate}: median`,
      setting,
      value: `${tenth(median)} ms (99 % within ${tenth(late)} ms)`,
      baseline: '',
      measure: median,
      unit: 'ms',
      target: null,
    },
  ];
}

/** A live and a test key of several platforms. Each key has its own streams. */
async function keysOfPlatforms({ url }: Server): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < PLATFORMS; index += 1) {
    const answer = await fetch(`${url}/api/v1/admin/platforms`, {
      method: 'POST',
      headers: { 'X-Admin-Secret': ADMIN_SECRET, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Platform ${index}`, plan: 'enterprise' }),
    });
    const added = (await answer.json()) as { keys: Record<'live' | 'test', { key: string }> };
    keys.push(added.keys.live.key, added.keys.test.key);
  }
  return keys;
}

/** When the event of each subject was sent. */
const sentAt = new Map<string, number>();

async function load({ url }: Server, keys: readonly string[], name: string): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (const [index, body] of eventBodies(EVENTS_PER_SECOND * SECONDS).entries()) {
    await pause(startedAt + (index * 1000) / EVENTS_PER_SECOND - performance.now());
    const userId = `${name}-${index}`;
    sentAt.set(userId, performance.now());
    underWay.push(report(url, keys[index % keys.length] ?? '', { ...body, userId }));
  }
  await Promise.all(underWay);
  await pause(REST_MS);
}

async function report(url: string, key: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`an event was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

function openStreams(service: Server, keys: readonly string[], arrivals: Samples): Promise<ClientRequest[]> {
  const each = keys.flatMap((key) => Array<string>(STREAMS_EACH).fill(key));
  return Promise.all(each.map((key) => openStream(service, key, arrivals)));
}

function openStream({ url }: Server, key: string, arrivals: Samples): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: { Authorization: `Bearer ${key}` } };
    const opened = get(`${url}/api/v1/events/stream`, options, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
      answer.setEncoding('utf8');
      answer.on('error', () => {}); // the connection is cut at the end
      // An envelope arrives in one piece, as it was written.
      answer.on('data', (text: string) => {
        for (const frame of text.split('\n\n')) {
          if (!frame.includes('event: score.updated\n')) continue;
          const sent = sentAt.get(/"externalId":"([^"]+)"/.exec(frame)?.[1] ?? '');
          if (sent !== undefined) arrivals.add(performance.now() - sent);
        }
      });
      resolve(opened);
    });
    opened.on('error', reject);
  });
}
