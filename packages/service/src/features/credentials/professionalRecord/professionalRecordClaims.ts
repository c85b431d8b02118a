import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Attested } from '../issuing/answerWithCredential.js';
import type { ClaimSource } from '../issuing/claimSources.js';
import { loadProfessionalRecord } from './professionalRecords.js';

const type = 'ServiceProfessionalRecordCredential';

/** For wallets. */
export const professionalRecordClaims: ClaimSource = {
  type,
  title: 'Professional record',
  attest: attestProfessionalRecord,
};

/** What a professional record credential says of a subject; throws USER_NOT_FOUND. */
export async function attestProfessionalRecord(
  db: Queryable,
  subjectId: string,
  now: Date,
): Promise<Attested> {
  const record = await loadProfessionalRecord(db, subjectId);
  if (!record) return fail('USER_NOT_FOUND');
  const { formulaVersion, computedAt } = record;
  return { type, record, asOf: computedAt ?? now, ...(formulaVersion !== null && { formulaVersion }) };
}
