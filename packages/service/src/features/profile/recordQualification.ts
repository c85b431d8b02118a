import type { z } from 'zod';
import type { Warning } from '../../domain/readOutcomeEvent.js';
import { isAnotherParty } from '../../domain/sameParty.js';
import { type Answer, created } from '../../kit/http/answer.js';
import { holdProfiled, insertQualification, type Qualification } from '../../ledger/qualifications.js';
import type { UserContext } from '../../ledger/userContext.js';
import { ownerOf, type ProfileParts } from './parts.js';
import type { QualificationBody } from './schemas.js';
import { shownQualification } from './shown.js';

type Body = z.output<typeof QualificationBody>;

/**
 * POST /users/{id}/qualifications: into a table of its own. It counts as verified only where `verifiedBy` names somebody other
 * than the subject (INTERFACE 1.7); else it is recorded as self-reported, and the answer says so.
 */
export async function recordQualification(
  { clock, ids, once }: ProfileParts,
  context: UserContext<undefined, Body>,
): Promise<Answer> {
  const { body, claim, params } = context;
  const now = clock.now();
  const owner = ownerOf(context);
  const isVerified = body.isVerified === true && isAnotherParty(body.verifiedBy ?? null, params.id);
  const warnings = body.isVerified === true && !isVerified ? [DOWNGRADED] : [];
  return once.run(claim, { now }, async (tx) => {
    await holdProfiled(tx, owner);
    const qualification = { ...said(body), id: ids.at(now), isVerified, createdAt: now };
    await insertQualification(tx, owner, qualification);
    return created({ ...shownQualification(params.id, qualification), warnings });
  });
}

const DOWNGRADED: Warning = {
  code: 'VERIFICATION_DOWNGRADED',
  message: 'Recorded as self-reported: `verifiedBy` names nobody other than the person it is about.',
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
