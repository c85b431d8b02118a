import { model, type ReasonCode } from '@reliability/scoring';

/** The counts and rates behind a reason, by name. */
export type Evidence = Readonly<Record<string, number | string | null>>;

/**
 * A reason as a sentence with its figures. Null if it has no figures: use the catalogue's text.
 * Rates are rounded down, so that none seems to reach a threshold that it missed.
 */
export function reasonText(code: ReasonCode, evidence: Evidence): string | null {
  return texts[code](figuresOf(evidence));
}

/** The numbers of an evidence by name. Null: it has none. */
export type Figures = (name: string) => number | null;

export function figuresOf(evidence: Evidence): Figures {
  return (name) => {
    const value = evidence[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
}

const texts: Record<ReasonCode, (figures: Figures) => string | null> = {
  NO_VERIFIED_HISTORY: (figures) => {
    const open = figures('unverifiedOutcomes');
    const start = 'Nobody else has confirmed a finished or broken agreement yet.';
    return open ? `${start} Without confirmation so far: ${results(open)}.` : start;
  },
  LIMITED_VERIFIED_HISTORY: (figures) => {
    const count = figures('verifiedOutcomes');
    return count
      ? `Others confirmed ${results(count)}. With their size and age, that is a short history so far.`
      : null;
  },
  ESTABLISHED_VERIFIED_HISTORY: (figures) => {
    const count = figures('verifiedOutcomes');
    return count
      ? `Others confirmed ${results(count)}. With their size and age, that is a long history.`
      : null;
  },
  LOW_COMPLETION_RATE: (figures) => {
    const share = shareOf(figures, 'completedOutcomes', 'outcomes', 'completionRate');
    if (!share) return null;
    const start = `Finished: ${share.part} of ${results(share.whole)}.`;
    if (share.isPlain) return start;
    return `${start} A broken agreement weighs ${model.breachSeverity} times as much as finished work. ${HEAVIER} ${share.rate}.`;
  },
  STRONG_COMPLETION_RATE: (figures) => {
    const share = shareOf(figures, 'completedOutcomes', 'outcomes', 'completionRate');
    return share && `Finished: ${share.part} of ${results(share.whole)}.${weighed(share)}`;
  },
  LOW_ONTIME_RATE: onTime,
  STRONG_ONTIME_RATE: onTime,
  DISPUTED_OUTCOMES_ON_RECORD: (figures) => {
    const contested = figures('contestedOutcomes') ?? 0;
    const lost = figures('disputesDecidedAgainst') ?? 0;
    const sentences = [
      contested > 0 ? `Disputed: ${results(contested)}.` : '',
      lost > 0 ? `Ended against the owner of this record: ${counted(lost, 'dispute')}.` : '',
    ];
    return sentences.filter((sentence) => sentence !== '').join(' ') || null;
  },
  CLEAN_DISPUTE_RECORD: (figures) => {
    const count = figures('outcomes');
    return count ? `There is no dispute on the record, which holds ${results(count)}.` : null;
  },
  LOW_VERIFICATION_DEPTH: confirmed,
  INDEPENDENTLY_VERIFIED_RECORD: confirmed,
  INACTIVE_RECORD: (figures) => {
    const days = figures('daysSinceLastOutcome');
    return days ? `The last result is ${days} days old. Old results count less every day.` : null;
  },
  RECORD_UNDER_VELOCITY_REVIEW: () =>
    'Very many entries arrived within a short time. The score is frozen until they have been checked.',
};

function onTime(figures: Figures): string | null {
  const share = shareOf(figures, 'onTimeOutcomes', 'datedOutcomes', 'onTimeRate');
  return share && `On time: ${share.part} of ${counted(share.whole, 'finished job')}.${weighed(share)}`;
}

function confirmed(figures: Figures): string | null {
  const share = shareOf(figures, 'verifiedCompletedOutcomes', 'completedOutcomes', 'verificationDepth');
  return (
    share && `Confirmed by others: ${share.part} of ${counted(share.whole, 'finished job')}.${weighed(share)}`
  );
}

export interface Share {
  part: number;
  whole: number;
  /** Weighted by the formula: "67 %". */
  rate: string;
  /** True if the weighted and the plain rate round to the same percentage. */
  isPlain: boolean;
}

export function shareOf(figures: Figures, part: string, whole: string, rate: string): Share | null {
  const [counted, all, weighted] = [figures(part), figures(whole), figures(rate)];
  if (counted === null || !all || weighted === null) return null;
  return {
    part: counted,
    whole: all,
    rate: percent(weighted),
    isPlain: percent(counted / all) === percent(weighted),
  };
}

/** Rates have four decimals. Rounding to basis points first keeps 0.57 from becoming 56 %. */
function percent(share: number): string {
  return `${Math.floor(Math.round(share * 10_000) / 100)} %`;
}

const HEAVIER = 'Recent and bigger jobs count for more, which makes it';

function weighed({ isPlain, rate }: Share): string {
  return isPlain ? '' : ` ${HEAVIER} ${rate}.`;
}

function results(count: number): string {
  return counted(count, 'result');
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
