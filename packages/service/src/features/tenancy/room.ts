import type { Authenticator } from '#kit/http/admission.js';
import type { Meter } from '#kit/http/limits.js';
import type { Metrics } from '#kit/http/metrics.js';
import type { RouteTable } from '#kit/http/route.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { activityRoutes } from './activity/activity.js';
import { withConsoleSessions } from './console/consoleAuthenticator.js';
import { createIssuer } from './console/issuer.js';
import { consoleRoutes } from './console/routes.js';
import { createSessions } from './console/sessions.js';
import { CALLBACK, signInRoutes } from './console/signIn.js';
import { operatorRoutes } from './operator/routes.js';
import type { Sweeps } from './operator/sweeps.js';
import { closedUntilReady, createAuthenticator } from './platforms/authenticator.js';
import type { KeyUses } from './platforms/keyUses.js';
import { ownPlatformRoutes, platformRoutes } from './platforms/routes.js';
import { createUsageMeter } from './usage/meter.js';
import { usageRoutes } from './usage/usage.js';
import { userRoutes } from './users/users.js';

interface TenancyDeps extends ServiceDeps {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  readiness: { readonly isReady: boolean };
  /** Of all rooms, for POST /admin/sweeps/{name}. */
  sweeps: Sweeps;
  /** Called when keys or platforms have changed, here or in another process. */
  onKeysChanged(): void;
  keyUses: KeyUses;
  metrics: Metrics;
}

interface TenancyRoom {
  routes: readonly RouteTable[];
  authenticator: Authenticator;
  meter: Meter;
  /** Starts to write down usage. @returns what ends that. */
  start(): () => Promise<void>;
  close(): Promise<void>;
}

/**
 * Platforms and their keys, usage and limits, the audit trail, and the operator's own operations.
 */
export function tenancyRoom(given: TenancyDeps): TenancyRoom {
  const { readiness } = given;
  const authenticator = createAuthenticator(given);
  const { admitKey } = authenticator;
  const { oidc, baseUrl } = given.config;
  const issuer = oidc && createIssuer({ ...oidc, clock: given.clock, redirectUri: baseUrl + CALLBACK });
  const issuerHost = issuer?.host ?? null;
  const sessions = createSessions({ ...given, admitKey, hasIssuer: issuer !== null });
  const meter = createUsageMeter(given);
  given.groupWakes.get(0)?.on('keys', () => {
    authenticator.forgetKeys();
    sessions.expireAll();
    given.onKeysChanged();
  });
  const deps = { ...given, meter, forgetKeys: announceKeys };
  return {
    routes: [
      platformRoutes(deps),
      ownPlatformRoutes(deps),
      usageRoutes(deps),
      activityRoutes(deps),
      operatorRoutes(deps),
      userRoutes(deps),
      consoleRoutes({ ...given, sessions, admitKey, issuerHost }),
      signInRoutes({ ...given, sessions, issuer }),
    ],
    authenticator: closedUntilReady(
      withConsoleSessions(authenticator, { ...given, sessions, admitKey, issuerHost }),
      readiness,
    ),
    meter,
    start: () => meter.start(),
    async close() {
      await issuer?.close();
    },
  };

  /** Call it after the commit of a change of keys: here it counts from the next request on. */
  function announceKeys(): void {
    given.groupWakes.get(0)?.raise('keys');
  }
}
