import type { OpenApiDocument } from '../kit/http/openapiTypes.js';
import { type FindOwner, operatorTwins } from '../kit/http/operatorTwins.js';
import type { RouteTable } from '../kit/http/route.js';
import { findLiveOwner } from '../ledger/requests/knownPlatform.js';
import { achievementRoutes } from '../pages/achievements/routes.js';
import { checkRoutes } from '../pages/check/routes.js';
import { consolePages } from '../pages/console/routes.js';
import { docsRoutes } from '../pages/docs/routes.js';
import { embedRoutes } from '../pages/embed/routes.js';
import { hostedRoutes } from '../pages/hosted/routes.js';
import { howRoutes } from '../pages/how/routes.js';
import { offerRoutes } from '../pages/offer/routes.js';
import { statusRoutes } from '../pages/status/routes.js';
import { verifyPageRoutes } from '../pages/verify/routes.js';
import type { Core } from './core.js';
import type { Rooms } from './rooms.js';

/** The table of every operation: the routes of the rooms and of the pages. */
export function buildRoutes(rooms: Rooms, core: Core & { document(): Promise<OpenApiDocument> }): RouteTable {
  const { loadShared, loadInclusion, sharedProfile, loadOffer } = rooms.credentials;
  const tables = [
    ...rooms.intake.routes,
    ...rooms.subjects.routes,
    ...rooms.insight.routes,
    ...rooms.attestation.routes,
    ...rooms.credentials.routes,
    ...rooms.tenancy.routes,
    ...rooms.notify.routes,
    ...rooms.system.routes,
    verifyPageRoutes({ ...core, loadShared, loadInclusion, sharedProfile }),
    checkRoutes(core),
    consolePages(core),
    howRoutes(core),
    offerRoutes({ ...core, loadOffer }),
    statusRoutes({ ...core, readStatus: rooms.system.readStatus }),
    docsRoutes(core),
    achievementRoutes(core),
    hostedRoutes(core),
    embedRoutes(),
  ];
  const findOwner: FindOwner = (id) => findLiveOwner(core.db, id);
  return join(tables.flatMap((table) => [table, operatorTwins(table, findOwner)]));
}

function join(tables: readonly RouteTable[]): RouteTable {
  const joined: Record<string, RouteTable[string]> = {};
  for (const [name, route] of tables.flatMap((table) => Object.entries(table))) {
    if (joined[name]) throw new Error(`two routes are named ${name}`);
    joined[name] = route;
  }
  return joined;
}
