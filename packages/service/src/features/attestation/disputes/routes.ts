import { filingEvent, isDisputable } from '#domain/dispute.js';
import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import { type IdempotencyClaim, keyFor, type RouteTable, route } from '#kit/http/route.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { resolveDispute } from './resolveDisputes.js';
import { Dispute, DisputeBody, DisputePage, DisputeQuery, disputePath } from './schemas.js';
import {
  findSubjectOfEvent,
  insertDispute,
  listDisputes,
  lockSubject,
  readDisputableEvent,
  readDispute,
} from './store.js';

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
      handle: async ({ owner, query }) => ok(await listDisputes(deps.db, owner, query, deps.clock.now())),
    }),
    'GET /disputes/{id}': route({
      operationId: 'readDispute',
      ...own,
      params: disputePath,
      answers: { 200: Dispute },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await readDispute(deps.db, owner, params.id, deps.clock.now())),
    }),
    'PATCH /disputes/{id}/resolve': resolve,
    'POST /disputes/{id}/resolve': { ...resolve, operationId: 'resolveDisputeByPost' },
  };
}

export type FileDeps = Pick<ServiceDeps, 'clock' | 'ids' | 'ledger' | 'withIdempotency' | 'wakes'> & {
  config: Pick<ServiceDeps['config'], 'disputeWindowMs'>;
};

/** POST /disputes: writes DISPUTE_FILED and the dispute together, at most once for an event. */
export async function fileDispute(
  deps: FileDeps,
  owner: ModeOwner,
  body: DisputeBody,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Dispute>> {
  const now = deps.clock.now();
  const answer = await deps.withIdempotency(claim, { now }, async (tx) =>
    created(await file(tx, deps, now, owner, body)),
  );
  deps.wakes.raise('scores');
  return answer;
}

async function file(
  tx: Tx,
  { config, ids, ledger }: FileDeps,
  now: Date,
  owner: ModeOwner,
  { eventId, reason }: DisputeBody,
): Promise<Dispute> {
  const { platformId, livemode } = owner;
  const subjectId = (await findSubjectOfEvent(tx, { platformId, livemode }, eventId)) ?? failUnknownEvent();
  // From here on, other disputes, resolutions, resets and appends about the subject wait.
  await lockSubject(tx, subjectId);
  const event = (await readDisputableEvent(tx, subjectId, eventId)) ?? failUnknownEvent();
  if (!isDisputable(event.eventType)) {
    const message = `An event of type ${event.eventType} cannot be disputed. Only a breach or a disputed outcome can.`;
    return fail('CONFLICT', { message, details: { eventType: event.eventType } });
  }
  if (event.disputeId !== null) {
    const message = 'This event already has a dispute. An event can be disputed once.';
    return fail('CONFLICT', { message, details: { disputeId: event.disputeId } });
  }
  const id = ids.at(now);
  const reporter = { platformId, livemode, trustTier: event.platformTier };
  const filing = filingEvent(event, id, reason ?? null);
  const [filed] = await ledger.appendIn(tx, reporter, [filing], { by: 'engine' });
  if (!filed) throw new Error('the ledger returned no event');
  const opened = { id, subjectId, platformId, livemode, eventId: event.eventId, openedAt: now };
  const respondBy = new Date(now.getTime() + config.disputeWindowMs);
  await insertDispute(tx, { ...opened, respondBy }, filed.eventId);
  return readDispute(tx, owner, id, now);
}

function failUnknownEvent(): never {
  return fail('NOT_FOUND', { message: 'Your platform has no event with this id in this mode.' });
}
