import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/publicToken.js';
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
      summary: 'Ask a counterparty to confirm an outcome',
      description:
        'The service contacts nobody: send the token or `confirmUrl` to the counterparty over your own channel. Only a ' +
        'confirmation writes an event, and the event is verified. An unanswered request expires after 14 days, or after ' +
        '`expiresInHours`. Any valid key may ask. If the platform has set `confirmationsRequireWrite`, the key needs a ' +
        'scope with a write action.',
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
      summary: 'Ask for up to 100 confirmations',
      description:
        'Each item succeeds or fails alone. The status is 200 even if some failed: check `failedCount`. Tokens are shown once. ' +
        'The service contacts nobody.',
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
      summary: 'List requests for confirmation',
      description:
        "Your platform's requests in the mode of the key, newest first. Each has its status and, once confirmed, the id of " +
        'its event. Tokens are never shown again. Any valid key may read.',
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
      summary: 'Read a request for confirmation',
      description:
        'Its status and what was asked. `eventId` names the event once the counterparty has confirmed. The token ' +
        'is never shown again: if it is lost, cancel the request and make another.',
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
      summary: 'Cancel a request for confirmation',
      description:
        'Ends a request that is still `PENDING`. Its token then opens the preview only. Nothing is written to ' +
        'the ledger. Answers 409 `CONFIRMATION_NOT_PENDING` if the request was answered, was cancelled or has expired.',
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
      summary: 'Read what there is to confirm',
      description:
        'For the counterparty, in every state of the request. The token is the only permission needed. A wrong token and an ' +
        'unknown id get the same answer.',
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
      summary: 'Confirm or decline',
      description:
        'For the counterparty, once. `confirm` writes the event, and the score of the subject follows within seconds. The ' +
        'token is checked first: without it the answer says nothing about the request, not even whether it exists. ' +
        'Send it in the body or in the query: two different tokens are 400. If the platform is closed, the answer is 409 `CONFLICT`.',
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
