import type { FastifyInstance } from 'fastify';
import { planOf } from '#domain/catalogues/plans.js';
import type { HelperProgram } from '#kit/backpressure/helperThread.js';
import type { Database } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import type { Admission } from '#kit/http/admission.js';
import type { Meter } from '#kit/http/limits.js';
import { createBodyBudget, createFailedLogins, createThrottle } from '#kit/http/limits.js';
import { observeAnswer, observeRequests, traceRequests } from '#kit/http/metrics.js';
import { mountRoutes } from '#kit/http/mount.js';
import { type FindOwner, operatorTwins } from '#kit/http/operatorTwins.js';
import { allowedMethods } from '#kit/http/origins.js';
import type { KeyCaller, RouteTable } from '#kit/http/route.js';
import { createServer } from '#kit/http/server.js';
import type { RateLimiter } from '#kit/rateLimit.js';
import { type ErasedSubjects, refuseErased } from '#ledger/erasure/erasedSubjects.js';
import { createIssuer } from '#ledger/issuing/issuer.js';
import { createRecordLinks } from '#ledger/issuing/recordLinks.js';
import { createShareTokens } from '#ledger/issuing/shareTokens.js';
import { findLiveOwner } from '#ledger/requests/addressedSubject.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import { attestationRoom } from '../features/attestation/room.js';
import { insightRoom } from '../features/insight/room.js';
import { intakeRoom } from '../features/intake/room.js';
import { notifyRoom } from '../features/notify/room.js';
import { recordsRoom } from '../features/records/room.js';
import { sharingRoom } from '../features/sharing/room.js';
import { subjectsRoom } from '../features/subjects/room.js';
import { systemRoom } from '../features/system/room.js';
import type { Readiness } from '../features/system/system/checkHealth.js';
import { describeApi } from '../features/system/system/describeApi.js';
import { tenancyRoom } from '../features/tenancy/room.js';
import { transparencyRoom } from '../features/transparency/room.js';
import { backtestPage } from '../pages/backtest/backtestPage.js';
import { reportPage } from '../pages/report/reportPage.js';
import { pageRoutes } from '../pages/routes.js';
import { chooseLanguage } from '../pages/texts/chooseLanguage.js';
import type { Core } from './core.js';
import { buildSweeps } from './sweeps.js';

export interface ApiOptions {
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  readiness: Readiness;
  /** The ledger groups without those whose server does not answer. */
  reachableGroups(): Promise<readonly Database[]>;
  /** The program of a thread for large imports. Undefined: the main thread does them. */
  importProgram?: HelperProgram | undefined;
  /** Time between two heartbeats of a live stream. Default: 15 s. */
  streamHeartbeatMs?: number | undefined;
}

/** What answers the requests of one ledger group. */
export type Api = ReturnType<typeof buildApi>;

/**
 * The ten rooms and the pages, with the table of every operation. Rooms never import one another:
 * what one needs of another is handed over here.
 */
export function buildApi(core: Core, options: ApiOptions) {
  const { config, db, vault, clock } = core;
  const document = describeApi(() => table, config.baseUrl);
  const { importProgram, streamHeartbeatMs } = options;
  const deps = { ...options, ...core, importProgram, streamHeartbeatMs, document };
  const insight = insightRoom({ ...deps, showBacktest: backtestPage(config) });
  const intake = intakeRoom({ ...deps, projectOutcomes: insight.projectOutcomes });
  const attestation = attestationRoom(deps);
  const issuer = createIssuer({ config, credentialKeys: createKeyRing(db, vault, clock, 'credential') });
  const shareTokens = createShareTokens(core);
  const recordLinks = createRecordLinks(core);
  const records = recordsRoom({ ...deps, issuer, shareTokens, showReport: reportPage(config) });
  const { claimSources, sharedProfile } = records;
  const sharing = sharingRoom({ ...deps, issuer, shareTokens, recordLinks, claimSources, sharedProfile });
  const transparency = transparencyRoom(deps);
  const { lapseErased } = attestation;
  const languageFor = (accepted: string | undefined) => chooseLanguage(null, accepted).tag;
  const subjects = subjectsRoom({ ...deps, shareTokens, lapseErased, languageFor });
  const notify = notifyRoom(deps);
  const tenancy = tenancyRoom({
    ...deps,
    sweeps: buildSweeps(core).atOnce,
    onKeysChanged: () => notify.streams.checkKeys(),
  });
  const system = systemRoom(deps);
  // The order of the OpenAPI document, in which its examples can be sent.
  const rooms = [
    ...[intake, subjects, insight, attestation, sharing, records, sharing.badges, transparency],
    ...[sharing.wallets, tenancy, notify, system],
  ];
  const { readStatus } = system;
  const pages = pageRoutes({
    ...core,
    ...sharing,
    ...{ document, sharedProfile, readStatus, recordLinks, shareTokens },
    ...{ reviews: attestation.reviews, suggest: subjects.suggest },
    ...pick(records, 'heldJson', 'heldCsv'),
  });
  const tables = [...rooms.flatMap(({ routes }) => routes), pages];
  const findOwner: FindOwner = (id) => findLiveOwner(db, id);
  const table: RouteTable = join(tables.flatMap((each) => [each, operatorTwins(each, findOwner)]));
  return { core, table, intake, insight, notify, subjects, tenancy, system };
}

function join(tables: readonly RouteTable[]): RouteTable {
  const joined: Record<string, RouteTable[string]> = {};
  for (const [name, route] of tables.flatMap((table) => Object.entries(table))) {
    if (joined[name]) throw new Error(`two routes are named ${name}`);
    joined[name] = route;
  }
  return joined;
}

/**
 * The web server with all routes, wired but not listening.
 * @param first of the first ledger group.
 * @param apis of all of them; others may be added later.
 * @param given `limiter` counts each caller's minute, in this process or in Redis. `admission` replaces the
 * service's own.
 */
export function buildServer(
  first: Api,
  apis: readonly Api[],
  { limiter, admission }: { limiter: RateLimiter; admission: Admission | undefined },
): FastifyInstance {
  const { core, table } = first;
  const { config, log, metrics, traffic, clock } = core;
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
    readLargeJson: first.intake.readLargeJson,
    maxConnections: config.maxConnections,
    hasConsole: config.console,
  });
  if (config.traces) traceRequests(server);
  observeRequests(server, metrics, traffic.count);
  const admitted = admission ?? {
    authenticator: first.tenancy.authenticator,
    throttle,
    meter: meterOf(first, apis),
    openShare: createBodyBudget(),
    failedLogins: createFailedLogins(clock, (kind, count) => metrics.failedLogins.inc({ kind }, count)),
  };
  const observe = observeAnswer.bind(null, metrics);
  mountRoutes(server, table, admitted, observe, refuseErased(erasedIn(apis)));
  return server;
}

function erasedIn(apis: readonly Api[]): Pick<ErasedSubjects, 'has' | 'among'> {
  return {
    has: (subjectId) => apis.some(({ core }) => core.erased.has(subjectId)),
    among(owner) {
      const tests = apis.map(({ core }) => core.erased.among(owner));
      return (externalId) => tests.some((isErased) => isErased(externalId));
    },
  };
}

/** Each group counts the calls of its platforms. */
function meterOf(first: Api, apis: readonly Api[]): Meter {
  const of = ({ group }: KeyCaller): Meter => (apis[group] ?? first).tenancy.meter;
  return {
    monthOf: (caller) => of(caller).monthOf(caller),
    count: (caller, ...answer) => of(caller).count(caller, ...answer),
  };
}
