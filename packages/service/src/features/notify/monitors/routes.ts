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
      summary: 'Watch a score',
      description:
        'From the next change of the score on, `monitor.triggered` is sent once for each crossing. A subject without a score ' +
        'counts as being at the baseline, 20 and `Unproven`. The plan caps the active monitors of each mode.',
      idempotent: true,
      body: MonitorBody,
      answers: { 201: Monitor },
      errors: ['USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: ({ owner, body, claim }) => createMonitor(deps, owner, body, claim),
    }),
    'GET /monitors': route({
      operationId: 'listMonitors',
      ...own,
      summary: 'List monitors',
      description:
        'The monitors of one mode, newest first, including inactive ones. Filter by `userId` for one subject.',
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: async ({ owner, query }) => ok(await listMonitors(deps.db, owner, query)),
    }),
    'GET /monitors/{id}': route({
      operationId: 'readMonitor',
      ...onOne,
      summary: 'Read a monitor',
      description:
        'Its conditions, whether it is active and when it was last triggered. A monitor never changes a score.',
      answers: { 200: Monitor },
      handle: async ({ owner, params }) => ok(await readMonitor(deps.db, owner, params.id)),
    }),
    'PATCH /monitors/{id}': route({
      operationId: 'updateMonitor',
      ...onOne,
      summary: 'Change, enable or disable a monitor',
      description:
        'Fields left out stay as they are; null clears a threshold. The change applies from the next change of the score on: a ' +
        'threshold that the score has already crossed does not fire. An enabled monitor counts against the cap of the plan (409 ' +
        '`MONITOR_LIMIT_REACHED`).',
      body: MonitorChanges,
      answers: { 200: Monitor },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async ({ owner, params, body }) => ok(await updateMonitor(deps, owner, params.id, body)),
    }),
    'DELETE /monitors/{id}': route({
      operationId: 'deleteMonitor',
      ...onOne,
      summary: 'Delete a monitor',
      description:
        "Nothing is sent for it any more, and it stops counting against the plan's cap. To pause it, set `isActive` to false " +
        'instead.',
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMonitor(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
