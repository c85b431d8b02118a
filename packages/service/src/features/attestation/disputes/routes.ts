import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { fileDispute } from './fileDispute.js';
import { resolveDispute } from './resolveDisputes.js';
import { Dispute, DisputeBody, DisputePage, DisputeQuery, disputePath } from './schemas.js';
import { listDisputes, readDispute } from './store.js';

type DisputeDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'clock' | 'ids' | 'ledger' | 'withIdempotency' | 'wakes'
>;

/** Disputes about a platform's own events. */
export function disputeRoutes(deps: DisputeDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Disputes' };
  const resolve = route({
    operationId: 'resolveDispute',
    ...own,
    summary: 'Resolve a dispute',
    description:
      'Nobody decides. The dispute ends against the subject if the disputed event is verified and the window is open; ' +
      'otherwise it ends for the subject. The body is ignored. PATCH and POST do the same.',
    params: disputePath,
    answers: { 200: Dispute },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'SUBJECT_ERASED'],
    handle: async ({ owner, params }) => ok(await resolveDispute(deps, owner, params.id)),
  });
  return {
    'POST /disputes': route({
      operationId: 'fileDispute',
      ...own,
      summary: 'Dispute an event',
      description:
        'Opens a dispute about a breach or a disputed outcome that you reported, once for each event. It records DISPUTE_FILED, ' +
        'which counts in the score while the dispute is open. A TRANSACTION_DISPUTED event opens its own dispute when it is recorded.',
      idempotent: true,
      body: DisputeBody,
      answers: { 201: Dispute },
      errors: ['NOT_FOUND', 'CONFLICT', 'SUBJECT_ERASED'],
      handle: ({ owner, body, claim }) => fileDispute(deps, owner, body, claim),
    }),
    'GET /disputes': route({
      operationId: 'listDisputes',
      ...own,
      summary: 'List disputes',
      description:
        'The disputes about your own events in the mode of the key, newest first. Filter by `status=OPEN` to find ' +
        'those that have not ended.',
      query: DisputeQuery,
      answers: { 200: DisputePage },
      handle: async ({ owner, query }) => ok(await listDisputes(deps.db, owner, query)),
    }),
    'GET /disputes/{id}': route({
      operationId: 'readDispute',
      ...own,
      summary: 'Read a dispute',
      description:
        'Its status, the end of its window and, once it has ended, its outcome and the event of its end. Only ' +
        'disputes about your own events can be read; for others the answer is 404 `NOT_FOUND`.',
      params: disputePath,
      answers: { 200: Dispute },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await readDispute(deps.db, owner, params.id)),
    }),
    'PATCH /disputes/{id}/resolve': resolve,
    'POST /disputes/{id}/resolve': { ...resolve, operationId: 'resolveDisputeByPost' },
  };
}
