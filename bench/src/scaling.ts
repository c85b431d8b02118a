import { openCitusStorage } from '../../packages/service/test/crash/citusStorage.js';
import { citusNodes } from '../../packages/service/test/harness/citusCluster.js';
import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { contest } from './kit/contest.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { caughtUp } from './kit/fill.js';
import { batchBodies, eventBodies } from './kit/load.js';
import { processorTimes } from './kit/processorTime.js';
import { addGroups, addPlatform, type Server, startService } from './kit/server.js';
import { type LoadScript, postScriptOfKeys, runLoad } from './kit/wrk.js';

const COUNTS = [1, 2, 8];
const PLATFORMS = 8;
const EVENTS_A_BATCH = 64;

/**
 * What an event costs the database servers with 1, 2 and 8 ledger groups, on one PostgreSQL and, with TEST_CITUS_URL, on a Citus
 * cluster: docs/SCALING.md.
 */
export const scaling: Figure = { name: 'scaling', measure };

interface Service {
  readonly name: string;
  readonly home: PostgresHome;
  readonly server: Server;
  readonly keys: readonly string[];
  /** The servers that work for it. */
  readonly nodes: readonly PostgresHome[];
  remove(): Promise<void>;
}

interface Load {
  readonly what: string;
  readonly script: (keys: readonly string[]) => LoadScript;
  readonly connections: number;
  readonly eventsPerRequest: number;
}

const singles = (connections: number): Load => ({
  what: `POST /events, ${connections} connections`,
  script: (keys) => postScriptOfKeys('/api/v1/events', eventBodies(50_000), keys),
  connections,
  eventsPerRequest: 1,
});

const batches: Load = {
  what: `POST /events/batch of ${EVENTS_A_BATCH}, 4 connections`,
  script: (keys) => postScriptOfKeys('/api/v1/events/batch', batchBodies(1000, EVENTS_A_BATCH), keys),
  connections: 4,
  eventsPerRequest: EVENTS_A_BATCH,
};

async function measure(bench: Bench): Promise<Line[]> {
  const services: Service[] = [];
  for (const count of COUNTS) services.push(await onPostgres(bench, count));
  const url = process.env.TEST_CITUS_URL;
  if (url === undefined) bench.say('  without Citus: TEST_CITUS_URL names no cluster on this machine');
  else for (const count of COUNTS) services.push(await onCitus(url, count));
  const lines: Line[] = [];
  for (const load of [singles(8), singles(64), batches])
    lines.push(...(await compare(bench, services, load)));
  for (const { server, remove } of services) {
    await server.stop();
    await remove();
  }
  return lines;
}

async function onPostgres(bench: Bench, groups: number): Promise<Service> {
  const home = await bench.postgres();
  const server = await startService(home);
  if (groups > 1) await addGroups(home, groups - 1);
  const name = `PostgreSQL, ${countOf(groups)}`;
  return { name, home, server, keys: await keysOf(server), nodes: [home], remove: async () => {} };
}

/** The first group of a cluster takes no platforms. */
async function onCitus(url: string, groups: number): Promise<Service> {
  const { env, remove } = await openCitusStorage(url, groups + 1);
  const home = { databaseUrl: env.DATABASE_URL ?? '' };
  const server = await startService(home, { env: { DATA_KEY: env.DATA_KEY ?? '' } });
  const nodes = (await citusNodes(url)).map((node) => ({ databaseUrl: node.url }));
  return { name: `Citus, ${countOf(groups)}`, home, server, keys: await keysOf(server), nodes, remove };
}

async function keysOf({ url }: Server): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < PLATFORMS; index += 1) keys.push(await addPlatform(url, `Platform ${index}`));
  return keys;
}

/** Database time of an event until it is scored and logged, each service against the first. */
async function compare(bench: Bench, services: readonly Service[], load: Load): Promise<Line[]> {
  const costs = services.map(() => new Samples());
  await contest(
    bench,
    services.map(({ name, server, home, keys, nodes }, index) => ({
      name,
      async round(seconds: number) {
        const beforeMs = await usedMs(server, nodes);
        const done = await runLoad(server.url, load.script(keys), { connections: load.connections, seconds });
        if (done.refused > 0) throw new Error(`${name}: ${done.refused} requests were refused`);
        await caughtUp(home);
        const events = done.answered * load.eventsPerRequest;
        costs[index]?.add((((await usedMs(server, nodes)) - beforeMs) * 1000) / events);
        return done.perSecond * load.eventsPerRequest;
      },
      rest: () => checkpoint(home),
    })),
  );
  const [one = new Samples()] = costs;
  return services.map(({ name }, index) => {
    const cost = costs[index] ?? one;
    return {
      what: `${load.what}: processor time of the database for an event`,
      setting: `${name}, ROLE=all, ${PLATFORMS} platforms`,
      value: cost.microseconds(),
      baseline: one.microseconds(services[0]?.name),
      measure: cost.median / one.median,
      unit: 'ratio',
      target: null,
    };
  });
}

/** Of all servers, in milliseconds. */
async function usedMs(server: Server, nodes: readonly PostgresHome[]): Promise<number> {
  const times = await Promise.all(nodes.map((node) => processorTimes(server, node)));
  return times.reduce((sum, { postgresMs }) => sum + postgresMs, 0);
}

function countOf(groups: number): string {
  return groups === 1 ? '1 group' : `${groups} groups`;
}
