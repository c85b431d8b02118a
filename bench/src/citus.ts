import { readFileSync } from 'node:fs';
import type { Database } from '../../packages/service/src/kit/db/database.js';
import type { Ledger } from '../../packages/service/src/ledger/append/append.js';
import { openGroups } from '../../packages/service/src/shape/groups/groups.js';
import { openDatabase } from '../../packages/service/src/shape/openDatabase.js';
import { openCitusStorage } from '../../packages/service/test/crash/citusStorage.js';
import { textOf } from '../../packages/service/test/crash/serverProcess.js';
import { citusNodes, ofDatabase } from '../../packages/service/test/harness/citusCluster.js';
import { freshName, onServer } from '../../packages/service/test/harness/postgresCluster.js';
import { quietLog } from '../../packages/service/test/harness/quietLog.js';
import { append, ledgerOn, outcome } from '../../packages/service/test/ledger/deps.js';
import { type Bench, checkpoint } from './kit/bench.js';
import { contest, resultOf } from './kit/contest.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { caughtUp } from './kit/fill.js';
import { batchBodies, eventBodies } from './kit/load.js';
import { processorTimes } from './kit/processorTime.js';
import { type Server, startService } from './kit/server.js';
import { type LoadScript, postScript, runLoad } from './kit/wrk.js';

/** What share a commit when 8 and 64 requests are under way and 1, 2 or 8 groups divide them. */
const SIZES = [1, 4, 8, 32, 64];
const ROUNDS = 24;
const APPENDS = 20;
const SUBJECTS = 500;

/**
 * What an append costs the node of a group, and what the whole service takes, against the same
 * server without Citus.
 */
export const citus: Figure = { name: 'citus', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const url = process.env.TEST_CITUS_URL;
  if (url === undefined) {
    bench.say('  left out: TEST_CITUS_URL names no Citus cluster on this machine');
    return [];
  }
  const storage = await openCitusStorage(url, 3);
  const coordinator = await openDatabase({
    databaseUrl: storage.env.DATABASE_URL,
    poolSize: 1,
    isGuarded: false,
    log: quietLog,
  });
  const plain = await openPlain(url);
  try {
    const [, group] = await openGroups(coordinator);
    if (!group) throw new Error('the cluster has no distributed group');
    const lines: Line[] = [];
    for (const size of SIZES) lines.push(await compare(group, plain.db, size));
    return [...lines, ...(await throughput(bench, url, storage.env, plain.env))];
  } finally {
    await Promise.all([coordinator.close(), plain.close()]);
    await storage.remove();
  }
}

/** A database without Citus on the server of the first worker. */
async function openPlain(url: string) {
  const [, worker] = await citusNodes(url);
  if (!worker) throw new Error('the cluster has no worker');
  const name = freshName('reliability_plain');
  await onServer(worker.url, (client) => client.query(`create database ${name}`));
  const databaseUrl = ofDatabase(worker.url, name);
  const env = { DATABASE_URL: databaseUrl, DATA_KEY: 'x'.repeat(40) };
  await textOf('migrate', env);
  const db = await openDatabase({ databaseUrl, poolSize: 1, isGuarded: false, log: quietLog });
  return {
    db,
    env,
    async close() {
      await db.close();
      await onServer(worker.url, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

interface Setting {
  readonly name: string;
  readonly server: Server;
  readonly databaseUrl: string;
  /** Of the servers that work for it. */
  readonly nodes: readonly string[];
}

const CITUS = 'Citus';
const PLAIN = 'one server without Citus';

/** Events a second through the whole service, which works on the owner of its platform's group. */
async function throughput(
  bench: Bench,
  url: string,
  onCluster: Record<string, string>,
  onPlain: Record<string, string>,
): Promise<Line[]> {
  const [, worker] = await citusNodes(url);
  const nodes = (await citusNodes(url)).map((node) => node.url);
  const settings = [
    await settingOf(CITUS, onCluster, nodes),
    await settingOf(PLAIN, onPlain, [worker?.url ?? '']),
  ];
  try {
    return [
      ...(await compareLoad(bench, settings, {
        what: 'POST /events/batch of 64, 4 connections, in events',
        script: postScript('/api/v1/events/batch', batchBodies(1000, 64)),
        connections: 4,
        eventsPerRequest: 64,
      })),
      ...(await compareLoad(bench, settings, {
        what: 'POST /events, 64 connections',
        script: postScript('/api/v1/events', eventBodies(50_000)),
        connections: 64,
        eventsPerRequest: 1,
      })),
    ];
  } finally {
    for (const { server } of settings) await server.stop();
  }
}

async function settingOf(
  name: string,
  env: Record<string, string>,
  nodes: readonly string[],
): Promise<Setting> {
  const databaseUrl = env.DATABASE_URL ?? '';
  const server = await startService({ databaseUrl }, { env: { DATA_KEY: env.DATA_KEY ?? '' } });
  return { name, server, databaseUrl, nodes };
}

interface Load {
  readonly what: string;
  readonly script: LoadScript;
  readonly connections: number;
  readonly eventsPerRequest: number;
}

async function compareLoad(
  bench: Bench,
  settings: readonly Setting[],
  { what, script, connections, eventsPerRequest }: Load,
): Promise<Line[]> {
  const costs = new Map(settings.map(({ name }) => [name, new Samples()]));
  const contenders = settings.map(({ name, server, databaseUrl, nodes }) => ({
    name,
    async round(seconds: number) {
      const beforeMs = await usedMs(server, nodes);
      const load = await runLoad(server.url, script, { connections, seconds });
      if (load.refused > 0) throw new Error(`${name}: ${load.refused} requests were refused under load`);
      await caughtUp({ databaseUrl });
      const afterMs = await usedMs(server, nodes);
      costs.get(name)?.add(((afterMs - beforeMs) * 1000) / (load.answered * eventsPerRequest));
      return load.perSecond * eventsPerRequest;
    },
    rest: () => checkpoint({ databaseUrl }),
  }));
  const results = await contest(bench, contenders);
  const [distributed, plain] = [resultOf(results, CITUS), resultOf(results, PLAIN)];
  const [cost, plainCost] = [resultOf(costs, CITUS), resultOf(costs, PLAIN)];
  const setting = 'ROLE=all, connected to the group’s owner';
  return [
    {
      what,
      setting,
      value: distributed.perSecond(),
      baseline: plain.perSecond(PLAIN),
      measure: distributed.median / plain.median,
      unit: 'ratio',
      target: { min: 0.5 },
    },
    {
      what: `${what}: processor time of an event until it is scored and logged, on all servers`,
      setting,
      value: cost.microseconds(),
      baseline: plainCost.microseconds(PLAIN),
      measure: cost.median / plainCost.median,
      unit: 'ratio',
      target: null,
    },
  ];
}

/** Processor time of the service and of all servers. */
async function usedMs(server: Server, nodes: readonly string[]): Promise<number> {
  const times = await Promise.all(nodes.map((databaseUrl) => processorTimes(server, { databaseUrl })));
  return times.reduce((sum, { postgresMs }) => sum + postgresMs, times[0]?.serviceMs ?? 0);
}

/** By turns, so that other work on the machine disturbs both alike. */
async function compare(group: Database, plain: Database, size: number): Promise<Line> {
  const sides = [group, plain].map((db) => ({ db, ledger: ledgerOn(db), samples: new Samples() }));
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const { db, ledger, samples } of sides) {
      const microseconds = await processorTimeOf(db, () => appendGroups(ledger, size));
      if (round >= 0) samples.add(microseconds / (APPENDS * size));
    }
  }
  const [distributed, bare] = sides.map(({ samples }) => samples);
  if (!distributed || !bare) throw new Error('nothing was measured');
  return {
    what: 'processor time of the database per 1 000 events, on the group’s node',
    setting: `appends of ${size} events`,
    value: distributed.milliseconds(),
    baseline: bare.milliseconds('the same server without Citus'),
    measure: distributed.median / bare.median,
    unit: 'ratio',
    target: { under: 1.6 },
  };
}

async function appendGroups(ledger: Ledger, size: number): Promise<void> {
  for (let index = 0; index < APPENDS; index += 1) {
    const events = Array.from({ length: size }, () =>
      outcome({ externalId: `worker-${Math.floor(Math.random() * SUBJECTS)}` }),
    );
    await append(ledger, events);
  }
}

/** Of the one connection of the handle; the server runs on this machine. */
async function processorTimeOf(db: Database, work: () => Promise<void>): Promise<number> {
  const before = await usedMicroseconds(db);
  await work();
  return (await usedMicroseconds(db)) - before;
}

async function usedMicroseconds(db: Database): Promise<number> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [nanoseconds = ''] = readFileSync(`/proc/${row?.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1000;
}
