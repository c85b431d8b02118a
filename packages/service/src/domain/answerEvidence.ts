import { z } from 'zod';

export const answerChannels = ['page', 'api'] as const;
export type AnswerChannel = (typeof answerChannels)[number];

export const browserFamilies = ['chrome', 'safari', 'firefox', 'edge', 'other'] as const;
export type BrowserFamily = (typeof browserFamilies)[number];

export const AnswerEvidenceField = z
  .object({
    channel: z.enum(answerChannels),
    answeredAt: z.iso.datetime(),
    answeredByAsker: z.boolean(),
    network: z.string().nullable().meta({ description: 'Coarse: 24 bits of an IPv4 address, 64 of IPv6.' }),
    browserFamily: z.enum(browserFamilies).nullable().meta({ description: 'null: it named no browser.' }),
  })
  .nullable()
  .meta({
    description: 'How it was answered; null: not answered, or before this was recorded.',
    example: {
      channel: 'page',
      answeredAt: '2026-03-02T08:12:44.000Z',
      answeredByAsker: false,
      network: '203.0.113.0/24',
      browserFamily: 'safari',
    },
  });

export type AnswerEvidence = NonNullable<z.output<typeof AnswerEvidenceField>>;

/** Order matters: most browsers also name the browsers they derive from. */
const FAMILIES: readonly (readonly [RegExp, BrowserFamily])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'edge'],
  [/\b(?:OPR|OPT|SamsungBrowser|YaBrowser|Vivaldi|DuckDuckGo)\//, 'other'],
  [/\b(?:Firefox|FxiOS)\//, 'firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'chrome'],
  [/^(?=.*\bVersion\/).*\bSafari\//, 'safari'],
];

/** Only the family of a User-Agent is stored, for privacy. */
export function browserFamilyOf(userAgent: string | undefined): BrowserFamily | null {
  if (!userAgent) return null;
  return FAMILIES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
}

/** Compares coarse networks. 127.0.0.1 and ::1 are the same. */
export function isSameNetwork(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  return left === right || (isLoopback(left) && isLoopback(right));
}

function isLoopback(network: string): boolean {
  return network.startsWith('127.') || network === '::/64';
}
