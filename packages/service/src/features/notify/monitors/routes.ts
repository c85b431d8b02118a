import { noContent, ok } from '../../../kit/http/answer.js';
import { keyOrOperatorFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createMonitor, deleteMonitor, type MonitorDeps, updateMonitor } from './changeMonitors.js';
import { Monitor, MonitorBody, MonitorChanges, MonitorPage, MonitorQuery, monitorPath } from './schemas.js';
import { listMonitors, readMonitor } from './store.js';

export function monitorRoutes(deps: MonitorDeps): RouteTable {
  const own = { access: keyOrOperatorFor('webhooks'), tag: 'Monitors' };
  const onOne = { ...own, params: monitorPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /monitors': route({
      operationId: 'createMonitor',
      ...own,
      idempotent: true,
      body: MonitorBody,
      answers: { 201: Monitor },
      errors: ['USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createMonitor(deps, owner, body, claim),
    }),
    'GET /monitors': route({
      operationId: 'listMonitors',
      ...own,
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: async ({ owner, query }) => ok(await listMonitors(deps.db, owner, query)),
    }),
    'GET /monitors/{id}': route({
      operationId: 'readMonitor',
      ...onOne,
      answers: { 200: Monitor },
      handle: async ({ owner, params }) => ok(await readMonitor(deps.db, owner, params.id)),
    }),
    'PATCH /monitors/{id}': route({
      operationId: 'updateMonitor',
      ...onOne,
      body: MonitorChanges,
      answers: { 200: Monitor },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async ({ owner, params, body }) => ok(await updateMonitor(deps, owner, params.id, body)),
    }),
    'DELETE /monitors/{id}': route({
      operationId: 'deleteMonitor',
      ...onOne,
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMonitor(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
