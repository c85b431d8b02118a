import { fail } from '../../../domain/errors.js';
import { isReservedExternalId } from '../../../domain/externalId.js';
import { created, ok, type TypedAnswer } from '../../../kit/http/answer.js';
import {
  anyKey,
  anyKeyToAsk,
  everyone,
  type KeyAccess,
  type RequestContext,
  type RouteTable,
  route,
} from '../../../kit/http/route.js';
import { groupOfToken } from '../../../kit/ids.js';
import { lockProfiled } from '../../../ledger/profile/qualifications.js';
import { answererOf } from '../attestations/answerEvidence.js';
import { AnswerQuery, answerIn, expiryOf } from '../attestations/attestation.js';
import { draftOf, loadSelfRefusal, writeDrafts } from '../attestations/drafts.js';
import { cancelAttestation } from '../attestations/endAttestations.js';
import type { AttestationDeps } from '../attestations/kind.js';
import { previewAttestation, respondToAttestation } from '../attestations/respond.js';
import { listAttestations, readAttestation } from '../attestations/store.js';
import { attestationUrls } from '../attestations/tokens.js';
import {
  Reference,
  ReferenceAnswerBody,
  ReferenceAnswered,
  ReferenceBody,
  ReferenceCreated,
  ReferencePage,
  ReferencePreview,
  ReferenceQuery,
  reference,
  referencePath,
  type StoredReference,
  TokenQuery,
} from './kind.js';

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

/**
 * POST /references: asks a party other than the subject to confirm a qualification. The response
 * shows the token once. References create no subject: USER_NOT_FOUND for an unknown one.
 */
async function createReference(
  deps: AttestationDeps,
  context: RequestContext<KeyAccess, ReferenceBody, undefined, undefined>,
): Promise<TypedAnswer<201, ReferenceCreated>> {
  const { caller, body, claim } = context;
  const { baseUrl, confirmationExpiryHours } = deps.config;
  if (caller.livemode && isReservedExternalId(body.userId)) fail('RESERVED_EXTERNAL_ID');
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const refusal = (await loadSelfRefusal(tx, reference, caller, [body]))(body);
    if (refusal) throw refusal;
    const expiresAt = expiryOf(body.expiresInHours, confirmationExpiryHours, now);
    const draft = draftOf(reference, context, newReference(deps.ids.at(now), body, now, expiresAt), {});
    await lockProfiled(tx, draft);
    await writeDrafts(tx, deps, reference, context, [draft]);
    const { attestation, token } = draft;
    const { pageUrl, ...urls } = attestationUrls(reference, baseUrl, attestation.id, token);
    const response = reference.toResponse(attestation, now);
    return created({ reference: response, referenceToken: token, referenceUrl: pageUrl, ...urls });
  });
}

function newReference(id: string, body: ReferenceBody, createdAt: Date, expiresAt: Date): StoredReference {
  const { kind, title, organization, startDate, endDate, description } = body.claim;
  return {
    id,
    status: 'PENDING',
    userId: body.userId,
    kind,
    title,
    organization: organization ?? null,
    startDate: startDate ?? null,
    endDate: endDate ?? null,
    description: description ?? null,
    counterpartyRef: body.counterpartyRef,
    counterpartyName: body.counterpartyName ?? null,
    returnUrl: body.returnUrl ?? null,
    qualificationId: null,
    createdAt,
    expiresAt,
    respondedAt: null,
    answer: null,
  };
}
