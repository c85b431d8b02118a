import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import type { Metrics } from '../../../kit/http/metrics.js';
import { withSharedErrors } from '../../../kit/http/openapiShared.js';
import type { OpenApiDocument } from '../../../kit/http/openapiTypes.js';
import { everyone, type Route, type RouteTable, route } from '../../../kit/http/route.js';
import { createHealthCheck } from './checkHealth.js';
import { Alive, NotReady, OpenApi, Ready, Status } from './schemas.js';
import { type MetricsAccess, showMetrics } from './showMetrics.js';
import { SECURITY_TEXT_EXAMPLE, type SecurityContact, showSecurityText } from './showSecurityText.js';
import { showReadiness, showStatus } from './showStatus.js';

export interface SystemDeps {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  config: MetricsAccess & SecurityContact;
  readiness: { readonly isReady: boolean };
  /** The document of the whole table, this slice included (describeApi). */
  document(): OpenApiDocument;
}

/** What operators and monitors ask (RULES O4). These addresses answer at the root, too. */
export function systemRoutes(deps: SystemDeps): RouteTable {
  const status = { db: deps.db, clock: deps.clock, checkHealth: createHealthCheck(deps) };
  return {
    ...inBothPlaces('/health', {
      operationId: 'readHealth',
      summary: 'Ask whether the process answers',
      description: 'Says nothing about the database; for that there is `/health/ready`.',
      unmetered: true,
      answers: { 200: Alive },
      handle: () => ok({ status: 'ok' }),
    }),
    ...inBothPlaces('/health/ready', {
      operationId: 'readReadiness',
      summary: 'Ask whether requests can be served',
      description: 'For load balancers: 503 keeps requests away until the database answers again.',
      unmetered: true,
      answers: { 200: Ready, 503: NotReady },
      handle: () => showReadiness(status),
    }),
    ...inBothPlaces('/status.json', {
      operationId: 'readStatus',
      summary: 'Read how the service is doing',
      description: 'Checks of this moment, uptime over a day and a week, and what the storage survives.',
      answers: { 200: Status },
      handle: () => showStatus(status),
    }),
    ...inBothPlaces('/openapi.json', {
      operationId: 'readApiDescription',
      summary: 'Read the description of this API',
      description: 'OpenAPI 3.1, derived from the same table that answers requests.',
      answers: { 200: OpenApi, 304: null },
      handle: firstAsked(() => fixedDocument(withSharedErrors(deps.document()))),
    }),
    'GET !/.well-known/security.txt': route({
      operationId: 'readSecurityContact',
      access: everyone,
      tag: 'System',
      unmetered: true,
      summary: 'Read where to report a vulnerability',
      description:
        'The security.txt of this installation (RFC 9116), with the contact that its operator set as SECURITY_CONTACT. 404 where ' +
        'none is set.',
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
        'Prometheus text. Needs `Authorization: Bearer` with the METRICS_TOKEN of the installation; where none is set, only this machine may ask, ' +
        'and nobody if TRUST_PROXY is set or HOST is not a loopback address.',
      answers: { 200: { media: [{ type: 'text/plain', example: METRICS_EXAMPLE }] } },
      errors: ['UNAUTHORIZED', 'FORBIDDEN'],
      handle: (context) => showMetrics(deps, context),
    }),
  };
}

type SystemLine = Pick<Route, 'operationId' | 'summary' | 'description' | 'unmetered' | 'answers' | 'handle'>;

function inBothPlaces(path: string, line: SystemLine): RouteTable {
  const full = route({ ...line, access: everyone, tag: 'System' });
  const atRoot = { ...full, operationId: `${line.operationId}AtRoot` };
  return { [`GET ${path}`]: full, [`GET !${path}`]: atRoot };
}

/** Makes the answerer when the first request comes, since the table it tells of is not complete before. */
function firstAsked<C>(make: () => (context: C) => Answer): (context: C) => Answer {
  let answerer: ((context: C) => Answer) | undefined;
  return (context) => {
    answerer ??= make();
    return answerer(context);
  };
}

const METRICS_EXAMPLE = `# HELP http_requests_total Requests answered, by method, route pattern and status.
# TYPE http_requests_total counter
http_requests_total{method="POST",route="/api/v1/events",status="201"} 1402
`;
