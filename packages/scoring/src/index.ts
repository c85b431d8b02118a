export { cappedScore, cappedWeight } from './attesterCap.js';
export { type ComponentName, type Components, componentOn, components } from './components.js';
export { type Explanation, explain, type FactorShare } from './explain.js';
export * from './model.js';
export { attributeMove, type MovePoints, type MoveStep } from './move.js';
export {
  type ReasonCode,
  type ReasonCodeEntry,
  type ReasonDirection,
  type ReasonFactor,
  reasonCodeCatalog,
} from './reasonCodeCatalog.js';
export type { Reason } from './reasons.js';
export {
  createReplay,
  createRunningRecord,
  type Replay,
  type ReplayBy,
  type ReplayEntry,
  type RunningRecord,
  replay,
  replayBys,
  replayEntriesOf,
} from './replay.js';
export { apportion } from './rounding.js';
export { AGEING_POINTS_A_DAY, type Score, score } from './score.js';
export {
  type Contestable,
  MAX_SUGGESTED_DAYS,
  MAX_SUGGESTED_OUTCOMES,
  nextBandOf,
  type SuggestedFor,
  type Suggestion,
  suggest,
  suggestionKinds,
} from './suggest.js';
export {
  type Day,
  dayFromIso,
  dayOf,
  foldTallies,
  isoFromDay,
  type LedgerFacts,
  mergeTallies,
  type OutcomeFacts,
  occurredAt,
  type Tally,
  type TallyKey,
  tallyCodeOf,
  tallyKeyFromCode,
  tallyKeyOf,
} from './tally.js';
