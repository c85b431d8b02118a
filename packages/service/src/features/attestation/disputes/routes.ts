import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { DisputeDeps } from './deps.js';
import { fileDispute } from './fileDispute.js';
import { listDisputes } from './listDisputes.js';
import { readDispute } from './readDispute.js';
import { resolveDispute } from './resolveDispute.js';
import { DisputeBody, DisputePage, DisputeQuery, DisputeRecord, disputePath } from './schemas.js';

/** Disputes of the calling platform's own events. */
export function disputeRoutes(deps: DisputeDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Disputes' };
  const resolve = route({
    operationId: 'resolveDispute',
    ...own,
    summary: 'Resolve a dispute',
    description:
      'Nobody decides: it ends against the subject when the disputed event is verified, else for the subject, and for the ' +
      'subject in any case once its window has ended. A body is not looked at. PATCH and POST do the same.',
    writesLedger: true,
    params: disputePath,
    answers: { 200: DisputeRecord },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    handle: ({ caller, params }) => resolveDispute(deps, caller, params.id),
  });
  return {
    'POST /disputes': route({
      operationId: 'fileDispute',
      ...own,
      summary: 'Dispute an event',
      description:
        'Opens a dispute about a breach or a disputed outcome of yours, once for each event, and records DISPUTE_FILED, which ' +
        'weighs until the dispute ends. A TRANSACTION_DISPUTED event opens its dispute by itself when it is recorded.',
      writesLedger: true,
      idempotent: true,
      body: DisputeBody,
      answers: { 201: DisputeRecord },
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: (context) => fileDispute(deps, context),
    }),
    'GET /disputes': route({
      operationId: 'listDisputes',
      ...own,
      summary: 'List disputes',
      description:
        'The disputes about your own events in the mode of the key, newest first. Filter by `status` to find ' +
        'those that still wait for an end.',
      query: DisputeQuery,
      answers: { 200: DisputePage },
      handle: (context) => listDisputes(deps, context),
    }),
    'GET /disputes/{id}': route({
      operationId: 'readDispute',
      ...own,
      summary: 'Read a dispute',
      description:
        'Its status, until when it can be answered and, once it has ended, how and with which event. Only ' +
        'disputes about your own events can be read; for others the answer is 404 `NOT_FOUND`.',
      params: disputePath,
      answers: { 200: DisputeRecord },
      errors: ['NOT_FOUND'],
      handle: ({ caller, params }) => readDispute(deps, caller, params.id),
    }),
    'PATCH /disputes/{id}/resolve': resolve,
    'POST /disputes/{id}/resolve': { ...resolve, operationId: 'resolveDisputeByPost' },
  };
}
