import { platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { DATE_OR_TIMESTAMP } from '../../../domain/dateOrTimestamp.js';
import { CredentialQuery, issuedFields } from '../issuing/credentialSchemas.js';
import { earningsDisclosures } from './earnings.js';
import { MAX_MONTHS, USUAL_MONTHS } from './earningsWindow.js';

const windowFields = {
  months: z
    .string()
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_MONTHS,
      description: `How many calendar months (UTC), that of \`to\` being the last: 1 to ${MAX_MONTHS}, ${USUAL_MONTHS} by default. Ignored when \`from\` is given.`,
      example: '24',
    }),
  from: z
    .string()
    .optional()
    .meta({
      ...DATE_OR_TIMESTAMP,
      description: `A date, or an RFC 3339 timestamp, at most ${MAX_MONTHS} months before \`to\`.`,
      example: '2025-04-01',
    }),
  to: z
    .string()
    .optional()
    .meta({
      ...DATE_OR_TIMESTAMP,
      description: 'The same; a date is meant to its end. Default: now, and never later.',
      example: '2026-03-31',
    }),
};

/** The window is read as a whole: `months` need not even be a number where `from` stands. */
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
    .meta({ description: `${description} By value, four decimals; null where no value was reported.` });

const amount = (description: string) =>
  z
    .object({
      gross: gross('Sum of the values.'),
      eventCount: count('Outcomes with a value.'),
    })
    .meta({ description });

const attestedGross = gross('Sum of the values of verified, positive outcomes.');
const eventCount = count('How many outcomes are in the sum.');
const platform = z.int().min(1).meta({ description: 'Tells platforms apart within this answer.' });
const self = z.boolean().meta({ description: 'True for the platform that asks.' });

const userId = z.string().meta({ description: "The caller's own id of the subject, as asked." });
const window = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    months: count('Calendar months that it touches.'),
  })
  .meta({ description: 'By when an outcome happened. Both ends belong to it.' });
const currency = z
  .null()
  .meta({ description: 'Always null: values are in the units of whoever reported them.' });
const medianMonthly = z
  .number()
  .nullable()
  .meta({ description: 'Over the months with earnings; null without any.' });
const variation = z.number().min(0).nullable().meta({
  description:
    'Coefficient of variation of the months with earnings: standard deviation by mean, four decimals. Null under two months.',
});
const trailing = gross('Attested in the twelve calendar months that end with `to`, whatever the window.');
const earningsVersion = z.string();
const disclosures = z.array(z.string());

const WINDOW_EXAMPLE = {
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-03-01T15:45:10.000Z',
  months: 3,
};

export const EarningsAnswer = z
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
          name: z.string().nullable().meta({ description: "The caller's own name; null for every other." }),
          trustTier: z.enum(platformTiers),
          attestedGross,
          eventCount,
        }),
      )
      .meta({ description: 'Those that anything is attested of, the caller first.' }),
    stability: z.object({
      monthsWithEarnings: count('Months in which something is attested.'),
      medianMonthly,
      meanMonthly: z
        .number()
        .nullable()
        .meta({ description: 'Over the months with earnings; null without any.' }),
      coefficientOfVariation: variation,
      longestConsecutiveMonths: count('Longest run of months with earnings.'),
      trailing12mTotal: trailing,
    }),
    unverifiedReported: amount(
      'Positive outcomes that nobody but their reporter vouches for. Never attested.',
    ),
    excluded: amount('Disputed outcomes, in none of the other figures.'),
    coverage: z.object({
      selfReportedShare: share('Share of the unverified among all positive outcomes.'),
      verifiedWithoutValue: count('Verified, positive outcomes that came without a value.'),
    }),
    earningsVersion,
    disclosures,
  })
  .meta({
    id: 'Earnings',
    description:
      'What platforms reported with outcomes that were verified, month by month, for the whole record.',
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

export const EarningsSummaryAnswer = z
  .object({
    userId,
    window,
    currency,
    trailing12mVerifiedTotal: trailing,
    medianMonthly,
    verifiedShare: share('Share of the verified among all positive outcomes.'),
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

export const EarningsCredentialIssued = z
  .object({ ...issuedFields, type: z.literal('ServiceEarningsCredential') })
  .meta({
    id: 'EarningsCredential',
    description: 'The earnings of the window, signed. It names neither the subject nor any platform.',
    example: {
      credential: 'eyJhbGciOiJFZERTQSIs...',
      type: 'ServiceEarningsCredential',
      expiresAt: '2026-03-02T15:00:00.000Z',
      shareToken: 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
      verifyUrl: 'https://reliability.example/verify/st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf',
    },
  });
