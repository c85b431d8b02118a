import type { Clock } from '../../../kit/clock.js';
import type { Database, ReplicaReads } from '../../../kit/db/database.js';
import { type HandlerAnswer, ok } from '../../../kit/http/answer.js';
import { fixedDocument, onFirstRequest } from '../../../kit/http/fixedDocument.js';
import type { Metrics } from '../../../kit/http/metrics.js';
import { withSharedErrors } from '../../../kit/http/openapiShared.js';
import type { OpenApiDocument } from '../../../kit/http/openapiTypes.js';
import {
  type Answers,
  everyone,
  type PublicAccess,
  type Route,
  type RouteTable,
  route,
} from '../../../kit/http/route.js';
import type { HealthCheck } from './checkHealth.js';
import type { GroupsDeps } from './reachableGroups.js';
import { Alive, NotReady, OpenApi, Ready, Status } from './schemas.js';
import { type MetricsAccess, type Processes, showMetrics } from './showMetrics.js';
import { SECURITY_TEXT_EXAMPLE, type SecurityContact, showSecurityText } from './showSecurityText.js';
import { readStatus, showReadiness } from './showStatus.js';

export interface SystemDeps extends GroupsDeps {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  /** Null: there is no replica. */
  replica: ReplicaReads | null;
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
      summary: 'Check that the process is alive',
      description: 'Does not check the database; use `/health/ready` for that.',
      unmetered: true,
      answers: { 200: Alive },
      handle: () => ok({ status: 'ok' }),
    }),
    ...atBothPaths('/health/ready', {
      operationId: 'readReadiness',
      summary: 'Check that the service is ready',
      description: 'For load balancers. Answers 503 while the database is unavailable.',
      unmetered: true,
      answers: { 200: Ready, 503: NotReady },
      handle: () => showReadiness(deps),
    }),
    ...atBothPaths('/status.json', {
      operationId: 'readStatus',
      summary: 'Read the status of the service',
      description: 'Current checks, uptime over a day and a week, and which failures the storage survives.',
      answers: { 200: Status },
      handle: async () => ok(await readStatus(deps)),
    }),
    ...atBothPaths('/openapi.json', {
      operationId: 'readApiDescription',
      summary: 'Read the OpenAPI document',
      description: 'OpenAPI 3.1, generated from the table that serves the requests.',
      answers: { 200: OpenApi, 304: null },
      // The route table is not complete before.
      handle: onFirstRequest(async () => fixedDocument(withSharedErrors(await deps.document()))),
    }),
    'GET !/.well-known/security.txt': route({
      operationId: 'readSecurityContact',
      access: everyone,
      tag: 'System',
      unmetered: true,
      summary: 'Read where to report a vulnerability',
      description:
        'The security.txt of this installation (RFC 9116), with the contact from SECURITY_CONTACT. 404 if it is not set.',
      answers: { 200: { media: [{ type: 'text/plain', example: SECURITY_TEXT_EXAMPLE }] }, 304: null },
      errors: ['NOT_FOUND'],
      handle: (context) => showSecurityText(deps.config, deps.clock.now(), context),
    }),
    'GET !/metrics': route({
      operationId: 'readMetrics',
      access: everyone,
      tag: 'System',
      unmetered: true,
      summary: 'Read the metrics of this process',
      description:
        'Prometheus text; with PROCESSES the sum over all processes of this installation. Send METRICS_TOKEN as `Authorization: Bearer`. If it is not set, only requests from the same machine are ' +
        'allowed, with localhost or a loopback address as `Host`, and none if TRUST_PROXY is set or HOST is not a loopback address.',
      answers: { 200: { media: [{ type: 'text/plain', example: METRICS_EXAMPLE }] } },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
      handle: (context) => showMetrics(deps, context),
    }),
  };
}

type SystemRoute<Result extends Answers> = Pick<
  Route<PublicAccess, undefined, undefined, undefined, HandlerAnswer<Result>>,
  'operationId' | 'summary' | 'description' | 'unmetered' | 'handle'
> & { readonly answers: Result };

function atBothPaths<Result extends Answers>(path: string, part: SystemRoute<Result>): RouteTable {
  const full = route({ ...part, access: everyone, tag: 'System' });
  const atRoot = { ...full, operationId: `${part.operationId}AtRoot` };
  return { [`GET ${path}`]: full, [`GET !${path}`]: atRoot };
}

const METRICS_EXAMPLE = `# HELP http_requests_total Requests answered, by method, route pattern and status.
# TYPE http_requests_total counter
http_requests_total{method="POST",route="/api/v1/events",status="201"} 1402
`;
