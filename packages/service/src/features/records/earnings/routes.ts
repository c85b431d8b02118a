import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { dateRange } from '#domain/dateOrTimestamp.js';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { ok } from '#kit/http/answer.js';
import { instant } from '#kit/http/query.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import {
  answerWithCredential,
  type CredentialDeps,
  CredentialQuery,
  issuedFields,
} from '#ledger/issuing/answerWithCredential.js';
import type { Attested, ClaimSource } from '#ledger/issuing/issuer.js';
import { readsOfMembers } from '#ledger/links/recordReads.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type EarningsSum, earningsAttestation, earningsSummary, withoutIdentities } from './earnings.js';
import { DEFAULT_MONTHS, type EarningsWindow, earningsWindowOf, MAX_MONTHS } from './earningsWindow.js';
import { type EarningsRow, findMembers, sumEarnings } from './store.js';

const windowFields = {
  months: z
    .string()
    .max(255)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_MONTHS,
      description: `Number of calendar months (UTC) up to that of \`to\`, 1 to ${MAX_MONTHS}. Default: ${DEFAULT_MONTHS}. Ignored if \`from\` is set.`,
    }),
  ...dateRange,
};

/**
 * `earningsWindowOf` checks the window as a whole: with `from`, `months` is ignored even if it is
 * not a number.
 */
const EarningsQuery = z.object(windowFields);

const EarningsCredentialQuery = CredentialQuery.extend(windowFields);

const gross = z.number().min(0);
const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

const amount = z.object({
  gross,
  eventCount: count,
});

const attestedGross = gross;
const eventCount = count;
const platform = z.int().min(1);
const self = z.boolean();

const userId = z.string();
const window = z.object({
  from: instant,
  to: instant,
  months: count,
});
const currency = z.null();
const medianMonthly = z.number().nullable();
const variation = z.number().min(0).nullable();
const trailing = gross;
const earningsVersion = z.string();
const disclosures = z.array(z.string());

type Earnings = z.output<typeof Earnings>;
const Earnings = z
  .object({
    userId,
    window,
    currency,
    attested: amount,
    months: z.array(
      z.object({
        month: z.string(),
        attestedGross,
        eventCount,
        platforms: z.array(z.object({ platform, self, attestedGross, eventCount })),
      }),
    ),
    platforms: z.array(
      z.object({
        platform,
        self,
        name: z.string().nullable(),
        trustTier: z.enum(platformTiers),
        attestedGross,
        eventCount,
      }),
    ),
    stability: z.object({
      monthsWithEarnings: count,
      medianMonthly,
      meanMonthly: z.number().nullable(),
      coefficientOfVariation: variation,
      longestConsecutiveMonths: count,
      trailing12mTotal: trailing,
    }),
    unverifiedReported: amount,
    excluded: amount,
    coverage: z.object({
      selfReportedShare: share,
      verifiedWithoutValue: count,
    }),
    earningsVersion,
    disclosures,
  })
  .meta({ id: 'Earnings' });

type EarningsSummary = z.output<typeof EarningsSummary>;
const EarningsSummary = z
  .object({
    userId,
    window,
    currency,
    trailing12mVerifiedTotal: trailing,
    medianMonthly,
    verifiedShare: share,
    volatility: variation,
    earningsVersion,
    disclosures,
  })
  .meta({ id: 'EarningsSummary' });

const EarningsCredential = z
  .object({ ...issuedFields, type: z.literal('ServiceEarningsCredential') })
  .meta({ id: 'EarningsCredential' });

export type EarningsRouteDeps = CredentialDeps & Pick<ServiceDeps, 'db'>;

/** Earnings follow from the ledger (RULES R7). They never influence a score. */
export function earningsRoutes(deps: EarningsRouteDeps): RouteTable {
  const ofSubject = { access: keyFor('scores'), tag: 'Earnings', params: userPath };
  return {
    'GET /users/{id}/earnings': route({
      operationId: 'readEarnings',
      ...ofSubject,
      query: EarningsQuery,
      answers: { 200: Earnings },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readEarnings(deps, context)),
    }),
    'GET /users/{id}/earnings/summary': route({
      operationId: 'readEarningsSummary',
      ...ofSubject,
      query: EarningsQuery,
      answers: { 200: EarningsSummary },
      errors: ['USER_NOT_FOUND'],
      handle: async (context) => ok(await readSummary(deps, context)),
    }),
    'POST /users/{id}/earnings/credential': route({
      operationId: 'issueEarningsCredential',
      ...ofSubject,
      idempotent: true,
      query: EarningsCredentialQuery,
      answers: { 201: EarningsCredential },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle(context) {
        const window = earningsWindowOf(context.query, deps.clock.now());
        return answerWithCredential(deps, context, {
          attest: (tx, subjectId, now) => attestEarnings(tx, subjectId, window, now),
        });
      },
    }),
  };
}

type EarningsDeps = Pick<ServiceDeps, 'db' | 'clock'>;
type Context = UserContext<z.output<typeof EarningsQuery>>;

/** GET /users/{id}/earnings */
async function readEarnings({ db, clock }: EarningsDeps, context: Context): Promise<Earnings> {
  const window = earningsWindowOf(context.query, clock.now());
  const { platforms, sums } = await loadEarnings(db, subjectOf(context), window);
  return { userId: context.params.id, ...earningsAttestation(window, platforms, sums) };
}

/** GET /users/{id}/earnings/summary */
async function readSummary({ db, clock }: EarningsDeps, context: Context): Promise<EarningsSummary> {
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
async function attestEarnings(
  db: Queryable,
  subjectId: string,
  window: EarningsWindow,
  now: Date,
): Promise<Attested<typeof type>> {
  const { platforms, sums } = await loadEarnings(db, subjectId, window);
  return { type, record: withoutIdentities(earningsAttestation(window, platforms, sums)), asOf: now };
}

/**
 * The reports of all platforms on the record of a subject. Throws USER_NOT_FOUND. A platform has
 * one subject in a record (RULES L2).
 */
async function loadEarnings(db: Queryable, subjectId: string, window: EarningsWindow) {
  const members = await findMembers(db, subjectId);
  if (members.length === 0) return fail('USER_NOT_FOUND');
  const subjectIds = members.map((member) => member.subjectId);
  const afterEnd = new Date(window.to.getTime() + 1);
  const reads = await readsOfMembers(db, subjectIds);
  const rows = await sumEarnings(reads, subjectIds, [...window.cuts, afterEnd]);
  return {
    platforms: members,
    sums: rows.flatMap((row) => sumOf(row, subjectIds, window) ?? []),
  };
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
