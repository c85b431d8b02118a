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

/** What an event costs the database server with 1, 2 and 8 ledger groups: docs/SCALING.md. */
export const scaling: Figure = { name: 'scaling', measure };

interface Service {
  readonly groups: number;
  readonly home: PostgresHome;
  readonly server: Server;
  readonly keys: readonly string[];
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
  for (const count of COUNTS) services.push(await serviceWith(bench, count));
  const lines: Line[] = [];
  for (const load of [singles(8), singles(64), batches])
    lines.push(...(await compare(bench, services, load)));
  for (const { server } of services) await server.stop();
  return lines;
}

async function serviceWith(bench: Bench, groups: number): Promise<Service> {
  const home = await bench.postgres();
  const server = await startService(home);
  if (groups > 1) await addGroups(home, groups - 1);
  const keys: string[] = [];
  for (let index = 0; index < PLATFORMS; index += 1)
    keys.push(await addPlatform(server.url, `Platform ${index}`));
  return { groups, home, server, keys };
}

/** Database time of an event until it is scored and logged, each number of groups against one. */
async function compare(bench: Bench, services: readonly Service[], load: Load): Promise<Line[]> {
  const costs = services.map(() => new Samples());
  await contest(
    bench,
    services.map((service, index) => ({
      name: nameOf(service),
      async round(seconds: number) {
        const { server, home, keys } = service;
        const before = await processorTimes(server, home);
        const done = await runLoad(server.url, load.script(keys), { connections: load.connections, seconds });
        if (done.refused > 0) throw new Error(`${nameOf(service)}: ${done.refused} requests were refused`);
        await caughtUp(home);
        const usedMs = (await processorTimes(server, home)).postgresMs - before.postgresMs;
        const events = done.answered * load.eventsPerRequest;
        costs[index]?.add((usedMs * 1000) / events);
        return done.perSecond * load.eventsPerRequest;
      },
      rest: () => checkpoint(service.home),
    })),
  );
  const [one = new Samples()] = costs;
  return services.map((service, index) => {
    const cost = costs[index] ?? one;
    return {
      what: `${load.what}: processor time of the database for an event`,
      setting: `PostgreSQL, ROLE=all, ${PLATFORMS} platforms, ${nameOf(service)}`,
      value: cost.microseconds(),
      baseline: one.microseconds('1 group'),
      measure: cost.median / one.median,
      unit: 'ratio',
      target: null,
    };
  });
}

function nameOf({ groups }: Service): string {
  return groups === 1 ? '1 group' : `${groups} groups`;
}
