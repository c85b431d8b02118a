import type { Operation, RouteTable } from '#kit/http/route.js';
import { describeApi } from '../../src/features/system/system/describeApi.js';
import { buildApi } from '../../src/start/api.js';
import { readConfig } from '../../src/start/config.js';
import { buildCore, type CoreDeps } from '../../src/start/core.js';
import { quietLog } from './quietLog.js';

/** The table of every operation, for inspection. Its handlers do not work: there is no database. */
export function routeTable(): RouteTable {
  const given = { config: readConfig({}), db: { ledgers: { own: 0, all: [0] } }, log: quietLog, vault: {} };
  return buildApi(buildCore(given as unknown as CoreDeps), {
    adminSecret: undefined,
    readiness: { isReady: false },
    reachableGroups: () => Promise.resolve([]),
  }).table;
}

/** The example of the body of each operation, as the OpenAPI document shows it. */
export async function exampleBodies(): Promise<(of: Pick<Operation, 'method' | 'path'>) => unknown> {
  const { paths } = await describeApi(routeTable, 'https://scores.example')();
  return ({ method, path }) =>
    paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.example;
}
