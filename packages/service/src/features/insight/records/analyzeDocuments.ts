import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { loadInsiders } from '../../../ledger/append/insiders.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { RecordDeps } from './deps.js';
import { witnessGuide } from './documentAttesters.js';
import type { DocumentsBody } from './documentSchemas.js';
import { analyzeClaims } from './documents.js';
import { loadRecord } from './loadRecord.js';

/** POST /users/{id}/documents/analyze: what documents would be worth, and who could confirm them. Writes nothing. */
export async function analyzeDocuments(
  { db, clock }: RecordDeps,
  context: UserContext<undefined, z.output<typeof DocumentsBody>>,
): Promise<Answer> {
  const { caller, body, params } = context;
  const [record, insidersOf] = await Promise.all([
    loadRecord(db, subjectOf(context)),
    loadInsiders(db, caller, [params.id]),
  ]);
  const claims = body.claims.map((claim) => ({
    title: claim.title,
    eventType: claim.eventType,
    stakeLevel: claim.stakeLevel ?? 'MEDIUM',
    issuedBy: claim.issuedBy ?? null,
    counterpartyRef: claim.counterpartyRef ?? null,
    completedAt: claim.completedAt ?? null,
    dueDate: claim.dueDate ?? null,
    isVerified: claim.isVerified ?? false,
  }));
  const subject = { insiders: insidersOf(params.id), platformTier: caller.trustTier, record };
  return ok({ ...analyzeClaims(claims, subject, clock.now()), witnessGuide });
}
