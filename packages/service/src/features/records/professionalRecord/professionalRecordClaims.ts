import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Attested, ClaimSource } from '../../../ledger/issuing/claimSources.js';
import { ISSUER_NAME } from '../../../ledger/issuing/issuer.js';
import type { ShareToken } from '../../../ledger/issuing/shareTokens.js';
import { SharedProfessionalRecord } from './schemas.js';
import { loadProfessionalRecord } from './store.js';

const type = 'ServiceProfessionalRecordCredential';

/** For wallets. */
export const professionalRecordClaims: ClaimSource = {
  type,
  title: 'Professional record',
  attest: attestProfessionalRecord,
};

/** The content of a professional record credential. Throws USER_NOT_FOUND. */
export async function attestProfessionalRecord(
  db: Queryable,
  subjectId: string,
  now: Date,
): Promise<Attested<typeof type>> {
  const record = await loadProfessionalRecord(db, subjectId);
  if (!record) return fail('USER_NOT_FOUND');
  const { formulaVersion, computedAt } = record;
  return { type, record, asOf: computedAt ?? now, ...(formulaVersion !== null && { formulaVersion }) };
}

/**
 * The profile that a share token shows if its subject agrees (RULES C3): the professional record.
 */
export function professionalProfile(db: Queryable) {
  return {
    schema: SharedProfessionalRecord,
    read: (subjectId: string) => loadProfessionalRecord(db, subjectId),
  };
}

const ADD_TO_PROFILE = 'https://www.linkedin.com/profile/add';

/**
 * The fields of LinkedIn's form for a certification (RULES C11). It has no expiry date, because the
 * link leads to the page of the share token. That page shows the current record, and nothing after
 * a withdrawal.
 */
export function linkedInEntry({ token, verifyUrl }: Pick<ShareToken, 'token' | 'verifyUrl'>, now: Date) {
  const entry = {
    name: 'Verified professional record',
    organizationName: ISSUER_NAME,
    issueYear: now.getUTCFullYear(),
    issueMonth: now.getUTCMonth() + 1,
    certUrl: verifyUrl,
    certId: token,
  };
  const fields = Object.entries({ startTask: 'CERTIFICATION_NAME', ...entry });
  // URLSearchParams writes a space as a plus, which LinkedIn would show.
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return { addToProfileUrl: `${ADD_TO_PROFILE}?${query}`, ...entry };
}
