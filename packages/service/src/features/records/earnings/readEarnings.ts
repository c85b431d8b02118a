import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Attested, ClaimSource } from '../../../ledger/issuing/issuer.js';
import { readsOfMembers } from '../../../ledger/links/recordReads.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import {
  type EarningsPlatform,
  type EarningsSum,
  earningsAttestation,
  earningsSummary,
  withoutIdentities,
} from './earnings.js';
import { type EarningsWindow, earningsWindowOf } from './earningsWindow.js';
import type { Earnings, EarningsQuery, EarningsSummary } from './schemas.js';
import { type EarningsRow, findMembers, type MemberRow, sumEarnings } from './store.js';

type EarningsDeps = Pick<ServiceDeps, 'db' | 'clock'>;
type Context = UserContext<z.output<typeof EarningsQuery>>;

/** GET /users/{id}/earnings */
export async function readEarnings({ db, clock }: EarningsDeps, context: Context): Promise<Earnings> {
  const window = earningsWindowOf(context.query, clock.now());
  const { platforms, sums } = await loadEarnings(db, subjectOf(context), window);
  return { userId: context.params.id, ...earningsAttestation(window, platforms, sums) };
}

/** GET /users/{id}/earnings/summary */
export async function readSummary({ db, clock }: EarningsDeps, context: Context): Promise<EarningsSummary> {
  const window = earningsWindowOf(context.query, clock.now());
  const { sums } = await loadEarnings(db, subjectOf(context), window);
  return { userId: context.params.id, ...earningsSummary(window, sums) };
}

const type = 'ServiceEarningsCredential';

/** For wallets: the earnings of the default window. */
export const earningsClaims: ClaimSource = {
  type,
  title: 'Earnings record',
  attest: (db, subjectId, now) => attestEarnings(db, subjectId, earningsWindowOf({}, now), now),
};

/** The content of an earnings credential. Throws USER_NOT_FOUND. */
export async function attestEarnings(
  db: Queryable,
  subjectId: string,
  window: EarningsWindow,
  now: Date,
): Promise<Attested<typeof type>> {
  const { platforms, sums } = await loadEarnings(db, subjectId, window);
  return { type, record: withoutIdentities(earningsAttestation(window, platforms, sums)), asOf: now };
}

interface LoadedEarnings {
  readonly platforms: readonly EarningsPlatform[];
  readonly sums: readonly EarningsSum[];
}

/**
 * The reports of all platforms on the record of a subject. Throws USER_NOT_FOUND. A platform has
 * one subject in a record (RULES L2).
 */
async function loadEarnings(
  db: Queryable,
  subjectId: string,
  window: EarningsWindow,
): Promise<LoadedEarnings> {
  const members = await findMembers(db, subjectId);
  if (members.length === 0) return fail('USER_NOT_FOUND');
  const subjectIds = members.map((member) => member.subjectId);
  const afterEnd = new Date(window.to.getTime() + 1);
  const rows = await sumEarnings(await readsOfMembers(db, subjectIds), subjectIds, [
    ...window.cuts,
    afterEnd,
  ]);
  return {
    platforms: members.map(platformOf),
    sums: rows.flatMap((row) => sumOf(row, subjectIds, window) ?? []),
  };
}

function platformOf({ isSelf, name, trustTier }: MemberRow): EarningsPlatform {
  return { isSelf, name, trustTier };
}

/** Null for a row outside of the requested months, or without effect on earnings. */
function sumOf(
  { subjectId, period, kind, valued, unvalued, total }: EarningsRow,
  subjectIds: readonly string[],
  { cuts, from }: EarningsWindow,
): EarningsSum | null {
  const start = cuts[period - 1];
  if (!start || !kind) return null;
  const month = start.toISOString().slice(0, 'yyyy-mm'.length);
  return {
    ...{ kind, valued, unvalued, total, month },
    platform: subjectIds.indexOf(subjectId),
    isInWindow: start >= from,
  };
}
