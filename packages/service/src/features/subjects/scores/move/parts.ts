import { apportion, type MovePoints, type MoveStep } from '@reliability/scoring';
import { groupBy } from '#kit/lists.js';
import type { Move } from './schemas.js';
import type { AlikeOutcomes } from './store.js';

/** Outcomes that the formula cannot tell apart. */
export interface Outcomes extends MoveStep {
  /** Null: of other platforms, of which nothing more is shown. */
  readonly own: {
    readonly alike: AlikeOutcomes;
    readonly only: Move['parts'][number]['only'];
  } | null;
  readonly count: number;
}

/** What moved a score, in whole hundredths. */
export interface Part {
  readonly kind: Move['parts'][number]['kind'];
  readonly hundredths: number;
  readonly count: number;
  /** Largest effect of one outcome first. */
  readonly outcomes: readonly CountedOutcomes[];
}

export interface CountedOutcomes extends Outcomes {
  readonly hundredths: number;
}

/**
 * The parts of a move sum to it exactly, and the outcomes of a part to the part (largest remainder). What explains
 * the move comes first, what worked against it last.
 * @param hundredths the move between the two published scores.
 */
export function partsOf(outcomes: readonly Outcomes[], points: MovePoints, hundredths: number): Part[] {
  const exact = new Map(outcomes.map((entry, index) => [entry, points.steps[index] ?? 0]));
  const exactOf = (entry: Outcomes) => exact.get(entry) ?? 0;
  const groups = [...groupBy(outcomes, ({ own }) => own && `${own.alike.eventType} ${own.only}`).values()];
  const sums = groups.map((group) => group.reduce((sum, entry) => sum + exactOf(entry), 0));
  const shares = apportion([...sums, points.ageing, points.rules], hundredths);
  const [ageing = 0, rules = 0] = shares.slice(groups.length);
  const parts = groups.map((group, index): Part => {
    const whole = shares[index] ?? 0;
    const entries = apportion(group.map(exactOf), whole);
    return {
      kind: 'outcomes',
      hundredths: whole,
      count: group.reduce((sum, { count }) => sum + count, 0),
      outcomes: group
        .map((entry, at) => ({ ...entry, hundredths: entries[at] ?? 0 }))
        .toSorted((a, b) => effectOf(b) - effectOf(a)),
    };
  });
  // Sums that differ in their last bits can leave a hundredth that no entry takes.
  const rest = hundredths - shares.reduce((sum, share) => sum + share, 0);
  const others = [
    { kind: 'ageing', hundredths: ageing + rest, count: 0, outcomes: [] },
    { kind: 'rules', hundredths: rules, count: 0, outcomes: [] },
  ] as const;
  return [...parts, ...others.filter((part) => part.hundredths !== 0)].toSorted((a, b) =>
    hundredths === 0
      ? Math.abs(b.hundredths) - Math.abs(a.hundredths)
      : (b.hundredths - a.hundredths) * Math.sign(hundredths),
  );
}

function effectOf({ hundredths, count }: CountedOutcomes): number {
  return Math.abs(hundredths) / Math.max(1, count);
}

/** As equal as whole hundredths can be; the first of alike outcomes take the rest. */
export function shareOfOutcome({ hundredths, count }: CountedOutcomes, index: number): number {
  const each = Math.trunc(hundredths / count);
  const rest = hundredths - each * count;
  return index < Math.abs(rest) ? each + Math.sign(rest) : each;
}

/** Of a part, the outcomes to list one by one: how many of each kind. */
export function listedOf({ outcomes }: Part, limit: number): Map<AlikeOutcomes, number> {
  const listed = new Map<AlikeOutcomes, number>();
  let left = limit;
  for (const { own, count } of outcomes) {
    if (!own || left === 0) break;
    listed.set(own.alike, Math.min(left, count));
    left -= Math.min(left, count);
  }
  return listed;
}
