import type { Components } from '@reliability/scoring';
import { BLANK_STATE, type MonitorCrossing, type PolicyCrossing } from '../../domain/crossings.js';
import { POLICY_NOTE, type PolicyCrossed } from '../../domain/envelopes/scoreEnvelopes.js';
import { type FactorShares, factorChanges, pointsBetween, topDriverOf } from '../../domain/factorChange.js';
import type { EnvelopeDraft } from '../../outbox/envelopes.js';
import type { ScoreChange } from '../recompute/scoreChange.js';
import type { ActivePolicy } from './watchStore.js';

/** The envelope of a monitor that fires. */
export function monitorDraft(
  change: ScoreChange,
  monitorId: string,
  { condition, threshold }: MonitorCrossing,
): EnvelopeDraft {
  const { before, after } = change;
  return {
    ...addressOf(change),
    type: 'monitor.triggered',
    data: {
      monitorId,
      userId: change.externalId,
      previousScore: before?.score ?? null,
      newScore: after.score,
      previousBand: before?.band ?? null,
      newBand: after.band,
      condition,
      threshold,
      formulaVersion: change.formulaVersion,
    },
  };
}

/**
 * The envelope of a policy that fires: the evidence for people, and the same fields flat for a
 * rules engine.
 * @param factorsBefore of the previous snapshot; null for a first score, which no factor drives
 * yet.
 */
export function policyDraft(
  change: ScoreChange,
  policy: ActivePolicy,
  { previous, current }: PolicyCrossing,
  factorsBefore: FactorShares | null,
  now: Date,
): EnvelopeDraft {
  const { before, after, externalId, formulaVersion } = change;
  const { metric, direction, threshold, component, band } = policy;
  const computedAt = change.computedAt.toISOString();
  const scores = { score: after.score, previousScore: before?.score ?? null };
  const bands = { band: after.band, previousBand: before?.band ?? null };
  return {
    ...addressOf(change),
    type: 'policy.threshold_crossed',
    data: {
      policyId: policy.id,
      policyName: policy.name,
      subject: { externalId },
      metric,
      condition: { metric, direction, threshold, component, band },
      observed: { previous, current },
      ...scores,
      ...bands,
      reason: reasonOf(change, factorsBefore),
      decision_input: {
        subject_external_id: externalId,
        metric,
        direction,
        threshold,
        component,
        band,
        observed_previous: previous,
        observed_current: current,
        score: scores.score,
        previous_score: scores.previousScore,
        score_band: bands.band,
        previous_band: bands.previousBand,
        components: after.components ?? NO_COMPONENTS,
        verified_events: after.verifiedEvents,
        confidence: after.confidence,
        formula_version: formulaVersion,
        computed_at: computedAt,
        crossed_at: now.toISOString(),
      },
      note: POLICY_NOTE,
      formulaVersion,
      computedAt,
    },
  };
}

function addressOf({ platformId, livemode, subjectId }: ScoreChange) {
  return { platformId, livemode, subjectId };
}

function reasonOf(
  { before, after }: ScoreChange,
  factorsBefore: FactorShares | null,
): PolicyCrossed['reason'] {
  const delta = pointsBetween((before ?? BLANK_STATE).score, after.score);
  return {
    scoreBefore: before?.score ?? null,
    scoreAfter: after.score,
    scoreDelta: before ? delta : null,
    direction: delta > 0 ? 'up' : delta < 0 ? 'down' : 'unchanged',
    topDriver: factorsBefore && topDriverOf(factorChanges(factorsBefore, after.factors)),
  };
}

const NO_COMPONENTS: Components = {
  reliability: null,
  timeliness: null,
  trustworthiness: null,
  verification: null,
  consistency: null,
  momentum: null,
};
