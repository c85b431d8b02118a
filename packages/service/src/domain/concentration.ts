import { cappedScore, type Day, outcomeClassOf, scoreBands, type Tally } from '@reliability/scoring';
import { z } from 'zod';
import { fourDecimals, shareOf } from './points.js';
import { partyKeyOf } from './sameParty.js';
import { share } from './scoreFields.js';

/** Who answers for a verified outcome: the attester by name, or the platform that reported it. */
export interface AttestedBy {
  readonly attester: string | null;
  readonly platformId: string;
}

const count = z.int().min(0);

/**
 * How far the verified outcomes of a record rest on few parties, and the score if one party counted as
 * three outcomes at most. Counts, not weights; no party is named (RULES R14).
 */
export type CappedConcentration = z.output<typeof CappedConcentration>;
export const CappedConcentration = z
  .object({
    verifiedOutcomes: count,
    onPlatformWord: count,
    distinctAttesters: count,
    largestAttesterOutcomes: count,
    largestAttesterIsPlatform: z.boolean(),
    largestAttesterShare: share(
      'Its share of the verified outcomes, four decimals. Null without a verified outcome.',
    ),
    herfindahlIndex: share(
      'The sum of the squared shares of all parties, four decimals: 1 is a single party. Null without a verified outcome.',
    ),
    cappedScore: z.number().min(0).max(100),
    cappedScoreBand: z.enum(scoreBands),
  })
  .meta({ id: 'Concentration' });

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
