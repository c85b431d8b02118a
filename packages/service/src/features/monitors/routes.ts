import { keyFor, operator, type RouteTable, route } from '../../kit/http/route.js';
import { platformPath } from '../../ledger/knownPlatform.js';
import { ownerForOperator, ownerOfKey } from '../../ledger/watch/watchOwner.js';
import { createMonitor } from './createMonitor.js';
import { deleteMonitor } from './deleteMonitor.js';
import { listMonitors } from './listMonitors.js';
import type { MonitorParts } from './parts.js';
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

/** Monitors of the calling platform (INTERFACE 4.10), and of a platform by the operator (4.9). */
export function monitorRoutes(parts: MonitorParts): RouteTable {
  return { ...ownMonitorRoutes(parts), ...platformMonitorRoutes(parts) };
}

function ownMonitorRoutes(parts: MonitorParts): RouteTable {
  const own = { access: keyFor('webhooks'), tag: 'Monitors' };
  const onOne = { ...own, params: ownMonitorPath, errors: ['NOT_FOUND'] };
  return {
    'POST /monitors': route({
      ...own,
      summary: 'Watch a score',
      description:
        'From the next move of the score on, `monitor.triggered` is told once for each crossing. A subject without a score ' +
        'stands at the baseline, 20 and `Unproven`. The plan caps active monitors, for each mode apart.',
      idempotent: true,
      body: MonitorBody,
      answers: { 201: MonitorRecord },
      errors: ['USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: (context) => createMonitor(parts, ownerOfKey(context.caller), context),
    }),
    'GET /monitors': route({
      ...own,
      summary: 'List monitors',
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      handle: (context) => listMonitors(parts, ownerOfKey(context.caller), context),
    }),
    'GET /monitors/{id}': route({
      ...onOne,
      summary: 'Read a monitor',
      answers: { 200: MonitorRecord },
      handle: ({ caller, params }) => readMonitor(parts, ownerOfKey(caller), params.id),
    }),
    'PATCH /monitors/{id}': route({
      ...onOne,
      summary: 'Change a monitor, switch it off or on again',
      body: MonitorChanges,
      answers: { 200: MonitorRecord },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: ({ caller, params, body }) => updateMonitor(parts, ownerOfKey(caller), params.id, body),
    }),
    'DELETE /monitors/{id}': route({
      ...onOne,
      summary: 'Delete a monitor',
      answers: { 204: null },
      handle: ({ caller, params }) => deleteMonitor(parts, ownerOfKey(caller), params.id),
    }),
  };
}

/** Live monitors only. */
function platformMonitorRoutes(parts: MonitorParts): RouteTable {
  const forOperator = { access: operator, tag: 'Operator' };
  const onPlatform = { ...forOperator, params: platformPath };
  const onOne = { ...forOperator, params: platformMonitorPath, errors: ['NOT_FOUND'] };
  const ownerOf = (params: { id: string }) => ownerForOperator(parts.db, params);
  return {
    'GET /admin/platforms/{id}/monitors': route({
      ...onPlatform,
      summary: "List a platform's live monitors",
      query: MonitorQuery,
      answers: { 200: MonitorPage },
      errors: ['NOT_FOUND'],
      handle: async (context) => listMonitors(parts, await ownerOf(context.params), context),
    }),
    'POST /admin/platforms/{id}/monitors': route({
      ...onPlatform,
      summary: 'Watch a live score for a platform',
      description: "Counts against the cap of the platform's plan.",
      idempotent: true,
      body: MonitorBody,
      answers: { 201: MonitorRecord },
      errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async (context) => createMonitor(parts, await ownerOf(context.params), context),
    }),
    'GET /admin/platforms/{id}/monitors/{monitorId}': route({
      ...onOne,
      summary: "Read a platform's monitor",
      answers: { 200: MonitorRecord },
      handle: async ({ params }) => readMonitor(parts, await ownerOf(params), params.monitorId),
    }),
    'PATCH /admin/platforms/{id}/monitors/{monitorId}': route({
      ...onOne,
      summary: "Change a platform's monitor, switch it off or on again",
      body: MonitorChanges,
      answers: { 200: MonitorRecord },
      errors: ['NOT_FOUND', 'MONITOR_LIMIT_REACHED'],
      handle: async ({ params, body }) => updateMonitor(parts, await ownerOf(params), params.monitorId, body),
    }),
    'DELETE /admin/platforms/{id}/monitors/{monitorId}': route({
      ...onOne,
      summary: "Delete a platform's monitor",
      answers: { 204: null },
      handle: async ({ params }) => deleteMonitor(parts, await ownerOf(params), params.monitorId),
    }),
  };
}
