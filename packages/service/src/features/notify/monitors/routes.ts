import { keyFor, operator, type RouteTable, route } from '../../../kit/http/route.js';
import { platformPath } from '../../../ledger/requests/knownPlatform.js';
import { ownerForOperator, ownerOfKey } from '../watchOwner.js';
import { createMonitor } from './createMonitor.js';
import { deleteMonitor } from './deleteMonitor.js';
import type { MonitorDeps } from './deps.js';
import { listMonitors } from './listMonitors.js';
import { readMonitor } from './readMonitor.js';
import {
  MonitorBody,
  MonitorChanges,
  MonitorPage,
  MonitorQuery,
  MonitorRecord,
  ownMonitorPath,
  platformMonitorPath,
} from './schemas.js';
import { updateMonitor } from './updateMonitor.js';

/** Monitors of the calling platform, and of a platform by the operator. */
export function monitorRoutes(deps: MonitorDeps): RouteTable {
  return { ...ownMonitorRoutes(deps), ...platformMonitorRoutes(deps) };
}

function ownMonitorRoutes(deps: MonitorDeps): RouteTable {
  const own = { access: keyFor('webhooks'), tag: 'Monitors' };
  const onOne = { ...own, params: ownMonitorPath, errors: ['NOT_FOUND'] };
  return {
    'POST /monitors': route({
      operationId: 'createMonitor',
      ...own,
      summary: 'Watch a score',
      description:
        'From the next move of the score on, `monitor.triggered` is told once for each crossing. A subject without a score ' +
        'stands at the baseline, 20 and `Unproven`. The plan caps active monitors, for each mode apart.',
      idempotent: true,
      body: MonitorBody,
      answers: { 201: MonitorRecord },
      errors: ['USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: (context) => createMonitor(deps, ownerOfKey(context.caller), context),
    }),
    'GET /monitors': route({
      operationId: 'listMonitors',
      ...own,
      summary: 'List monitors',
      description:
        'Your monitors in the mode of the key, newest first, those that are switched off included. Filter by ' +
        '`userId` for one subject.',
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: (context) => listMonitors(deps, ownerOfKey(context.caller), context),
    }),
    'GET /monitors/{id}': route({
      operationId: 'readMonitor',
      ...onOne,
      summary: 'Read a monitor',
      description:
        'What it watches for, whether it is active and when it was last triggered. Monitors only watch: none of ' +
        'them moves a score.',
      answers: { 200: MonitorRecord },
      handle: ({ caller, params }) => readMonitor(deps, ownerOfKey(caller), params.id),
    }),
    'PATCH /monitors/{id}': route({
      operationId: 'updateMonitor',
      ...onOne,
      summary: 'Change a monitor, switch it off or on again',
      description:
        'Fields left out stay as they are; null clears a threshold. Holds from the next move of the score on: a ' +
        "threshold that the score is already past does not fire. Switching on counts against the plan's cap (409 " +
        '`MONITOR_LIMIT_REACHED`).',
      body: MonitorChanges,
      answers: { 200: MonitorRecord },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: ({ caller, params, body }) => updateMonitor(deps, ownerOfKey(caller), params.id, body),
    }),
    'DELETE /monitors/{id}': route({
      operationId: 'deleteMonitor',
      ...onOne,
      summary: 'Delete a monitor',
      description:
        "Nothing is sent for it any more. It stops counting against the plan's cap at once. To stop it for a " +
        'while, set `isActive` to false instead.',
      answers: { 204: null },
      handle: ({ caller, params }) => deleteMonitor(deps, ownerOfKey(caller), params.id),
    }),
  };
}

/** Live monitors only. */
function platformMonitorRoutes(deps: MonitorDeps): RouteTable {
  const forOperator = { access: operator, tag: 'Operator' };
  const onPlatform = { ...forOperator, params: platformPath };
  const onOne = { ...forOperator, params: platformMonitorPath, errors: ['NOT_FOUND'] };
  const ownerOf = (params: { id: string }) => ownerForOperator(deps.db, params);
  return {
    'GET /admin/platforms/{id}/monitors': route({
      operationId: 'adminListMonitors',
      ...onPlatform,
      summary: "List a platform's live monitors",
      description:
        'The live monitors of one platform, newest first. Those of its test mode are its own affair and are not ' +
        'listed.',
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      errors: ['NOT_FOUND'],
      handle: async (context) => listMonitors(deps, await ownerOf(context.params), context),
    }),
    'POST /admin/platforms/{id}/monitors': route({
      operationId: 'adminCreateMonitor',
      ...onPlatform,
      summary: 'Watch a live score for a platform',
      description: "Counts against the cap of the platform's plan.",
      idempotent: true,
      body: MonitorBody,
      answers: { 201: MonitorRecord },
      errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async (context) => createMonitor(deps, await ownerOf(context.params), context),
    }),
    'GET /admin/platforms/{id}/monitors/{monitorId}': route({
      operationId: 'adminReadMonitor',
      ...onOne,
      summary: "Read a platform's monitor",
      description:
        'As the platform reads it at `/monitors/{id}`. Live monitors only; any other id is 404 `NOT_FOUND`.',
      answers: { 200: MonitorRecord },
      handle: async ({ params }) => readMonitor(deps, await ownerOf(params), params.monitorId),
    }),
    'PATCH /admin/platforms/{id}/monitors/{monitorId}': route({
      operationId: 'adminUpdateMonitor',
      ...onOne,
      summary: "Change a platform's monitor, switch it off or on again",
      description:
        'As the platform changes it itself: fields left out stay, null clears a threshold. Counts against the cap ' +
        "of the platform's plan when it is switched on.",
      body: MonitorChanges,
      answers: { 200: MonitorRecord },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async ({ params, body }) => updateMonitor(deps, await ownerOf(params), params.monitorId, body),
    }),
    'DELETE /admin/platforms/{id}/monitors/{monitorId}': route({
      operationId: 'adminDeleteMonitor',
      ...onOne,
      summary: "Delete a platform's monitor",
      description:
        "Nothing is sent for it any more, and it stops counting against the cap of the platform's plan. Live " +
        'monitors only.',
      answers: { 204: null },
      handle: async ({ params }) => deleteMonitor(deps, await ownerOf(params), params.monitorId),
    }),
  };
}
