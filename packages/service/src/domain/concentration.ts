import { cappedScore, type Day, outcomeClassOf, type Tally } from '@reliability/scoring';
import { z } from 'zod';
import { fourDecimals, shareOf } from './points.js';
import { partyKeyOf } from './sameParty.js';
import { count, scoreFields, share } from './scoreFields.js';

/** Who answers for a verified outcome: the attester by name, or the platform that reported it. */
export interface AttestedBy {
  readonly attester: string | null;
  readonly platformId: string;
}

const NO_OUTCOME = 'Null without a verified outcome.';

/**
 * How far the verified outcomes of a record rest on few parties, and the score if one party counted as
 * three outcomes at most. Counts, not weights; no party is named (RULES R14).
 */
export type CappedConcentration = z.output<typeof CappedConcentration>;
export const CappedConcentration = z
  .object({
    verifiedOutcomes: count('Verified outcomes that the score counts. Cancelled ones do not count.'),
    onPlatformWord: count(
      'Those of them that name no counterparty. They rest on the word of the platform that reported them, which counts as one party.',
    ),
    distinctAttesters: count('Parties that answer for the verified outcomes, each under all its spellings.'),
    largestAttesterOutcomes: count('Outcomes of the party that answers for most of them.'),
    largestAttesterIsPlatform: z
      .boolean()
      .meta({ description: 'That party is a reporting platform, not a named counterparty.' }),
    largestAttesterShare: share(`Its share of the verified outcomes, four decimals. ${NO_OUTCOME}`),
    herfindahlIndex: share(
      `The sum of the squared shares of all parties, four decimals: 1 is a single party. ${NO_OUTCOME}`,
    ),
    cappedScore: scoreFields.finalScore.meta({
      description:
        'The score if one party counted as three outcomes at most, two decimals. A comparison: nothing else uses it.',
    }),
    cappedScoreBand: scoreFields.scoreBand.meta({ description: 'The band of `cappedScore`.' }),
  })
  .meta({ id: 'Concentration', description: 'How far the verified outcomes rest on few parties.' });

export type Concentration = Omit<CappedConcentration, 'cappedScore' | 'cappedScoreBand'>;

/** @param counted numbers of verified outcomes that the score counts. */
export function concentrationOf(counted: Iterable<AttestedBy & { readonly count: number }>): Concentration {
  const parties = new Map<string, { isPlatform: boolean; count: number }>();
  for (const { count, ...attestedBy } of counted) {
    const key = partyOf(attestedBy);
    const party = parties.get(key) ?? { isPlatform: attestedBy.attester === null, count: 0 };
    party.count += count;
    parties.set(key, party);
  }
  const all = [...parties.values()].filter((party) => party.count > 0);
  const verifiedOutcomes = sumOf(all);
  // Of equals the named party, so that the order of the rows does not matter.
  const [largest] = all.sort((a, b) => b.count - a.count || Number(a.isPlatform) - Number(b.isPlatform));
  const squares = all.reduce((sum, party) => sum + (party.count / verifiedOutcomes) ** 2, 0);
  return {
    verifiedOutcomes,
    onPlatformWord: sumOf(all.filter((party) => party.isPlatform)),
    distinctAttesters: all.length,
    largestAttesterOutcomes: largest?.count ?? 0,
    largestAttesterIsPlatform: largest?.isPlatform ?? false,
    largestAttesterShare: shareOf(largest?.count ?? 0, verifiedOutcomes),
    herfindahlIndex: largest ? fourDecimals(squares) : null,
  };
}

/** The tallies of a record by who answers for them. Null for a record without any event. */
export function cappedConcentrationOf(
  tallies: readonly (Tally & AttestedBy)[],
  asOf: Day,
): CappedConcentration | null {
  const verified = tallies.filter(({ isVerified }) => isVerified);
  const byParty = new Map<string, Tally[]>();
  for (const tally of verified) {
    const key = partyOf(tally);
    const own = byParty.get(key);
    if (own) own.push(tally);
    else byParty.set(key, [tally]);
  }
  const unverified = tallies.filter(({ isVerified }) => !isVerified);
  const capped = cappedScore(byParty.values(), unverified, asOf);
  if (!capped) return null;
  const counted = verified.filter(({ eventType }) => outcomeClassOf(eventType) !== 'none');
  return {
    ...concentrationOf(counted),
    cappedScore: capped.finalScore,
    cappedScoreBand: capped.scoreBand,
  };
}

function partyOf({ attester, platformId }: AttestedBy): string {
  return attester === null ? `platform ${platformId}` : `party ${partyKeyOf(attester)}`;
}

function sumOf(parties: readonly { readonly count: number }[]): number {
  return parties.reduce((sum, party) => sum + party.count, 0);
}
