import { noContent, ok } from '../../../kit/http/answer.js';
import { keyOrOperatorFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createMonitor, deleteMonitor, type MonitorDeps, updateMonitor } from './changeMonitors.js';
import { Monitor, MonitorBody, MonitorChanges, MonitorPage, MonitorQuery, monitorPath } from './schemas.js';
import { listMonitors, readMonitor } from './store.js';

/** Monitors of the calling platform, and by the operator those of any platform. */
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
        'counts as being at the baseline, 20 and `Unproven`. The plan caps active monitors, for each mode apart.',
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
        'The monitors of one mode, newest first, those that are switched off included. Filter by ' +
        '`userId` for one subject.',
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: async ({ owner, query }) => ok(await listMonitors(deps.db, owner, query)),
    }),
    'GET /monitors/{id}': route({
      operationId: 'readMonitor',
      ...onOne,
      summary: 'Read a monitor',
      description:
        'What it watches for, whether it is active and when it was last triggered. Monitors only watch: none of ' +
        'them moves a score.',
      answers: { 200: Monitor },
      handle: async ({ owner, params }) => ok(await readMonitor(deps.db, owner, params.id)),
    }),
    'PATCH /monitors/{id}': route({
      operationId: 'updateMonitor',
      ...onOne,
      summary: 'Change a monitor, switch it off or on again',
      description:
        'Fields left out stay as they are; null clears a threshold. Holds from the next change of the score on: a ' +
        "threshold that the score is already past does not fire. Switching on counts against the plan's cap (409 " +
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
        "Nothing is sent for it any more. It stops counting against the plan's cap at once. To stop it for a " +
        'while, set `isActive` to false instead.',
      answers: { 204: null },
      async handle({ owner, params }) {
        await deleteMonitor(deps, owner, params.id);
        return noContent();
      },
    }),
  };
}
