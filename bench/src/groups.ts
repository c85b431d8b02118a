import { join } from 'node:path';
import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { caughtUp } from './kit/fill.js';
import { batchBodies, eventBodies } from './kit/load.js';
import { processorMs } from './kit/processorTime.js';
import { pause } from './kit/scratch.js';
import { addGroups, addPlatform, type Server, startService } from './kit/server.js';
import { type LoadScript, postScript, postScriptOfKeys, runLoad } from './kit/wrk.js';

const GROUPS = 32;
const EVENTS_A_BATCH = 64;
const IDLE_SECONDS = 20;
/** Each connection plans the statements of each group five times before it keeps a plan. */
const WARM_UP_EVENTS = 25_000;
const MAX_WARM_UP_SECONDS = 60;
const SETTING = 'PostgreSQL, ROLE=all';

/** The cost of ledger groups: one against a build without them, 32 against one, and 32 idle ones. */
export const groups: Figure = { name: 'groups', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const one = await serviceWith(bench, 1);
  const many = await serviceWith(bench, GROUPS);
  const idle = await costOfIdling(bench, one, many);
  const batches = await compare(bench, {
    what: `POST /events/batch of ${EVENTS_A_BATCH}, 4 connections, ${GROUPS} platforms`,
    path: '/api/v1/events/batch',
    bodies: batchBodies(1000, EVENTS_A_BATCH),
    connections: 4,
    eventsPerRequest: EVENTS_A_BATCH,
    targets: { perSecond: { min: 0.9 }, cost: { under: 1.1 } },
    services: [many, one],
  });
  const single = await compare(bench, {
    what: `POST /events, 64 connections, ${GROUPS} platforms`,
    path: '/api/v1/events',
    bodies: eventBodies(50_000),
    connections: 64,
    eventsPerRequest: 1,
    targets: null,
    services: [many, one],
  });
  await many.server.stop();
  await one.server.stop();
  return [...(await againstOther(bench)), ...batches, ...single, ...idle];
}

interface Service {
  readonly name: string;
  readonly home: PostgresHome;
  readonly server: Server;
  /** Of one platform for each of the 32. */
  readonly keys: readonly string[];
}

async function serviceWith(bench: Bench, count: number): Promise<Service> {
  const home = await bench.postgres();
  const server = await startService(home);
  if (count > 1) await addGroups(home, count - 1);
  const keys: string[] = [];
  for (let index = 0; index < GROUPS; index += 1)
    keys.push(await addPlatform(server.url, `Platform ${index}`));
  return { name: count === 1 ? '1 group' : `${count} groups`, home, server, keys };
}

interface Comparison {
  readonly what: string;
  readonly path: string;
  readonly bodies: readonly unknown[];
  readonly connections: number;
  readonly eventsPerRequest: number;
  readonly targets: { readonly perSecond: Line['target']; readonly cost: Line['target'] } | null;
  /** The first is compared with the second. */
  readonly services: readonly [Service, Service];
}

/** Throughput, and processor time of an event until it is scored and logged. */
async function compare(bench: Bench, comparison: Comparison): Promise<Line[]> {
  const { what, connections, path, bodies, eventsPerRequest, targets, services } = comparison;
  const costs = services.map(() => new Samples());
  const contenders = services.map((service, index) => {
    const script =
      service.keys.length > 0 ? postScriptOfKeys(path, bodies, service.keys) : postScript(path, bodies);
    return contenderOf(service, { script, connections, eventsPerRequest }, costs[index] as Samples);
  });
  const results = await contest(bench, contenders);
  const [first, second] = services.map(({ name }) => resultOf(results, name)) as [Samples, Samples];
  const [cost, otherCost] = costs as [Samples, Samples];
  const other = services[1].name;
  const setting = `${SETTING}, ${services[0].name}`;
  return [
    {
      what: `${what}, in events`,
      setting,
      value: first.perSecond(),
      baseline: second.perSecond(other),
      measure: first.median / second.median,
      unit: 'ratio',
      target: targets?.perSecond ?? null,
    },
    {
      what: `${what}: processor time of an event until it is scored and logged`,
      setting,
      value: cost.microseconds(),
      baseline: otherCost.microseconds(other),
      measure: cost.median / otherCost.median,
      unit: 'ratio',
      target: targets?.cost ?? null,
    },
  ];
}

interface Load {
  readonly script: LoadScript;
  readonly connections: number;
  readonly eventsPerRequest: number;
}

function contenderOf(
  service: Service,
  { script, connections, eventsPerRequest }: Load,
  costs: Samples,
): Contender {
  const { name, server, home } = service;
  let warmUpEvents = 0;
  const run = async (seconds: number) => {
    const load = await runLoad(server.url, script, { connections, seconds });
    if (load.refused > 0) throw new Error(`${name}: ${load.refused} requests were refused under load`);
    return load;
  };
  return {
    name,
    async round(seconds) {
      if (warmUpEvents === 0) {
        const untilMs = performance.now() + MAX_WARM_UP_SECONDS * 1000;
        while (warmUpEvents < WARM_UP_EVENTS && performance.now() < untilMs)
          warmUpEvents += (await run(seconds)).answered * eventsPerRequest;
        await caughtUp(home);
        return 0;
      }
      const beforeMs = await processorMs(server, home);
      const load = await run(seconds);
      await caughtUp(home);
      const usedMs = (await processorMs(server, home)) - beforeMs;
      costs.add((usedMs * 1000) / (load.answered * eventsPerRequest));
      return load.perSecond * eventsPerRequest;
    },
    rest: () => checkpoint(home),
  };
}

/** Processor time of a second without requests, by turns. */
async function costOfIdling(bench: Bench, one: Service, many: Service): Promise<Line[]> {
  const used = [new Samples(), new Samples()];
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const [index, service] of [one, many].entries()) {
      const beforeMs = await processorMs(service.server, service.home);
      await pause(IDLE_SECONDS * 1000);
      const usedMs = (await processorMs(service.server, service.home)) - beforeMs;
      used[index]?.add(usedMs / IDLE_SECONDS);
    }
  }
  const [ofOne, ofMany] = used as [Samples, Samples];
  return [
    {
      what: 'a second without requests: processor time',
      setting: `${SETTING}, ${GROUPS} groups`,
      value: ofMany.milliseconds(),
      baseline: ofOne.milliseconds('1 group'),
      measure: ofMany.median,
      unit: 'ms',
      target: null,
    },
  ];
}

/** One group against an older checkout: `--against` names one from before ledger groups. */
async function againstOther(bench: Bench): Promise<Line[]> {
  if (bench.against === undefined) {
    bench.say('  without --against DIR, one group is not compared with a build before groups');
    return [];
  }
  const program = join(bench.against, 'packages/service/dist/main.js');
  const start = async (name: string, build?: string): Promise<Service> => {
    const home = await bench.postgres();
    const server = await startService(home, build === undefined ? {} : { program: build });
    return { name, home, server, keys: [] };
  };
  const services = [await start('1 group'), await start('before groups', program)] as const;
  const lines = await compare(bench, {
    what: 'POST /events, 64 connections',
    path: '/api/v1/events',
    bodies: eventBodies(50_000),
    connections: 64,
    eventsPerRequest: 1,
    targets: { perSecond: { min: 0.98 }, cost: { under: 1.02 } },
    services,
  });
  for (const { server } of services) await server.stop();
  return lines;
}
