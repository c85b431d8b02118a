import {
  dayFromIso,
  type EventType,
  eventTypes,
  FORMULA_VERSION,
  foldTallies,
  type LedgerFacts,
  type PlatformTier,
  platformTiers,
  type Score,
  type StakeLevel,
  score,
  stakeLevels,
} from '@reliability/scoring';
import type { EventFact, ScoreProof } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';

/** Recomputes the score from the facts as of the snapshot's day, and compares every published digit. */
export function checkScore({ snapshot, events }: ScoreProof): Step {
  const published = snapshot.fact;
  if (!published) return failed('score', 'The proof has no snapshot.');
  const { formulaVersion, asOf } = published;
  if (formulaVersion !== FORMULA_VERSION)
    return unchecked(
      'score',
      `Not recomputed: the score is by formula ${formulaVersion}, this verifier knows ${FORMULA_VERSION}.`,
    );
  const facts = events.flatMap(({ fact }) => (fact ? [fact] : []));
  const hidden = events.length - facts.length;
  if (hidden > 0)
    return unchecked(
      'score',
      `Not recomputed: ${hidden} of ${events.length} facts are of another platform, so only their commitments are here.`,
    );
  let computed: Score | null;
  try {
    computed = score(foldTallies(facts.map(ledgerFactsOf)), dayFromIso(asOf));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed('score', `The score cannot be computed from these facts. ${error.message}.`);
  }
  const [ours, theirs] = [computed && figuresOf(computed), figuresOf(published)];
  if (ours !== theirs)
    return failed('score', `The facts give ${ours ?? 'no score'} as of ${asOf}, published is ${theirs}.`);
  return passed('score', `Recomputed by formula ${FORMULA_VERSION} as of ${asOf}: ${ours}, as published.`);
}

function figuresOf({
  finalScore,
  scoreBand,
  confidence,
}: Pick<Score, 'finalScore' | 'confidence'> & { scoreBand: string }): string {
  return `${finalScore} (${scoreBand}) with confidence ${confidence}`;
}

/** Throws RangeError for a value that the formula does not know. */
function ledgerFactsOf(fact: EventFact): LedgerFacts {
  return {
    id: fact.eventId,
    eventType: known<EventType>(eventTypes, fact.eventType),
    stakeLevel: known<StakeLevel>(stakeLevels, fact.stakeLevel),
    platformTier: known<PlatformTier>(platformTiers, fact.platformTier),
    isVerified: fact.isVerified,
    createdAt: new Date(fact.at),
    completedAt: fact.completedAt === null ? null : new Date(fact.completedAt),
    dueDate: fact.dueDate === null ? null : new Date(fact.dueDate),
    closesEventId: fact.closes,
  };
}

function known<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new RangeError(`The formula does not know ${JSON.stringify(value)}`);
  return found;
}
