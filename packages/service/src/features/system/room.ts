import type { Database } from '#kit/db/database.js';
import type { Metrics } from '#kit/http/metrics.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import type { RouteTable } from '#kit/http/route.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { catalogueRoutes } from './catalogues/routes.js';
import { mcpRoutes } from './mcp/routes.js';
import { sandboxRoutes } from './sandbox/routes.js';
import { createHealthCheck, type Readiness } from './system/checkHealth.js';
import { API_VERSION } from './system/describeApi.js';
import { systemRoutes } from './system/routes.js';
import { startStatusSampler } from './system/sampleStatus.js';
import type { Status } from './system/schemas.js';
import type { Processes } from './system/showMetrics.js';
import { readStatus } from './system/showStatus.js';

interface SystemDeps extends ServiceDeps {
  metrics: Metrics;
  /** Null: there is no replica. */
  replica: { lagSeconds(): number | null } | null;
  /** Null: this is the only process. */
  processes: Processes;
  readiness: Readiness;
  /** The ledger groups without those whose server does not answer. */
  reachableGroups(): Promise<readonly Database[]>;
  /** The OpenAPI document of all routes. */
  document(): Promise<OpenApiDocument>;
}

export interface SystemRoom {
  routes: readonly RouteTable[];
  readStatus(): Promise<Status>;
  /** Starts the uptime history. @returns what ends it. */
  start(): () => Promise<void> | void;
}

/** Health, status and metrics, public catalogues, the sandbox of test mode, and the tools for agents. */
export function systemRoom(deps: SystemDeps): SystemRoom {
  const withHealth = { ...deps, checkHealth: createHealthCheck(deps) };
  return {
    routes: [sandboxRoutes(deps), catalogueRoutes(deps), systemRoutes(withHealth), mcpRoutes(API_VERSION)],
    readStatus: () => readStatus(withHealth),
    start: () => startStatusSampler(deps),
  };
}
