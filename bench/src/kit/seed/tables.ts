import { FORMULA_VERSION } from '@reliability/scoring';
import {
  gramsOf,
  type Searchable,
  searchTextOf,
} from '../../../../packages/service/src/domain/searchText.js';
import type { ScoreRow, SnapshotRow } from '../../../../packages/service/src/ledger/recompute/store.js';
import type { SeededTable } from './copyInto.js';
import type { Deed, Person } from './people.js';

// The tables of a seeded book, column by column. If a migration adds a column without a default, add it here.

export interface SubjectLine {
  readonly subjectId: string;
  readonly platformId: string;
  readonly person: Person;
  readonly lastActivityAt: Date | null;
  readonly isScored: boolean;
}

export interface EventLine {
  readonly subjectId: string;
  readonly platformId: string;
  readonly eventId: string;
  readonly position: number;
  readonly deed: Deed;
}

export interface TallyLine {
  readonly subjectId: string;
  readonly day: number;
  readonly code: number;
  readonly count: number;
}

export type ScoreLine = ScoreRow & Computed;
export type SnapshotLine = SnapshotRow & Computed;

interface Computed {
  readonly asOf: number;
  readonly computedAt: Date;
}

/** Trust tier of every seeded platform. */
export const TIER = 'STARTER';

export const subjectTable: SeededTable<SubjectLine> = {
  name: 'subject',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'platform_id', value: (line) => line.platformId },
    { name: 'livemode', value: () => true },
    { name: 'external_id', value: ({ person }) => person.externalId },
    { name: 'subject_type', value: ({ person }) => person.subjectType },
    { name: 'record_id', value: (line) => line.subjectId },
    { name: 'event_count', value: ({ person }) => person.deeds.length },
    { name: 'last_activity_at', value: (line) => line.lastActivityAt },
    { name: 'registered_at', value: ({ person }) => person.registeredAt },
    { name: 'is_scored', value: (line) => line.isScored },
    { name: 'display_name', value: ({ person }) => person.displayName },
    { name: 'named_at', value: ({ person }) => person.registeredAt },
  ],
};

export const searchTable: SeededTable<SubjectLine> = {
  name: 'subject_search',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'search_text', value: (line) => searchTextOf(searchable(line)) },
    { name: 'grams', value: (line) => gramsOf(searchable(line)) },
  ],
};

function searchable({ platformId, person }: SubjectLine): Searchable {
  const { externalId, displayName } = person;
  return { platformId, livemode: true, externalId, displayName };
}

export const eventTable: SeededTable<EventLine> = {
  name: 'event',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'event_id', value: (line) => line.eventId },
    { name: 'platform_id', value: (line) => line.platformId },
    { name: 'livemode', value: () => true },
    { name: 'position', value: (line) => line.position },
    { name: 'event_type', value: ({ deed }) => deed.eventType },
    { name: 'stake_level', value: ({ deed }) => deed.stakeLevel },
    { name: 'is_verified', value: ({ deed }) => deed.isVerified },
    { name: 'platform_tier', value: () => TIER },
    { name: 'due_date', value: ({ deed }) => deed.dueDate },
    { name: 'completed_at', value: ({ deed }) => deed.completedAt },
    { name: 'created_at', value: ({ deed }) => deed.createdAt },
  ],
};

export const textTable: SeededTable<EventLine> = {
  name: 'event_text',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'event_id', value: (line) => line.eventId },
    { name: 'transaction_value', value: ({ deed }) => deed.transactionValue },
  ],
};

export const tallyTable: SeededTable<TallyLine> = {
  name: 'tally',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'day', value: (line) => line.day },
    { name: 'code', value: (line) => line.code },
    { name: 'count', value: (line) => line.count },
  ],
};

export const scoreTable: SeededTable<ScoreLine> = {
  name: 'score',
  columns: [
    { name: 'subject_id', value: (line) => line.subjectId },
    { name: 'record_id', value: (line) => line.recordId },
    { name: 'platform_id', value: (line) => line.platformId },
    { name: 'livemode', value: (line) => line.livemode },
    { name: 'final_score', value: (line) => line.finalScore },
    { name: 'score_band', value: (line) => line.scoreBand },
    { name: 'confidence', value: (line) => line.confidence },
    { name: 'confidence_label', value: (line) => line.confidenceLabel },
    { name: 'behavioral_quality', value: (line) => line.behavioralQuality },
    { name: 'total_events', value: (line) => line.totalEvents },
    { name: 'verified_events', value: (line) => line.verifiedEvents },
    { name: 'own_events', value: (line) => line.ownEvents },
    { name: 'own_verified_events', value: (line) => line.ownVerifiedEvents },
    { name: 'last_activity_at', value: (line) => line.lastActivityAt },
    { name: 'frozen_at', value: (line) => line.frozenAt },
    { name: 'detail', value: (line) => line.detail },
    { name: 'formula_version', value: () => FORMULA_VERSION },
    { name: 'as_of', value: (line) => line.asOf },
    { name: 'position', value: (line) => line.position },
    { name: 'snapshot_no', value: (line) => line.snapshotNo },
    { name: 'computed_at', value: (line) => line.computedAt },
    { name: 'external_id', value: (line) => line.externalId },
    { name: 'subject_type', value: (line) => line.subjectType },
    { name: 'registered_at', value: (line) => line.registeredAt },
    { name: 'display_name', value: (line) => line.displayName },
    { name: 'search_text', value: (line) => line.searchText },
  ],
};

export const snapshotTable: SeededTable<SnapshotLine> = {
  name: 'score_snapshot',
  columns: [
    { name: 'subject_id', value: ({ change }) => change.subjectId },
    { name: 'snapshot_no', value: ({ change }) => change.snapshotNo },
    { name: 'platform_id', value: ({ change }) => change.platformId },
    { name: 'livemode', value: ({ change }) => change.livemode },
    { name: 'final_score', value: ({ change }) => change.after.score },
    { name: 'score_band', value: ({ change }) => change.after.band },
    { name: 'confidence', value: ({ change }) => change.after.confidence },
    { name: 'behavioral_quality', value: ({ change }) => change.after.behavioralQuality },
    { name: 'total_events', value: ({ change }) => change.after.totalEvents },
    { name: 'verified_events', value: ({ change }) => change.after.verifiedEvents },
    { name: 'previous_score', value: () => null },
    { name: 'reason', value: () => null },
    { name: 'factors', value: ({ change }) => change.after.factors },
    { name: 'components', value: ({ change }) => change.after.components },
    { name: 'positions', value: ({ change }) => change.positions },
    { name: 'formula_version', value: () => FORMULA_VERSION },
    { name: 'as_of', value: (line) => line.asOf },
    { name: 'computed_at', value: (line) => line.computedAt },
    { name: 'reason_codes', value: (line) => line.reasonCodes },
  ],
};
