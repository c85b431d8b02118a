import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { dateRange } from '../../../domain/dateOrTimestamp.js';
import { instant } from '../../../kit/http/query.js';
import { CredentialQuery, issuedFields } from '../../../ledger/issuing/answerWithCredential.js';
import { DEFAULT_MONTHS, MAX_MONTHS } from './earningsWindow.js';

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
export const EarningsQuery = z.object(windowFields);

export const EarningsCredentialQuery = CredentialQuery.extend(windowFields);

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

export type Earnings = z.output<typeof Earnings>;
export const Earnings = z
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

export type EarningsSummary = z.output<typeof EarningsSummary>;
export const EarningsSummary = z
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

export const EarningsCredential = z
  .object({ ...issuedFields, type: z.literal('ServiceEarningsCredential') })
  .meta({ id: 'EarningsCredential' });
