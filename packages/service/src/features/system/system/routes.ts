import type { Clock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { type HandlerAnswer, ok } from '#kit/http/answer.js';
import { fixedDocument, onFirstRequest } from '#kit/http/fixedDocument.js';
import type { Metrics } from '#kit/http/metrics.js';
import { withSharedErrors } from '#kit/http/openapi.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import {
  type Answers,
  everyone,
  type PublicAccess,
  type Route,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import type { GroupsDeps, HealthCheck } from './checkHealth.js';
import { Alive, NotReady, OpenApi, Ready, Status } from './schemas.js';
import { type MetricsAccess, type Processes, showMetrics } from './showMetrics.js';
import { type SecurityContact, showSecurityText } from './showSecurityText.js';
import { readStatus, showReadiness } from './showStatus.js';

export interface SystemDeps extends GroupsDeps {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  /** Null: there is no replica. */
  replica: { lagSeconds(): number | null } | null;
  processes: Processes;
  config: MetricsAccess & SecurityContact;
  checkHealth: HealthCheck;
  /** The OpenAPI document of all routes. */
  document(): Promise<OpenApiDocument>;
}

/**
 * For operators and monitors (RULES O4). Health, status and OpenAPI are also served at the root,
 * without /api/v1.
 */
export function systemRoutes(deps: SystemDeps): RouteTable {
  return {
    ...atBothPaths('/health', {
      operationId: 'readHealth',
      unmetered: true,
      answers: { 200: Alive },
      handle: () => ok({ status: 'ok' }),
    }),
    ...atBothPaths('/health/ready', {
      operationId: 'readReadiness',
      unmetered: true,
      answers: { 200: Ready, 503: NotReady },
      handle: () => showReadiness(deps),
    }),
    ...atBothPaths('/status.json', {
      operationId: 'readStatus',
      answers: { 200: Status },
      handle: async () => ok(await readStatus(deps)),
    }),
    ...atBothPaths('/openapi.json', {
      operationId: 'readApiDescription',
      answers: { 200: OpenApi, 304: null },
      // The route table is not complete before.
      handle: onFirstRequest(async () => fixedDocument(withSharedErrors(await deps.document()))),
    }),
    'GET !/.well-known/security.txt': route({
      operationId: 'readSecurityContact',
      access: everyone,
      tag: 'System',
      unmetered: true,
      answers: { 200: { media: [{ type: 'text/plain' }] }, 304: null },
      errors: ['NOT_FOUND'],
      handle: (context) => showSecurityText(deps.config, deps.clock.now(), context),
    }),
    'GET !/metrics': route({
      operationId: 'readMetrics',
      access: everyone,
      tag: 'System',
      unmetered: true,
      answers: { 200: { media: [{ type: 'text/plain' }] } },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
      handle: (context) => showMetrics(deps, context),
    }),
  };
}

type SystemRoute<Result extends Answers> = Pick<
  Route<PublicAccess, undefined, undefined, undefined, HandlerAnswer<Result>>,
  'operationId' | 'unmetered' | 'handle'
> & { readonly answers: Result };

function atBothPaths<Result extends Answers>(path: string, part: SystemRoute<Result>): RouteTable {
  const full = route({ ...part, access: everyone, tag: 'System' });
  const atRoot = { ...full, operationId: `${part.operationId}AtRoot` };
  return { [`GET ${path}`]: full, [`GET !${path}`]: atRoot };
}
