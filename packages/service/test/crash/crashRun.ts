import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom } from '../../src/kit/seededRandom.js';
import { call, LIVE_KEY, Subscribed, TEST_KEY } from './api.js';
import { endureOutages } from './databaseOutages.js';
import { type Load, type Retries, startLoad } from './load.js';
import { type Receiver, startReceiver } from './receiver.js';
import { type ServerProcess, serverProcess } from './serverProcess.js';
import { openStorage } from './storage.js';
import { auditLedger, findBrokenPromises } from './verify.js';

export interface CrashOptions {
  engine: 'pglite' | 'postgresql';
  /** Number of kills of the service under load. */
  kills: number;
  /** Number of database outages while the service runs; PostgreSQL only. */
  outages: number;
  clients: number;
  seed: number;
  say(line: string): void;
}

export interface CrashReport {
  /** Empty: every promise was kept. */
  violations: string[];
  requests: number;
  events: number;
  retries: Retries;
  /** Number of envelopes that reached the endpoint, and of attempts that it refused on purpose. */
  delivered: number;
  refused: number;
  audit: string;
}

/**
 * Kills the service and the database under load. Then checks that no acknowledged write is lost or
 * doubled.
 */
export async function crashRun(options: CrashOptions): Promise<CrashReport> {
  const { engine, clients, seed, say } = options;
  const storage = await openStorage(engine);
  const env = {
    ...storage.env,
    BOOTSTRAP_LIVE_KEY: LIVE_KEY,
    BOOTSTRAP_TEST_KEY: TEST_KEY,
    LOG_LEVEL: 'error',
    // The load exceeds the velocity limit of a subject; frozen scores would stop counting.
    VELOCITY_MAX_PER_HOUR: '1000000000',
    WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8',
    // The endpoint refuses some: they are retried soon, and often enough to be accepted.
    WEBHOOK_RETRY_SCHEDULE: ['0', ...Array(30).fill('0.5')].join(),
  };
  const receiver = await startReceiver(seed);
  const server = await serverProcess(env);
  try {
    server.start();
    await server.untilReady();
    await subscribe(server.url, receiver);
    const load = startLoad({ url: server.url, clients, seed, runName: `${engine}-${seed}` });
    await killRepeatedly(server, load, options);
    if (storage.cluster) await endureOutages(storage.cluster, server, load, options);
    await finish(server, load);
    say(`${engine}: the load has ended, comparing ${eventCount(load)} events`);
    const violations = await findBrokenPromises(server.url, load.taken, receiver);
    if ((await server.stop()) !== 0) violations.push(`the service did not stop properly:\n${server.output}`);
    const audit = await auditLedger(env);
    if (audit.code !== 0) violations.push(`the audit found differences:\n${audit.output}`);
    const { taken, retries } = load;
    return {
      violations,
      requests: taken.length,
      events: eventCount(load),
      retries,
      delivered: receiver.taken.size,
      refused: receiver.refusedOnPurpose,
      audit: audit.output.trim(),
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
    const moment = await surviveUntilKill(server, random, kill);
    await server.kill9();
    options.say(
      `${options.engine}: kill ${kill} of ${options.kills}, ${moment}; ` +
        `${eventCount(load)} events acknowledged, ${load.retries.brokenConnections} attempts broken off`,
    );
    server.start();
  }
}

/** Every fourth kill may hit the start: migrations, recovery and bootstrap. */
async function surviveUntilKill(server: ServerProcess, random: Random, kill: number): Promise<string> {
  const lifeMs = random.whole(300, 2000);
  const isEarly = kill % 4 === 0;
  if (!isEarly) await server.untilReady();
  await pause(lifeMs);
  return `${lifeMs} ms after ${isEarly ? 'its start' : 'it was ready'}`;
}

async function finish(server: ServerProcess, load: Load): Promise<void> {
  await server.untilReady();
  await pause(500);
  await load.finish();
}

function eventCount({ taken }: Load): number {
  return taken.reduce((sum, request) => sum + request.numbers.length, 0);
}
