import { ok } from '../../../kit/http/answer.js';
import { anyKey, anyKeyToAsk, everyone, type RouteTable, route } from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/ids.js';
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
      idempotent: true,
      body: ReferenceBody,
      answers: { 201: ReferenceCreated },
      errors: ['REFERENCE_SELF', 'RESERVED_EXTERNAL_ID', 'USER_NOT_FOUND', 'CONFLICT'],
      handle: (context) => createReference(deps, context),
    }),
    'GET /references': route({
      operationId: 'listReferences',
      ...own,
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
