import type { RouteTable } from '../../src/kit/http/route.js';
import { readConfig } from '../../src/start/config.js';
import { buildCore, type CoreDeps } from '../../src/start/core.js';
import { buildRooms } from '../../src/start/rooms.js';
import { buildRoutes } from '../../src/start/routes.js';
import { quietLog } from './quietLog.js';

/** The table of every operation, for inspection. Its handlers do not work: there is no database. */
export function routeTable(): RouteTable {
  const given = { config: readConfig({}), db: { ledgers: { own: 0, all: [0] } }, log: quietLog, vault: {} };
  const deps = {
    ...buildCore(given as unknown as CoreDeps),
    adminSecret: undefined,
    readiness: { isReady: false },
    reachableGroups: () => Promise.resolve([]),
    importProgram: undefined,
    streamHeartbeatMs: undefined,
    document: () => ({ openapi: '3.1.0' }) as never,
  };
  return buildRoutes(buildRooms(deps), deps);
}
