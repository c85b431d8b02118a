import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/ids.js';
import { answererOf } from '../attestations/answerEvidence.js';
import { AnswerQuery, answerIn } from '../attestations/attestation.js';
import { cancelAttestation } from '../attestations/endAttestations.js';
import type { AttestationDeps } from '../attestations/kind.js';
import { previewAttestation, respondToAttestation } from '../attestations/respond.js';
import { listAttestations, readAttestation } from '../attestations/store.js';
import { createBatch, createConfirmation } from './createConfirmations.js';
import { confirmation } from './kind.js';
import {
  Confirmation,
  ConfirmationAnswerBody,
  ConfirmationAnswered,
  ConfirmationBatchBody,
  ConfirmationBatchCreated,
  ConfirmationBody,
  ConfirmationCreated,
  ConfirmationPage,
  ConfirmationPreview,
  ConfirmationQuery,
  confirmationPath,
  TokenQuery,
} from './schemas.js';

/** Requests to a counterparty to confirm an outcome. */
export function confirmationRoutes(deps: AttestationDeps): RouteTable {
  return { ...platformRoutes(deps), ...counterpartyRoutes(deps) };
}

function platformRoutes(deps: AttestationDeps): RouteTable {
  const own = { access: anyKey, tag: 'Confirmations' };
  return {
    'POST /confirmations': route({
      operationId: 'createConfirmation',
      ...own,
      access: anyKeyToAsk,
      idempotent: true,
      body: ConfirmationBody,
      answers: { 201: ConfirmationCreated },
      errors: ['SUBJECT_ERASED', 'RESERVED_EXTERNAL_ID', 'CONFIRMATION_SELF', 'CONFLICT'],
      handle: (context) => createConfirmation(deps, context),
    }),
    'POST /confirmations/batch': route({
      operationId: 'createConfirmations',
      ...own,
      access: anyKeyToAsk,
      idempotent: true,
      body: ConfirmationBatchBody,
      itemsStandAlone: true,
      answers: { 200: ConfirmationBatchCreated },
      errors: ['CONFLICT'],
      handle: (context) => createBatch(deps, context),
    }),
    'GET /confirmations': route({
      operationId: 'listConfirmations',
      ...own,
      query: ConfirmationQuery,
      answers: { 200: ConfirmationPage },
      async handle({ owner, query }) {
        const now = deps.clock.now();
        const { page, nextCursor } = await listAttestations(deps.db, confirmation, owner, query, now);
        return ok({ confirmations: page, nextCursor });
      },
    }),
    'GET /confirmations/{id}': route({
      operationId: 'readConfirmation',
      ...own,
      params: confirmationPath,
      answers: { 200: Confirmation },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) =>
        ok(await readAttestation(deps.db, confirmation, owner, params.id, deps.clock.now())),
    }),
    'POST /confirmations/{id}/cancel': route({
      operationId: 'cancelConfirmation',
      ...own,
      access: anyKeyToAsk,
      params: confirmationPath,
      answers: { 200: Confirmation },
      errors: ['NOT_FOUND', 'CONFIRMATION_NOT_PENDING'],
      handle: async ({ owner, params }) => ok(await cancelAttestation(deps, confirmation, owner, params.id)),
    }),
  };
}

/** The token is the permission: there is no key. */
function counterpartyRoutes(deps: AttestationDeps): RouteTable {
  const withToken = { access: everyone, tag: 'Confirmations', params: confirmationPath };
  return {
    'GET /confirmations/{id}/preview': route({
      operationId: 'previewConfirmation',
      ...withToken,
      query: TokenQuery,
      groupOf: ({ query }) => groupOfToken(query.token),
      queryError: () => 'CONFIRMATION_TOKEN_INVALID' as const,
      answers: { 200: ConfirmationPreview },
      errors: ['CONFIRMATION_TOKEN_INVALID', 'CONFLICT'],
      handle: async ({ params, query }) =>
        ok((await previewAttestation(deps, confirmation, params.id, query.token)).preview),
    }),
    'POST /confirmations/{id}/respond': route({
      operationId: 'respondToConfirmation',
      ...withToken,
      query: AnswerQuery,
      body: ConfirmationAnswerBody,
      groupOf: ({ body, query }) => groupOfToken(answerIn(body, query).token),
      itemsStandAlone: true,
      answers: { 200: ConfirmationAnswered },
      errors: ['CONFIRMATION_TOKEN_INVALID', 'CONFIRMATION_NOT_PENDING', 'CONFIRMATION_SELF', 'CONFLICT'],
      handle: async ({ params, query, body, ...sent }) =>
        ok(
          await respondToAttestation(
            deps,
            confirmation,
            params.id,
            answerIn(body, query),
            answererOf(sent, 'api'),
          ),
        ),
    }),
  };
}
