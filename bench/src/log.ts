import { auditLog } from '../../packages/service/src/ledger/log/audit/auditLog.js';
import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { timeToCheck } from './kit/checkPage.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import { type Figure, type Line, Samples, tenth, whole } from './kit/figure.js';
import { postEvents, settled } from './kit/fill.js';
import { batchBodies, eventBodies } from './kit/load.js';
import { processorMs } from './kit/processorTime.js';
import { pause } from './kit/scratch.js';
import { type Home, LIVE_KEY, type Server, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';
import { postScript, runLoad } from './kit/wrk.js';

const CONNECTIONS = 64;
const EVENTS_A_BATCH = 100;
/** Between two events whose receipts are awaited. */
const SAMPLE_EVERY_MS = 250;
const PROVEN_EVENTS = 1000;
/** Events of others between two events of the proven subject. */
const BETWEEN = 40;
const REPEATS = 30;
const CHECKS = 10;
const AUDITS = 5;
const SETTING = 'PostgreSQL, ROLE=all';

/** The cost of the transparency log on writes, the age of facts when they are signed, the time of a proof, and the rate of the audit. */
export const log: Figure = { name: 'log', measure };

async function measure(bench: Bench): Promise<Line[]> {
  return [...(await costOfWrites(bench)), ...(await lagUnderLoad(bench)), ...(await timeOfProofs(bench))];
}

async function costOfWrites(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events', eventBodies(50_000));
  const [withLog, without] = [await bench.postgres(), await bench.postgres()];
  const services = [await startService(withLog), await startService(without)];
  await leaveQueueEmpty(without);
  const costs = { withLog: newCosts(), without: newCosts() };
  const contenderOf = (name: string, server: Server, home: PostgresHome, costs: Costs): Contender => {
    let isWarm = false;
    return {
      name,
      async round(seconds) {
        const snapshots = await countSnapshots(home);
        const beforeMs = await processorMs(server, home);
        const { perSecond, answered } = await runLoad(server.url, script, {
          connections: CONNECTIONS,
          seconds,
        });
        await settled(server.url);
        await logged(home);
        const usedMs = (await processorMs(server, home)) - beforeMs;
        if (isWarm) costs.processor.add((usedMs * 1000) / answered);
        if (isWarm) costs.snapshots.add(((await countSnapshots(home)) - snapshots) / answered);
        isWarm = true;
        return perSecond;
      },
      rest: () => checkpoint(home),
    };
  };
  const [first, second] = services as [Server, Server];
  const results = await contest(bench, [
    contenderOf('with the log', first, withLog, costs.withLog),
    contenderOf('without', second, without, costs.without),
  ]);
  for (const service of services) await service.stop();
  const what = `POST /events, ${CONNECTIONS} connections, with the log`;
  return [
    {
      what,
      setting: SETTING,
      value: resultOf(results, 'with the log').perSecond(),
      baseline: resultOf(results, 'without').perSecond('without'),
      measure: resultOf(results, 'with the log').median / resultOf(results, 'without').median,
      unit: 'ratio',
      target: { min: 0.95 },
    },
    {
      what: `${what}: processor time of an event until it is scored and logged`,
      setting: SETTING,
      value: `${costs.withLog.processor.microseconds()}, ${costs.withLog.snapshots.median.toFixed(2)} snapshots`,
      baseline: `${costs.without.processor.microseconds('without')}, ${costs.without.snapshots.median.toFixed(2)} snapshots`,
      measure: costs.withLog.processor.median / costs.without.processor.median,
      unit: 'ratio',
      target: { under: 1.1 },
    },
  ];
}

/** Of an event. The fewer events share a snapshot, the more the scores of a round cost. */
interface Costs {
  readonly processor: Samples;
  readonly snapshots: Samples;
}

function newCosts(): Costs {
  return { processor: new Samples(), snapshots: new Samples() };
}

async function countSnapshots(home: Home): Promise<number> {
  const db = await openHome(home);
  const [row] = await db.query<{ count: number }>('select count(*) as count from score_snapshot');
  await db.close();
  return row?.count ?? 0;
}

/** Waits until every queued fact is a leaf and signed. */
async function logged(home: Home): Promise<void> {
  const db = await openHome(home);
  const isDone = async () =>
    (await db.query('select 1 from log_queue limit 1')).length === 0 &&
    (
      await db.query(
        'select 1 from log_state where tree_size > coalesce((select max(tree_size) from log_checkpoint), 0)',
      )
    ).length === 0;
  while (!(await isDone())) await pause(100);
  await db.close();
}

/** The append still calls the insert into the queue; its rows are discarded, so the sequencer finds nothing. */
async function leaveQueueEmpty(home: Home): Promise<void> {
  const db = await openHome(home);
  await db.execute(
    `create function discard() returns trigger language plpgsql as $$ begin return null; end $$`,
  );
  await db.execute(
    'create trigger discarded before insert on log_queue for each row execute function discard()',
  );
  await db.close();
}

async function lagUnderLoad(bench: Bench): Promise<Line[]> {
  const home = await bench.postgres();
  const service = await startService(home);
  const script = postScript('/api/v1/events/batch', batchBodies(500, EVENTS_A_BATCH));
  const samples = new Samples();
  const seconds = bench.seconds * bench.rounds;
  const load = runLoad(service.url, script, { connections: 4, seconds });
  const untilMs = performance.now() + seconds * 1000;
  const followed: Promise<void>[] = [];
  while (performance.now() < untilMs) {
    followed.push(follow(service, samples));
    await pause(SAMPLE_EVERY_MS);
  }
  const { perSecond } = await load;
  await Promise.all(followed);
  await service.stop();
  const rate = `${whole(perSecond * EVENTS_A_BATCH)} events/s`;
  const line = (name: string, ms: number, target: Line['target']): Line => ({
    what: `an event to its signed receipt, at ${rate}: ${name}`,
    setting: SETTING,
    value: `${tenth(ms)} ms`,
    baseline: '',
    measure: ms,
    unit: 'ms',
    target,
  });
  return [line('median', samples.median, null), line('p99', samples.percentile(99), { under: 3000 })];
}

/** From the answer of a write to the first receipt. */
async function follow({ url }: Server, samples: Samples): Promise<void> {
  const body = JSON.stringify({ userId: 'followed', eventType: 'CONTRACT_FULFILLED' });
  const { eventId } = (await (await call(`${url}/api/v1/events`, body)).json()) as { eventId: string };
  const sinceMs = performance.now();
  while ((await call(`${url}/api/v1/events/${eventId}/receipt`)).status !== 200) await pause(20);
  samples.add(performance.now() - sinceMs);
}

async function timeOfProofs(bench: Bench): Promise<Line[]> {
  const home = await bench.postgres();
  const service = await startService(home);
  const spread = eventBodies(PROVEN_EVENTS * BETWEEN).map((body, index) =>
    index % BETWEEN === 0 ? { ...body, userId: 'spread' } : body,
  );
  await postEvents(service.url, spread);
  await postEvents(
    service.url,
    eventBodies(PROVEN_EVENTS).map((body) => ({ ...body, userId: 'together' })),
  );
  await settled(service.url);
  await follow(service, new Samples());
  const leaves = whole((PROVEN_EVENTS * BETWEEN + PROVEN_EVENTS) * 2);
  const lines: Line[] = [];
  for (const [userId, where] of [
    ['together', 'reported together'],
    ['spread', `spread over about ${leaves} leaves`],
  ] as const) {
    const samples = new Samples();
    // The first half warms the compiler up, as a round of every other bench does.
    for (let repeat = -REPEATS; repeat < REPEATS; repeat += 1) {
      const startedMs = performance.now();
      const answer = await call(`${service.url}/api/v1/users/${userId}/score/proof`);
      const text = await answer.text();
      if (repeat >= 0) samples.add(performance.now() - startedMs);
      if (answer.status !== 200) throw new Error(`no proof: ${text.slice(0, 300)}`);
    }
    lines.push({
      what: `GET /users/{id}/score/proof, ${whole(PROVEN_EVENTS)} events ${where}`,
      setting: SETTING,
      value: samples.milliseconds(),
      baseline: '',
      measure: samples.median,
      unit: 'ms',
      target: { under: 20 },
    });
  }
  lines.push(...(await timeOfCheck(service)));
  await service.stop();
  return [...lines, await rateOfAudit(home)];
}

/** As a reader of a proof checks it, with the script that the page loads. */
async function timeOfCheck({ url }: Server): Promise<Line[]> {
  const proof = await call(`${url}/api/v1/users/spread/score/proof`);
  const samples = await timeToCheck(url, Buffer.from(await proof.arrayBuffer()), CHECKS);
  if (!samples) return [];
  return [
    {
      what: `checking the proof of ${whole(PROVEN_EVENTS)} events on the page /check, from the choice of the file to the verdict`,
      setting: 'Chromium',
      value: samples.milliseconds(),
      baseline: '',
      measure: samples.median,
      unit: 'ms',
      target: { under: 200 },
    },
  ];
}

/** As `npm run audit-ledger` audits the log, in this process. */
async function rateOfAudit(home: PostgresHome): Promise<Line> {
  const db = await openHome(home);
  const [rates, costs] = [new Samples(), new Samples()];
  for (let repeat = 0; repeat < AUDITS; repeat += 1) {
    const [startedMs, beforeMs] = [performance.now(), await processorMs(process, home)];
    const { leaves, differences } = await auditLog(db, { now: new Date(), onDifference() {} });
    if (differences > 0) throw new Error(`the audit of the log found ${differences} differences`);
    rates.add((leaves * 1000) / (performance.now() - startedMs));
    costs.add((((await processorMs(process, home)) - beforeMs) * 1000) / leaves);
  }
  await db.close();
  return {
    what: 'audit of the log, in leaves',
    setting: SETTING,
    value: `${rates.perSecond()}, processor time of a leaf ${costs.microseconds()}`,
    baseline: '',
    measure: rates.median,
    unit: '/s',
    target: { min: 100_000 },
  };
}

function call(url: string, body?: string): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${LIVE_KEY}`,
    'Content-Type': 'application/json',
    // A proof is 1.3 MB: packing it would take longer than making it.
    'Accept-Encoding': 'identity',
  };
  return fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body });
}
