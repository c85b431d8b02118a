import { readConfig } from '../../src/config.js';
import type { RouteTable } from '../../src/kit/http/route.js';
import { buildRoutes, type RouteParts } from '../../src/routes.js';

/** The table of every operation, to be looked at: no handler of it works, since none of their parts are there. */
export function routeTable(): RouteTable {
  const parts: Record<keyof RouteParts, unknown> = {
    config: readConfig({}),
    db: {},
    clock: {},
    ids: {},
    ledger: {},
    once: {},
    metrics: {},
    readiness: {},
    signal: {},
    sweeps: {},
    forgetKeys: {},
    meter: {},
    keyUses: {},
    vault: {},
    outbox: {},
    jobs: {},
    readFile: {},
    makesWay: {},
    runsWorker: true,
    outbound: {},
    streams: {},
    ai: null,
    messageKeys: {},
    issuer: {},
    shareTokens: {},
    loadShared: {},
    loadOutcomes: {},
  };
  return buildRoutes(parts as unknown as RouteParts);
}
