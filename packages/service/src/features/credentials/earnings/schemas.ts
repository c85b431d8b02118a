import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { rangeParams } from '../../../domain/dateOrTimestamp.js';
import { instant } from '../../../kit/http/query.js';
import { CredentialQuery, issuedFields } from '../issuing/credentialSchemas.js';
import { earningsDisclosures } from './earnings.js';
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
      example: '24',
    }),
  ...rangeParams(
    {
      description: `A date, or an RFC 3339 timestamp, at most ${MAX_MONTHS} months before \`to\`.`,
      example: '2025-04-01',
    },
    {
      description:
        'A date, which includes that whole day, or an RFC 3339 timestamp. Default and latest: now.',
      example: '2026-03-31',
    },
  ),
};

/**
 * `earningsWindowOf` checks the window as a whole: with `from`, `months` is ignored even if it is
 * not a number.
 */
export const EarningsQuery = z.object(windowFields);

export const EarningsCredentialQuery = CredentialQuery.extend(windowFields);

const gross = (description: string) => z.number().min(0).meta({ description });
const count = (description: string) => z.int().min(0).meta({ description });
const share = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description} By value, four decimals. Null if no value was reported.` });

const amount = (description: string) =>
  z
    .object({
      gross: gross('Sum of the values.'),
      eventCount: count('Outcomes with a value.'),
    })
    .meta({ description });

const attestedGross = gross('Sum of the values of verified, positive outcomes.');
const eventCount = count('How many outcomes are in the sum.');
const platform = z.int().min(1).meta({ description: 'Number of the platform within this answer.' });
const self = z.boolean().meta({ description: 'True for the calling platform.' });

const userId = z.string().meta({ description: 'Your id of the subject, as in the path.' });
const window = z
  .object({
    from: instant,
    to: instant,
    months: count('Number of calendar months that the window touches.'),
  })
  .meta({ description: 'The period in which outcomes happened, both ends included.' });
const currency = z
  .null()
  .meta({ description: 'Always null: values are in the units of the reporting platform.' });
const medianMonthly = z
  .number()
  .nullable()
  .meta({ description: 'Over the months with earnings. Null if there are none.' });
const variation = z.number().min(0).nullable().meta({
  description:
    'Coefficient of variation of the months with earnings: standard deviation divided by mean, four decimals. Null for fewer than two months.',
});
const trailing = gross(
  'Attested in the twelve calendar months that end with `to`, regardless of the window.',
);
const earningsVersion = z.string();
const disclosures = z.array(z.string());

const WINDOW_EXAMPLE = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-03-01T15:45:10.000Z',
  months: 3,
};

export type Earnings = z.output<typeof Earnings>;
export const Earnings = z
  .object({
    userId,
    window,
    currency,
    attested: amount('Verified, positive outcomes of the window.'),
    months: z
      .array(
        z.object({
          month: z.string(),
          attestedGross,
          eventCount,
          platforms: z.array(z.object({ platform, self, attestedGross, eventCount })),
        }),
      )
      .meta({ description: 'Every calendar month of the window in UTC, oldest first.' }),
    platforms: z
      .array(
        z.object({
          platform,
          self,
          name: z.string().nullable().meta({ description: 'Your own name. Null for other platforms.' }),
          trustTier: z.enum(platformTiers),
          attestedGross,
          eventCount,
        }),
      )
      .meta({ description: 'Platforms with attested earnings, the caller first.' }),
    stability: z.object({
      monthsWithEarnings: count('Months with attested earnings.'),
      medianMonthly,
      meanMonthly: z
        .number()
        .nullable()
        .meta({ description: 'Over the months with earnings. Null if there are none.' }),
      coefficientOfVariation: variation,
      longestConsecutiveMonths: count('Longest run of months with earnings.'),
      trailing12mTotal: trailing,
    }),
    unverifiedReported: amount('Positive outcomes that only their reporter claims. Never attested.'),
    excluded: amount('Disputed outcomes. They are in none of the other figures.'),
    coverage: z.object({
      selfReportedShare: share('Unverified share of all positive outcomes.'),
      verifiedWithoutValue: count('Verified, positive outcomes without a value.'),
    }),
    earningsVersion,
    disclosures,
  })
  .meta({
    id: 'Earnings',
    description: 'Values that platforms reported with verified outcomes, per month, for the whole record.',
    example: {
      userId: 'worker-4711',
      window: WINDOW_EXAMPLE,
      currency: null,
      attested: { gross: 2460.5, eventCount: 5 },
      months: [
        {
          month: '2026-01',
          attestedGross: 1480,
          eventCount: 3,
          platforms: [
            { platform: 1, self: true, attestedGross: 980, eventCount: 2 },
            { platform: 2, self: false, attestedGross: 500, eventCount: 1 },
          ],
        },
        { month: '2026-02', attestedGross: 0, eventCount: 0, platforms: [] },
        {
          month: '2026-03',
          attestedGross: 980.5,
          eventCount: 2,
          platforms: [{ platform: 1, self: true, attestedGross: 980.5, eventCount: 2 }],
        },
      ],
      platforms: [
        {
          platform: 1,
          self: true,
          name: 'Riverside Staffing',
          trustTier: 'GROWTH',
          attestedGross: 1960.5,
          eventCount: 4,
        },
        { platform: 2, self: false, name: null, trustTier: 'STARTER', attestedGross: 500, eventCount: 1 },
      ],
      stability: {
        monthsWithEarnings: 2,
        medianMonthly: 1230.25,
        meanMonthly: 1230.25,
        coefficientOfVariation: 0.203,
        longestConsecutiveMonths: 1,
        trailing12mTotal: 11240.75,
      },
      unverifiedReported: { gross: 320, eventCount: 1 },
      excluded: { gross: 150, eventCount: 1 },
      coverage: { selfReportedShare: 0.1151, verifiedWithoutValue: 2 },
      earningsVersion: '1.0',
      disclosures: [...earningsDisclosures],
    },
  });

export type EarningsSummary = z.output<typeof EarningsSummary>;
export const EarningsSummary = z
  .object({
    userId,
    window,
    currency,
    trailing12mVerifiedTotal: trailing,
    medianMonthly,
    verifiedShare: share('Verified share of all positive outcomes.'),
    volatility: variation,
    earningsVersion,
    disclosures,
  })
  .meta({
    id: 'EarningsSummary',
    description: 'The earnings of the whole record in four figures.',
    example: {
      userId: 'worker-4711',
      window: WINDOW_EXAMPLE,
      currency: null,
      trailing12mVerifiedTotal: 11240.75,
      medianMonthly: 1230.25,
      verifiedShare: 0.8849,
      volatility: 0.203,
      earningsVersion: '1.0',
      disclosures: [...earningsDisclosures],
    },
  });

export const EarningsCredential = z
  .object({ ...issuedFields, type: z.literal('ServiceEarningsCredential') })
  .meta({
    id: 'EarningsCredential',
    description:
      'The earnings of the window as a signed credential. It names neither the subject nor any platform.',
    example: {
      credential: 'eyJhbGciOiJFZERTQSIs...',
      type: 'ServiceEarningsCredential',
      expiresAt: '2026-03-02T15:00:00.000Z',
      shareToken: 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
      verifyUrl: 'https://reliability.example/verify/st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
    },
  });
