import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom } from '#kit/seededRandom.js';
import { call, LIVE_KEY, Subscribed, TEST_KEY, UNDER_LOAD } from './api.js';
import { endureOutages } from './databaseOutages.js';
import { moveGroup } from './groupMoves.js';
import { type Load, startLoad } from './load.js';
import { type Receiver, startReceiver } from './receiver.js';
import { runProgram, type ServerProcess, serverProcess } from './serverProcess.js';
import { openStorage } from './storage.js';
import { findBrokenPromises } from './verify.js';

export type CrashEngine = 'pglite' | 'postgresql' | 'citus';

export interface CrashOptions {
  engine: CrashEngine;
  /** Number of kills of the service under load. */
  kills: number;
  /** Number of database failures while the service runs; PostgreSQL only. */
  outages: number;
  /** Moves of the platform's group to another node while the service runs; Citus only. */
  moves?: number;
  clients: number;
  seed: number;
  say(line: string): void;
}

export type CrashReport = Awaited<ReturnType<typeof crashRun>>;

/**
 * Kills the service and the database under load. Then checks that no acknowledged write is lost or
 * doubled.
 */
export async function crashRun(options: CrashOptions) {
  const { engine, clients, seed, say } = options;
  const storage = await openStorage(engine);
  const env = {
    ...storage.env,
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: TEST_KEY,
    LOG_LEVEL: 'error',
    ...UNDER_LOAD,
  };
  const receiver = await startReceiver(seed);
  const server = await serverProcess(env);
  try {
    server.start();
    await server.untilReady();
    await subscribe(server.url, receiver);
    const load = startLoad({ urls: [server.url], clients, seed, runName: `${engine}-${seed}` });
    await killRepeatedly(server, load, options);
    if (storage.cluster) await endureOutages(storage.cluster, server, load, options);
    const databaseUrl = storage.env.DATABASE_URL;
    const moves = options.moves ?? 0;
    const readerWaits =
      databaseUrl !== undefined && moves > 0 ? await moveGroup(databaseUrl, server.url, moves, say) : null;
    await finish(server, load);
    say(`${engine}: the load has ended, comparing ${eventCount(load)} events`);
    const violations = await findBrokenPromises(server.url, load.taken, receiver);
    const broken = (text: string) => violations.push({ kind: 'other', text });
    if ((await server.stop()) !== 0) broken(`the service did not stop properly:\n${server.output}`);
    const audit = await runProgram('auditLedger', env);
    const isClean = audit.code === 0;
    if (!isClean) broken(`the audit found differences:\n${audit.output}`);
    const { taken, retries } = load;
    return {
      /** Empty: every promise was kept. */
      violations,
      requests: taken.length,
      events: eventCount(load),
      retries,
      delivered: receiver.taken.size,
      refused: receiver.refusedOnPurpose,
      /** Null: no group moved. */
      readerWaits,
      audit: { isClean, output: audit.output.trim() },
      /** Of the database. */
      version: storage.version,
    };
  } finally {
    if (server.isRunning) await server.kill9();
    await storage.remove();
    await receiver.close();
  }
}

async function subscribe(url: string, receiver: Receiver): Promise<void> {
  const body = JSON.stringify({ url: receiver.url, events: ['score.updated'] });
  const answer = await call(url, 'POST', '/webhooks', { body });
  if (answer.status !== 201) throw new Error(`the webhook was answered ${answer.status}: ${answer.text}`);
  receiver.secret = Subscribed.parse(JSON.parse(answer.text)).secret;
}

async function killRepeatedly(server: ServerProcess, load: Load, options: CrashOptions): Promise<void> {
  const random = seededRandom(options.seed);
  for (let kill = 1; kill <= options.kills; kill += 1) {
    const moment = await surviveUntilKill(server, load, random, kill);
    await server.kill9();
    options.say(
      `${options.engine}: kill ${kill} of ${options.kills}, ${moment}; ` +
        `${eventCount(load)} events acknowledged, ${load.retries.brokenConnections} attempts broken off`,
    );
    server.start();
  }
}

/** Most lives are short, and a few are long enough for what runs once a second. */
const [SHORTEST_LIFE_MS, LIFE_RANGE] = [50, 40];
const MAX_ANSWERS = 20;
const LONGEST_LIFE_MS = 5_000;

/**
 * Every fourth kill may hit the start: migrations, recovery and bootstrap. Each of the others follows
 * some answers, so that a slow machine writes as much between two kills as a fast one.
 */
async function surviveUntilKill(
  server: ServerProcess,
  load: Load,
  random: Random,
  kill: number,
): Promise<string> {
  const lifeMs = Math.round(SHORTEST_LIFE_MS * LIFE_RANGE ** random.fraction());
  const answers = random.whole(0, MAX_ANSWERS);
  if (kill % 4 === 0) {
    await pause(lifeMs);
    return `${lifeMs} ms after its start`;
  }
  await supervised(server);
  const [readyAtMs, before] = [Date.now(), load.taken.length];
  await pause(lifeMs);
  while (load.taken.length < before + answers && Date.now() - readyAtMs < LONGEST_LIFE_MS) await pause(10);
  return `${Date.now() - readyAtMs} ms after it was ready`;
}

/**
 * Waits for readiness as a supervisor does: a start that cannot reach its database in time ends, and
 * is repeated.
 */
async function supervised(server: ServerProcess): Promise<void> {
  for (let start = 1; ; start += 1) {
    try {
      return await server.untilReady();
    } catch (error) {
      const isAway = !server.isRunning && server.output.includes('DatabaseUnavailableError');
      if (!isAway || start === MAX_STARTS) throw error;
      server.start();
    }
  }
}

const MAX_STARTS = 5;
const MIN_LAST_ANSWERS = 100;
const LONGEST_END_MS = 60_000;

async function finish(server: ServerProcess, load: Load): Promise<void> {
  await supervised(server);
  const before = load.taken.length;
  await pause(500);
  // A slow machine has answered less by then.
  const until = Date.now() + LONGEST_END_MS;
  while (load.taken.length < before + MIN_LAST_ANSWERS && Date.now() < until) await pause(10);
  await load.finish();
}

function eventCount({ taken }: Load): number {
  return taken.reduce((sum, request) => sum + request.numbers.length, 0);
}
