import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { isAttester } from '../../../domain/evidence.js';
import { isReservedExternalId } from '../../../domain/externalId.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { loadInsiders } from '../../../ledger/append/insiders.js';
import { lockProfiled } from '../../../ledger/profile/qualifications.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { askerOf } from '../attestations/answerEvidence.js';
import { expiryOf } from '../attestations/attesterFields.js';
import { attestationUrls, keepTokens, mintAttestationToken } from '../attestations/tokens.js';
import type { ReferenceDeps } from './deps.js';
import type { ReferenceBody } from './schemas.js';
import { insertReference, type Reference } from './store.js';
import { toReferenceResponse } from './toResponse.js';

type Body = z.output<typeof ReferenceBody>;

/**
 * POST /references: asks a party other than the subject to confirm a qualification. The token is
 * shown this once and handed on by the platform itself. References create no subject:
 * USER_NOT_FOUND where nothing was reported about it.
 */
export async function createReference(
  { config, clock, ids, withIdempotency }: ReferenceDeps,
  context: RequestContext<KeyAccess, Body, undefined, undefined>,
): Promise<Answer> {
  const { caller, body, claim } = context;
  const { platformId, livemode } = caller;
  if (livemode && isReservedExternalId(body.userId)) fail('RESERVED_EXTERNAL_ID');
  const now = clock.now();
  const owner = { platformId, livemode, subjectId: subjectIdOf(platformId, livemode, body.userId) };
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const insidersOf = await loadInsiders(tx, caller, [body.userId]);
    if (!isAttester(body.counterpartyRef, insidersOf(body.userId))) fail('REFERENCE_SELF');
    await lockProfiled(tx, owner);
    const expiresAt = expiryOf(body.expiresInHours, config.confirmationExpiryHours, now);
    const reference = newReference(ids.at(now), body, now, expiresAt);
    const { token, hash } = mintAttestationToken('reference');
    await insertReference(tx, { ...owner, ...askerOf(context) }, reference, hash);
    await keepTokens(tx, 'reference', [{ hash, platformId, requestId: reference.id }]);
    const { pageUrl, ...urls } = attestationUrls('reference', config.baseUrl, reference.id, token);
    return created({
      reference: toReferenceResponse(reference, now),
      referenceToken: token,
      referenceUrl: pageUrl,
      ...urls,
    });
  });
}

function newReference(id: string, body: Body, createdAt: Date, expiresAt: Date): Reference {
  const {
    kind,
    title,
    organization = null,
    startDate = null,
    endDate = null,
    description = null,
  } = body.claim;
  return {
    id,
    status: 'PENDING',
    userId: body.userId,
    kind,
    title,
    organization,
    startDate,
    endDate,
    description,
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
