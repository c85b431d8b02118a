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
    params: disputePath,
    answers: { 200: Dispute },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'SUBJECT_ERASED'],
    handle: async ({ owner, params }) => ok(await resolveDispute(deps, owner, params.id)),
  });
  return {
    'POST /disputes': route({
      operationId: 'fileDispute',
      ...own,
      idempotent: true,
      body: DisputeBody,
      answers: { 201: Dispute },
      errors: ['NOT_FOUND', 'CONFLICT', 'SUBJECT_ERASED'],
      handle: ({ owner, body, claim }) => fileDispute(deps, owner, body, claim),
    }),
    'GET /disputes': route({
      operationId: 'listDisputes',
      ...own,
      query: DisputeQuery,
      answers: { 200: DisputePage },
      handle: async ({ owner, query }) => ok(await listDisputes(deps.db, owner, query)),
    }),
    'GET /disputes/{id}': route({
      operationId: 'readDispute',
      ...own,
      params: disputePath,
      answers: { 200: Dispute },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await readDispute(deps.db, owner, params.id)),
    }),
    'PATCH /disputes/{id}/resolve': resolve,
    'POST /disputes/{id}/resolve': { ...resolve, operationId: 'resolveDisputeByPost' },
  };
}
