import type { FastifyInstance } from 'fastify';
import type { Core } from './core.js';
import { planOf } from './domain/catalogues/plans.js';
import { countRequest } from './kit/backpressure/traffic.js';
import type { Admission } from './kit/http/admission.js';
import { allowedMethods } from './kit/http/allowedMethods.js';
import { createBodyBudget } from './kit/http/bodyBudget.js';
import { createFailedLogins } from './kit/http/failedLogins.js';
import { observeAnswer, observeRequests } from './kit/http/metrics.js';
import { mountRoutes } from './kit/http/mount.js';
import type { RouteTable } from './kit/http/route.js';
import { createServer } from './kit/http/server.js';
import { createThrottle, type Throttle } from './kit/http/throttle.js';
import type { RateLimiter } from './kit/rateLimit.js';
import { refuseErased } from './ledger/erasure/erasedSubjects.js';
import type { Rooms } from './rooms.js';

interface ServerDeps {
  core: Core;
  rooms: Rooms;
  table: RouteTable;
  /** Counts each caller's minute, in this process or in Redis. */
  limiter: RateLimiter;
  /** Replaces the service's own admission: a bench measures what that costs. */
  admission: Admission | undefined;
}

/** The web server with all routes, wired but not listening. */
export function buildServer({ core, rooms, table, limiter, admission }: ServerDeps): FastifyInstance {
  const { config, log, metrics, requests } = core;
  const throttle = createThrottle({
    limiter,
    anonymousPerMinute: config.anonymousRateLimitPerMinute,
    operatorPerMinute: planOf('enterprise').rateLimitPerMinute,
  });
  const server = createServer({
    log,
    methodsOf: allowedMethods(table),
    throttle,
    trustProxy: config.trustProxy,
    readLargeJson: rooms.intake.readLargeJson,
    maxConnections: config.maxConnections,
  });
  observeRequests(server, metrics, (route) => countRequest(requests, route));
  mountRoutes(
    server,
    table,
    admission ?? admissionOf(core, rooms, throttle),
    (request, reply) => observeAnswer(metrics, request, reply),
    refuseErased(core.erased),
  );
  return server;
}

function admissionOf({ clock, metrics }: Core, { tenancy }: Rooms, throttle: Throttle): Admission {
  return {
    authenticator: tenancy.authenticator,
    throttle,
    meter: tenancy.meter,
    openShare: createBodyBudget(),
    failedLogins: createFailedLogins(clock, (kind, count) => metrics.failedLogins.inc({ kind }, count)),
  };
}
