import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/publicToken.js';
import { answererOf } from '../attestations/answerEvidence.js';
import { AnswerQuery, answerIn } from '../attestations/attestation.js';
import { cancelAttestation } from '../attestations/endAttestations.js';
import type { AttestationDeps } from '../attestations/kind.js';
import { previewAttestation, respondToAttestation } from '../attestations/respond.js';
import { listAttestations, readAttestation } from '../attestations/store.js';
import { createReference } from './createReference.js';
import { reference } from './kind.js';
import {
  Reference,
  ReferenceAnswerBody,
  ReferenceAnswered,
  ReferenceBody,
  ReferenceCreated,
  ReferencePage,
  ReferencePreview,
  ReferenceQuery,
  referencePath,
  TokenQuery,
} from './schemas.js';

/** Requests to a counterparty to confirm a qualification, which never moves a score (RULES A1). */
export function referenceRoutes(deps: AttestationDeps): RouteTable {
  return { ...platformRoutes(deps), ...counterpartyRoutes(deps) };
}

function platformRoutes(deps: AttestationDeps): RouteTable {
  const own = { access: anyKey, tag: 'References' };
  return {
    'POST /references': route({
      operationId: 'createReference',
      ...own,
      access: anyKeyToAsk,
      summary: 'Ask a counterparty to confirm a qualification',
      description:
        'The subject needs an outcome or a registration. The service contacts nobody: send `referenceUrl` to the counterparty ' +
        'over your own channel. The token is shown once. A confirmed claim becomes a verified qualification; the score does not ' +
        'change. An unanswered request expires after 14 days, or after `expiresInHours`. Any valid key may ask. If the platform ' +
        'has set `confirmationsRequireWrite`, the key needs a scope with a write action.',
      idempotent: true,
      body: ReferenceBody,
      answers: { 201: ReferenceCreated },
      errors: ['REFERENCE_SELF', 'RESERVED_EXTERNAL_ID', 'USER_NOT_FOUND', 'CONFLICT'],
      handle: (context) => createReference(deps, context),
    }),
    'GET /references': route({
      operationId: 'listReferences',
      ...own,
      summary: 'List references',
      description:
        "Your platform's references in the mode of the key, newest first. Filter by `status` or `userId`. Tokens are " +
        'never shown again. Any valid key may read.',
      query: ReferenceQuery,
      answers: { 200: ReferencePage },
      async handle({ owner, query }) {
        const now = deps.clock.now();
        const { page, nextCursor } = await listAttestations(deps.db, reference, owner, query, now);
        return ok({ references: page, nextCursor });
      },
    }),
    'GET /references/{id}': route({
      operationId: 'readReference',
      ...own,
      summary: 'Read a reference',
      description:
        'Its status, the claim and, once confirmed, the qualification that was recorded. The token is never ' +
        'shown again. Any valid key may read.',
      params: referencePath,
      answers: { 200: Reference },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) =>
        ok(await readAttestation(deps.db, reference, owner, params.id, deps.clock.now())),
    }),
    'POST /references/{id}/cancel': route({
      operationId: 'cancelReference',
      ...own,
      access: anyKeyToAsk,
      summary: 'Cancel a reference',
      description:
        'Ends a reference that is still `PENDING`. Its token then opens the preview only. Answers 409 ' +
        '`REFERENCE_NOT_PENDING` if it was answered, was cancelled or has expired.',
      params: referencePath,
      answers: { 200: Reference },
      errors: ['NOT_FOUND', 'REFERENCE_NOT_PENDING'],
      handle: async ({ owner, params }) => ok(await cancelAttestation(deps, reference, owner, params.id)),
    }),
  };
}

/** The token is the permission: there is no key. */
function counterpartyRoutes(deps: AttestationDeps): RouteTable {
  const withToken = { access: everyone, tag: 'References', params: referencePath };
  return {
    'GET /references/{id}/preview': route({
      operationId: 'previewReference',
      ...withToken,
      summary: 'Read what there is to confirm',
      description:
        'For the counterparty, in every state of the reference. The token is the only permission needed. A wrong token and an ' +
        'unknown id get the same answer.',
      query: TokenQuery,
      groupOf: ({ query }) => groupOfToken(query.token),
      queryError: () => 'REFERENCE_TOKEN_INVALID' as const,
      answers: { 200: ReferencePreview },
      errors: ['REFERENCE_TOKEN_INVALID', 'CONFLICT'],
      handle: async ({ params, query }) =>
        ok((await previewAttestation(deps, reference, params.id, query.token)).preview),
    }),
    'POST /references/{id}/respond': route({
      operationId: 'respondToReference',
      ...withToken,
      summary: 'Confirm or decline as the counterparty',
      description:
        'For the counterparty, once. Of simultaneous answers exactly one counts. `confirm` records the qualification; `decline` ' +
        'records nothing and is no evidence. The token is checked first: a wrong one gets 401 in every state of the reference. ' +
        'Send it in the body or in the query: two different tokens are 400. If the platform is closed, the answer is 409 `CONFLICT`.',
      query: AnswerQuery,
      body: ReferenceAnswerBody,
      groupOf: ({ body, query }) => groupOfToken(answerIn(body, query).token),
      itemsStandAlone: true,
      answers: { 200: ReferenceAnswered },
      errors: ['REFERENCE_TOKEN_INVALID', 'REFERENCE_NOT_PENDING', 'REFERENCE_SELF', 'CONFLICT'],
      handle: async ({ params, query, body, ...sent }) =>
        ok(
          await respondToAttestation(
            deps,
            reference,
            params.id,
            answerIn(body, query),
            answererOf(sent, 'api'),
          ),
        ),
    }),
  };
}
