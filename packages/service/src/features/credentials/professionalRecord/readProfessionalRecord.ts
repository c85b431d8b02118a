import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ProfessionalRecordDeps } from './deps.js';
import { loadProfessionalRecord } from './professionalRecords.js';

/** GET /users/{id}/professional-record */
export async function readProfessionalRecord(
  { db }: ProfessionalRecordDeps,
  context: UserContext,
): Promise<Answer> {
  const record = await loadProfessionalRecord(db, subjectOf(context));
  return record ? ok({ userId: context.params.id, ...record }) : fail('USER_NOT_FOUND');
}
