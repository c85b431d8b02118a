import type { z } from 'zod';
import { isAttester } from '../../../domain/evidence.js';
import type { Warning } from '../../../domain/readOutcomeEvent.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import { loadInsiders } from '../../../ledger/append/insiders.js';
import {
  insertQualification,
  lockProfiled,
  type Qualification,
} from '../../../ledger/profile/qualifications.js';
import type { UserContext } from '../../../ledger/requests/userContext.js';
import { ownerOf, type ProfileDeps } from './deps.js';
import type { QualificationBody } from './schemas.js';
import { toQualificationResponse } from './toResponse.js';

type Body = z.output<typeof QualificationBody>;

/**
 * POST /users/{id}/qualifications: into a table of its own. It counts as verified only where `verifiedBy` names another
 * party, and never of a subject that the platform runs itself; else it is recorded as self-reported, and the answer says so.
 */
export async function recordQualification(
  { clock, ids, withIdempotency }: ProfileDeps,
  context: UserContext<undefined, Body>,
): Promise<Answer> {
  const { body, caller, claim, params } = context;
  const now = clock.now();
  const owner = ownerOf(context);
  return withIdempotency(claim, { now }, async (tx) => {
    await lockProfiled(tx, owner);
    const insiders = (await loadInsiders(tx, caller, [params.id]))(params.id);
    const isAttested = !insiders.declared.isOwn && isAttester(body.verifiedBy ?? null, insiders);
    const isVerified = body.isVerified === true && isAttested;
    const warnings = body.isVerified === true && !isVerified ? [DOWNGRADED] : [];
    const qualification = { ...said(body), id: ids.at(now), isVerified, createdAt: now };
    await insertQualification(tx, owner, qualification);
    return created({ ...toQualificationResponse(params.id, qualification), warnings });
  });
}

const DOWNGRADED: Warning = {
  code: 'VERIFICATION_DOWNGRADED',
  message:
    'Recorded as self-reported: `verifiedBy` names nobody, or the subject, who runs it, or your own platform.',
};

function said(body: Body): Omit<Qualification, 'id' | 'isVerified' | 'createdAt'> {
  return {
    eventType: body.eventType,
    title: body.title,
    issuer: body.issuer ?? null,
    description: null,
    startDate: null,
    endDate: null,
    issuedAt: body.issuedAt ?? null,
    expiresAt: body.expiresAt ?? null,
    url: body.url ?? null,
    verifiedBy: body.verifiedBy ?? null,
    referenceId: null,
  };
}
