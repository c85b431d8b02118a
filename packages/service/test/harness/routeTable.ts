import { readConfig } from '../../src/config.js';
import type { RouteTable } from '../../src/kit/http/route.js';
import { buildRoutes, type RouteDeps } from '../../src/routes.js';

/** The table of every operation, to be looked at: no handler of it works, since none of their parts are there. */
export function routeTable(): RouteTable {
  const deps: Record<keyof RouteDeps, unknown> = {
    config: readConfig({}),
    db: {},
    clock: {},
    ids: {},
    log: {},
    ledger: {},
    withIdempotency: {},
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
    mustYield: {},
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
  return buildRoutes(deps as unknown as RouteDeps);
}
