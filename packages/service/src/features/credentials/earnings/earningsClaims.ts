import type { Queryable } from '../../../kit/db/database.js';
import type { Attested } from '../issuing/answerWithCredential.js';
import type { ClaimSource } from '../issuing/claimSources.js';
import { earningsAttestation, withoutFaces } from './earnings.js';
import { type EarningsWindow, earningsWindowOf } from './earningsWindow.js';
import { loadEarnings } from './loadEarnings.js';

const type = 'ServiceEarningsCredential';

/** For wallets: the earnings of the usual window. */
export const earningsClaims: ClaimSource = {
  type,
  title: 'Earnings record',
  attest: (db, subjectId, now) => attestEarnings(db, subjectId, earningsWindowOf({}, now), now),
};

/** What an earnings credential says of a subject; throws USER_NOT_FOUND. */
export async function attestEarnings(
  db: Queryable,
  subjectId: string,
  window: EarningsWindow,
  now: Date,
): Promise<Attested> {
  const { platforms, sums } = await loadEarnings(db, subjectId, window);
  return { type, record: withoutFaces(earningsAttestation(window, platforms, sums)), asOf: now };
}
