import type { FastifyInstance } from 'fastify';
import { planOf } from '../domain/catalogues/plans.js';
import { countRequest } from '../kit/backpressure/traffic.js';
import type { Admission } from '../kit/http/admission.js';
import { allowedMethods } from '../kit/http/allowedMethods.js';
import { createBodyBudget } from '../kit/http/bodyBudget.js';
import { createFailedLogins } from '../kit/http/failedLogins.js';
import type { Meter } from '../kit/http/meter.js';
import { observeAnswer, observeRequests } from '../kit/http/metrics.js';
import { mountRoutes } from '../kit/http/mount.js';
import type { KeyCaller } from '../kit/http/route.js';
import { createServer } from '../kit/http/server.js';
import { createThrottle, type Throttle } from '../kit/http/throttle.js';
import { traceRequests } from '../kit/http/traceRequests.js';
import type { RateLimiter } from '../kit/rateLimit.js';
import { type ErasedSubjects, refuseErased } from '../ledger/erasure/erasedSubjects.js';
import type { AppGroup } from './appGroup.js';

interface ServerDeps {
  /** At least the first; others may be added later. */
  groups: readonly AppGroup[];
  /** Counts each caller's minute, in this process or in Redis. */
  limiter: RateLimiter;
  /** Replaces the service's own admission: a bench measures what that costs. */
  admission: Admission | undefined;
}

/** The web server with all routes, wired but not listening. */
export function buildServer({ groups, limiter, admission }: ServerDeps): FastifyInstance {
  const [first] = groups;
  if (!first) throw new Error('a service has at least one ledger group');
  const { core, rooms, table } = first;
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
    hasConsole: config.console,
  });
  if (config.traces) traceRequests(server);
  observeRequests(server, metrics, (route) => countRequest(requests, route));
  mountRoutes(
    server,
    table,
    admission ?? admissionOf(first, meterOf(groups, first), throttle),
    (request, reply) => observeAnswer(metrics, request, reply),
    refuseErased(erasedIn(groups)),
  );
  return server;
}

function erasedIn(groups: readonly AppGroup[]): Pick<ErasedSubjects, 'has' | 'among'> {
  return {
    has: (subjectId) => groups.some(({ core }) => core.erased.has(subjectId)),
    among(owner) {
      const tests = groups.map(({ core }) => core.erased.among(owner));
      return (externalId) => tests.some((isErased) => isErased(externalId));
    },
  };
}

/** Each group counts the calls of its platforms. */
function meterOf(groups: readonly AppGroup[], first: AppGroup): Meter {
  const of = ({ group }: KeyCaller): Meter => (groups[group] ?? first).rooms.tenancy.meter;
  return {
    monthOf: (caller) => of(caller).monthOf(caller),
    count: (caller, ...answer) => of(caller).count(caller, ...answer),
  };
}

function admissionOf({ core, rooms }: AppGroup, meter: Meter, throttle: Throttle): Admission {
  const { clock, metrics } = core;
  return {
    authenticator: rooms.tenancy.authenticator,
    throttle,
    meter,
    openShare: createBodyBudget(),
    failedLogins: createFailedLogins(clock, (kind, count) => metrics.failedLogins.inc({ kind }, count)),
  };
}
