import { fail } from '#domain/errors.js';
import { isReservedExternalId } from '#domain/externalId.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import { anyKeyToAsk, type KeyAccess, type RequestContext, type RouteTable, route } from '#kit/http/route.js';
import { lockProfiled } from '#ledger/profile/qualifications.js';
import { expiryOf, listFilters } from '../attestations/attestation.js';
import { draftOf, loadSelfRefusal, writeDrafts } from '../attestations/drafts.js';
import type { AttestationDeps } from '../attestations/kind.js';
import { attestationRoutes } from '../attestations/routes.js';
import { attestationUrls } from '../attestations/tokens.js';
import { Claim, Reference, ReferenceBody, ReferenceCreated, reference } from './kind.js';

/** Requests to a counterparty to confirm a qualification, which never moves a score (RULES A1). */
export function referenceRoutes(deps: AttestationDeps): RouteTable {
  return {
    'POST /references': route({
      operationId: 'createReference',
      access: anyKeyToAsk,
      tag: 'References',
      idempotent: true,
      body: ReferenceBody,
      answers: { 201: ReferenceCreated },
      errors: ['REFERENCE_SELF', 'RESERVED_EXTERNAL_ID', 'USER_NOT_FOUND', 'CONFLICT'],
      handle: (context) => createReference(deps, context),
    }),
    ...attestationRoutes(deps, reference, {
      noun: 'Reference',
      response: Reference,
      filters: listFilters,
      question: { claim: Claim },
      answeredId: 'ReferenceAnswered',
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

function newReference(id: string, body: ReferenceBody, createdAt: Date, expiresAt: Date): Reference {
  const { kind, title, organization, startDate, endDate, description } = body.claim;
  return {
    id,
    status: 'PENDING',
    userId: body.userId,
    claim: {
      kind,
      title,
      organization: organization ?? null,
      startDate: startDate ?? null,
      endDate: endDate ?? null,
      description: description ?? null,
    },
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
