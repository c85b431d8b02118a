import { randomUUID } from 'node:crypto';
import { createVault } from '../../packages/service/src/kit/crypto.js';
import type { Database } from '../../packages/service/src/kit/db/database.js';
import { createIdSource } from '../../packages/service/src/kit/ids.js';
import type { Bench } from './kit/bench.js';
import { startContender } from './kit/contenders.js';
import { contest, resultOf } from './kit/contest.js';
import { envelopeText } from './kit/envelopeText.js';
import { type Figure, type Line, Samples, tenth } from './kit/figure.js';
import { eventBodies } from './kit/load.js';
import { pause } from './kit/scratch.js';
import { DATA_KEY, LIVE_KEY, type Server, startOtherServer, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';

const GOOD = 8;
/** As many as the dispatcher sends to one endpoint. */
const AT_ONCE = 32;
const SETTING = 'PostgreSQL, ROLE=all';
const GIVE_UP_MS = 60_000;

/** Webhooks: throughput, fairness, latency. */
export const deliveries: Figure = { name: 'deliveries', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const receivers = await startReceivers();
  const home = await bench.postgres();
  const env = { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' };
  const service = await startService(home, { env });
  const db = await openHome(home);
  try {
    const outbox = await openOutbox(db, receivers);
    return [
      ...(await throughput(bench, outbox, receivers)),
      await fairness(bench, outbox, receivers),
      await eventToWebhook(bench, service, outbox, receivers),
    ];
  } finally {
    await db.close();
    await service.stop();
    await receivers.stop();
  }
}

async function throughput(bench: Bench, outbox: Outbox, receivers: Receivers): Promise<Line[]> {
  const bare = {
    name: 'bare loop',
    async round(seconds: number) {
      const args = [String(seconds), String(AT_ONCE), ...receivers.good.map(String)];
      const { perSecond } = JSON.parse(await startContender('bareDeliveries', args).output());
      return Number(perSecond);
    },
  };
  const dispatcher = {
    name: 'deliveries',
    async round(seconds: number) {
      const each = Math.ceil((EXPECTED_PER_SECOND * seconds) / GOOD);
      await receivers.reset();
      const startedAt = await outbox.fill(outbox.good, each);
      const { lastMs } = await receivers.whenGot(each * GOOD);
      await outbox.whenEmpty();
      return (each * GOOD * 1000) / (lastMs - startedAt);
    },
  };
  const results = await contest(bench, [bare, dispatcher]);
  const [own, other] = [resultOf(results, dispatcher.name), resultOf(results, bare.name)];
  const line = (what: string, part: Pick<Line, 'baseline' | 'measure' | 'unit' | 'target'>): Line => ({
    what,
    setting: SETTING,
    value: own.perSecond(),
    ...part,
  });
  return [
    line(`signed deliveries to ${GOOD} endpoints, ${AT_ONCE} concurrent each`, {
      baseline: other.perSecond(bare.name),
      measure: own.median / other.median,
      unit: 'ratio',
      target: { min: 0.5 },
    }),
    line('time for 800 deliveries at that rate', {
      baseline: '',
      measure: 800_000 / own.median,
      unit: 'ms',
      target: { under: 1000 },
    }),
  ];
}

const EXPECTED_PER_SECOND = 1500;

/** Good receivers beside one that hangs and one that fails, each at the same steady rate. */
async function fairness(bench: Bench, outbox: Outbox, receivers: Receivers): Promise<Line> {
  const [alone, beside, ratios] = [new Samples(), new Samples(), new Samples()];
  for (let round = 0; round < bench.rounds; round += 1) {
    const own = await steadily(bench.seconds, outbox, receivers, outbox.timed);
    const disturbed = await steadily(bench.seconds, outbox, receivers, [...outbox.timed, ...outbox.bad]);
    alone.add(own);
    beside.add(disturbed);
    ratios.add(disturbed / own); // of neighbouring runs: the speed of the machine varies
    bench.say(`  p95 of good receivers: ${tenth(own)} ms alone, ${tenth(disturbed)} ms beside the bad ones`);
    await outbox.clear();
    await pause(HANGING_ENDS_MS);
  }
  return {
    what: `p95 from due to delivered, ${GOOD} good endpoints beside a hanging and a failing one`,
    setting: SETTING,
    value: beside.milliseconds(),
    baseline: alone.milliseconds('alone'),
    measure: ratios.median,
    unit: 'ratio',
    target: { under: 1.5 },
  };
}

const HANGING_ENDS_MS = 11_000;
const BEAT_MS = 100;

/** Returns the p95 of the good receivers. */
async function steadily(
  seconds: number,
  outbox: Outbox,
  receivers: Receivers,
  targets: readonly string[],
): Promise<number> {
  const samples = new Samples();
  await receivers.reset();
  let beats = 0;
  for (const startedAt = performance.now(); performance.now() - startedAt < seconds * 1000; beats += 1) {
    await outbox.fill(targets, 3);
    await pause(Math.max(0, startedAt + (beats + 1) * BEAT_MS - performance.now()));
  }
  const { arrivals } = await receivers.whenGot(beats * 3 * GOOD);
  for (const [since, atMs] of arrivals) samples.add(atMs - Date.parse(since));
  return samples.percentile(95);
}

const EVENTS_PER_SECOND = 100;

/** Time from sending an event to the arrival of its envelope. */
async function eventToWebhook(
  bench: Bench,
  { url }: Server,
  outbox: Outbox,
  receivers: Receivers,
): Promise<Line> {
  await outbox.subscribe(outbox.timed.slice(0, 1));
  await receivers.reset();
  const count = EVENTS_PER_SECOND * bench.seconds;
  const sentAt = new Map<string, number>();
  const startedAt = performance.now();
  const headers = { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' };
  const underWay = eventBodies(count).map(async (body, index) => {
    await pause(Math.max(0, startedAt + (index * 1000) / EVENTS_PER_SECOND - performance.now()));
    const userId = `latency-${index}`;
    sentAt.set(userId, Date.now());
    const answer = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, userId }),
    });
    if (answer.status !== 201) throw new Error(`an event was answered with ${answer.status}`);
    await answer.text();
  });
  await Promise.all(underWay);
  const { arrivals } = await receivers.whenGot(count);
  const samples = new Samples();
  for (const [userId, atMs] of arrivals) samples.add(atMs - (sentAt.get(userId) ?? Number.NaN));
  bench.say(
    `  event to webhook: median ${tenth(samples.median)} ms, p99 ${tenth(samples.percentile(99))} ms`,
  );
  return {
    what: `event to webhook at ${EVENTS_PER_SECOND} events/s: median`,
    setting: SETTING,
    value: `${tenth(samples.median)} ms, p99 ${tenth(samples.percentile(99))} ms`,
    baseline: '',
    measure: samples.median,
    unit: 'ms',
    target: { under: 150 },
  };
}

interface Counts {
  count: number;
  lastMs: number;
  arrivals: [since: string, atMs: number][];
}

interface Receivers {
  /** Ports of receivers that answer, that hang and that fail. */
  readonly good: readonly number[];
  readonly hanging: number;
  readonly failing: number;
  reset(): Promise<void>;
  /** Resolves once the good receivers have received so many. */
  whenGot(count: number): Promise<Counts>;
  stop(): Promise<void>;
}

async function startReceivers(): Promise<Receivers> {
  const server = await startOtherServer('receivers', [String(GOOD)]);
  const ask = async (path: string) => (await fetch(server.url + path)).text();
  const ports: number[] = JSON.parse(await ask('/ports'));
  return {
    good: ports.slice(0, GOOD),
    hanging: ports[GOOD] ?? 0,
    failing: ports[GOOD + 1] ?? 0,
    async reset() {
      await ask('/reset');
    },
    async whenGot(count) {
      for (const startedAt = performance.now(); ; await pause(50)) {
        const counts: Counts = JSON.parse(await ask('/counts'));
        if (counts.count >= count) return counts;
        if (performance.now() - startedAt > GIVE_UP_MS)
          throw new Error(`receivers got ${counts.count} of ${count} deliveries`);
      }
    },
    stop: () => server.stop(),
  };
}

interface Outbox {
  /** Endpoints of the good receivers, of the same with arrival times, and of the bad ones. */
  readonly good: readonly string[];
  readonly timed: readonly string[];
  readonly bad: readonly string[];
  /** Queues so many envelopes for each endpoint. Returns when they were queued, in milliseconds. */
  fill(targets: readonly string[], each: number): Promise<number>;
  whenEmpty(): Promise<void>;
  clear(): Promise<void>;
  /** From now on these receive the service's own score envelopes. */
  subscribe(targets: readonly string[]): Promise<void>;
}

async function openOutbox(db: Database, receivers: Receivers): Promise<Outbox> {
  const [platform] = await db.query<{ platformId: string }>('select platform_id from platform');
  const platformId = platform?.platformId ?? '';
  const ids = createIdSource();
  const vault = createVault(DATA_KEY);
  const add = async (port: number, path: string) => {
    const id = randomUUID();
    const sealed = vault.seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`, 'webhook secret');
    await db.execute(
      `insert into webhook (webhook_id, platform_id, livemode, url, events, sealed_secret, created_at, updated_at)
       values ($1, $2, true, $3, '{}', $4, now(), now())`,
      [id, platformId, `http://127.0.0.1:${port}${path}`, sealed],
    );
    return id;
  };
  const addAll = (ports: readonly number[], path: string) =>
    Promise.all(ports.map((port) => add(port, path)));
  return {
    good: await addAll(receivers.good, '/'),
    timed: await addAll(receivers.good, '/timed'),
    bad: await addAll([receivers.hanging, receivers.failing], '/'),
    async fill(targets, each) {
      const now = new Date();
      const envelopeIds = Array.from({ length: each }, () => ids.at(now));
      await db.transaction(async (tx) => {
        await tx.execute(
          `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
           select $1, *, $4 from unnest($2::uuid[], array_fill(true, array[cardinality($2::uuid[])]),
             array_fill('score.updated'::text, array[cardinality($2::uuid[])]), $3::text[])`,
          [platformId, envelopeIds, envelopeIds.map((id) => envelopeText(id, now, 'worker-4711')), now],
        );
        await tx.execute(
          `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
           select 'webhook', target_id, envelope_id, $1, $4 from unnest($2::uuid[]) as target_id,
             unnest($3::uuid[]) as envelope_id`,
          [platformId, targets, envelopeIds, now],
        );
      });
      await db.notify('outbox');
      return Date.now();
    },
    async whenEmpty() {
      for (;;) {
        const [row] = await db.query('select 1 from outbox_queue limit 1');
        if (!row) return;
        await pause(50);
      }
    },
    async clear() {
      await db.execute('delete from outbox_queue');
    },
    async subscribe(targets) {
      await db.execute("update webhook set events = '{score.updated}' where webhook_id = any($1::uuid[])", [
        targets,
      ]);
    },
  };
}
