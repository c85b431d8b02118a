import type { Authenticator } from '../../kit/http/admission.js';
import type { Meter } from '../../kit/http/meter.js';
import type { Metrics } from '../../kit/http/metrics.js';
import type { RouteTable } from '../../kit/http/route.js';
import { forgetPlatforms } from '../../ledger/groups/platforms.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { activityRoutes } from './activity/routes.js';
import { withConsoleSessions } from './console/consoleAuthenticator.js';
import { consoleRoutes } from './console/routes.js';
import { createSessions } from './console/sessions.js';
import { operatorRoutes } from './operator/routes.js';
import { type SweepTimers, startSweeps } from './operator/startSweeps.js';
import { createSweeps, type Sweeps } from './operator/sweeps.js';
import { announceEndingKeys } from './platforms/announceKeys.js';
import { closedUntilReady, createAuthenticator } from './platforms/authenticator.js';
import type { KeyUses } from './platforms/keyUses.js';
import { ownPlatformRoutes } from './platforms/ownRoutes.js';
import { platformRoutes } from './platforms/routes.js';
import { createUsageMeter } from './usage/meter.js';
import { usageRoutes } from './usage/routes.js';
import { removeOldUsage } from './usage/window.js';

interface TenancyDeps extends ServiceDeps {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  readiness: { readonly isReady: boolean };
  /** Sweeps of the other rooms, which run by schedule and by POST /admin/sweeps/{name}. */
  sweeps: readonly Partial<Sweeps>[];
  /** What the schedule runs in place of the sweeps of that name. */
  scheduled: Partial<Sweeps>;
  /** Default: those of Node. */
  sweepTimers?: SweepTimers | undefined;
  /** Called when keys or platforms have changed, here or in another process. */
  onKeysChanged(): void;
  keyUses: KeyUses;
  metrics: Metrics;
}

export interface TenancyRoom {
  routes: readonly RouteTable[];
  authenticator: Authenticator;
  meter: Meter;
  /** Starts to write down usage. @returns what ends that. */
  start(): () => Promise<void>;
  /** Starts the schedule of sweeps. @returns what ends it. */
  startSweeps(): () => Promise<void>;
}

/**
 * Platforms and their keys, usage and limits, the audit trail, and the operator's own operations.
 */
export function tenancyRoom(given: TenancyDeps): TenancyRoom {
  const { db, clock, log, wakes, readiness } = given;
  const authenticator = createAuthenticator(given);
  const { admitKey } = authenticator;
  const sessions = createSessions({ ...given, admitKey });
  const meter = createUsageMeter(given);
  const own = { reminders: [announceEndingKeys(given)], retention: [removeOldUsage(db)] };
  const textDays = given.config.retentionTextDays;
  const sweeps = createSweeps({ db, wakes, textDays, more: [own, ...given.sweeps] });
  given.groupWakes.get(0)?.on('keys', () => {
    forgetPlatforms();
    authenticator.forgetKeys();
    sessions.expireAll();
    given.onKeysChanged();
  });
  const deps = { ...given, meter, sweeps, forgetKeys: announceKeys };
  return {
    routes: [
      platformRoutes(deps),
      ownPlatformRoutes(deps),
      usageRoutes(deps),
      activityRoutes(deps),
      operatorRoutes(deps),
      consoleRoutes({ ...given, sessions, admitKey }),
    ],
    authenticator: closedUntilReady(
      withConsoleSessions(authenticator, { ...given, sessions, admitKey }),
      readiness,
    ),
    meter,
    start: () => meter.start(),
    startSweeps: () =>
      startSweeps({ sweeps: { ...sweeps, ...given.scheduled }, clock, log, timers: given.sweepTimers }),
  };

  /** Call it after the commit of a change of keys: here it counts from the next request on. */
  function announceKeys(): void {
    given.groupWakes.get(0)?.raise('keys');
  }
}
