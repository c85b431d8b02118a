import type { ScoreBand } from '@reliability/scoring';
import { serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { byteas } from '../../../kit/db/arrays.js';
import type { Database } from '../../../kit/db/database.js';
import type { StatusEntry } from '../../../ledger/issuing/statusEntries.js';
import type { ScoreBasis } from '../../../ledger/profile/concentrations.js';
import { findLinkedRecords, findShared, type LinkedRecord, type SharedRow } from './sharedRecordStore.js';

/**
 * What a share token opens: a subject by its inner ids, and the figures of its record. Nothing in
 * it says who the subject is.
 */
export interface SharedRecord {
  readonly tokenId: string;
  readonly subjectId: string;
  readonly recordId: string;
  readonly subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  /** The subject shares its professional profile, too. */
  readonly includeProfile: boolean;
  /** When the first subject of the record was first reported on. */
  readonly registeredAt: Date;
  readonly status: StatusEntry;
  /** Null before the first score. */
  readonly score: SharedScore | null;
}

export interface SharedScore {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly totalEvents: number;
  readonly verifiedEvents: number;
  /** Platforms with verified outcomes on the record. */
  readonly verifiedPlatforms: number;
  readonly frozen: boolean;
  readonly formulaVersion: string;
  readonly computedAt: Date;
  /** Number of the published snapshot within the subject. */
  readonly snapshotNo: number;
  readonly basis: ScoreBasis;
}

/**
 * Null for a token that is unknown or withdrawn. Nothing is remembered, so a withdrawal holds from
 * the next read on.
 */
export type LoadShared = (token: string) => Promise<SharedRecord | null>;

const TOKEN = /^st_[A-Za-z0-9_-]{32}$/;

/** Whether it may be one at all. */
export function isShareToken(token: string): boolean {
  return TOKEN.test(token);
}

const MAX_TOKENS_PER_QUERY = 500;
/** As for reads of scores: past this queries only take each other's time. */
const MAX_QUERIES_AT_ONCE = 2;
const MAX_WAITING_READS = 20_000;

/** How far reads by share token are gathered. */
export function sharedReadsLimits({ hasOneConnection }: Database) {
  return {
    maxWeight: MAX_TOKENS_PER_QUERY,
    concurrency: hasOneConnection ? 1 : MAX_QUERIES_AT_ONCE,
    maxWaiting: MAX_WAITING_READS,
  };
}

/**
 * Reads that arrive together share one query, and a second one where linked records are among them.
 */
export function createSharedRecordLoader(db: Database): LoadShared {
  const reads = createBatcher<string, SharedRecord | null>({
    run: (tokens) => loadAll(db, tokens),
    refuse: () => serviceError('OVERLOADED'),
    ...sharedReadsLimits(db),
  });
  return (token) => (isShareToken(token) ? reads.submit(token) : Promise.resolve(null));
}

async function loadAll(db: Database, tokens: readonly string[]): Promise<(SharedRecord | null)[]> {
  const rows = await findShared(db, byteas(tokens, hashOfSecret));
  const linked = rows.filter(isLinked).map((row) => row.recordId);
  const known = linked.length === 0 ? null : await findLinkedRecords(db, linked);
  const records: (SharedRecord | null)[] = tokens.map(() => null);
  for (const row of rows) {
    records[row.ordinal - 1] = sharedRecordOf(row, (isLinked(row) && known?.get(row.recordId)) || alone(row));
  }
  return records;
}

/** Alone, a subject's record has the subject's own id. */
function isLinked(row: SharedRow): boolean {
  return row.recordId !== row.subjectId;
}

function alone({ subjectId, registeredAt, position, ownVerifiedEvents }: SharedRow): LinkedRecord {
  return {
    verifiedPlatforms: (ownVerifiedEvents ?? 0) > 0 ? 1 : 0,
    registeredAt,
    subjectIds: [subjectId],
    positions: [position ?? 0],
  };
}

function sharedRecordOf(row: SharedRow, record: LinkedRecord): SharedRecord {
  return {
    tokenId: row.tokenId,
    subjectId: row.subjectId,
    recordId: row.recordId,
    subjectType: row.subjectType,
    includeProfile: row.includeProfile,
    registeredAt: record.registeredAt,
    status: { list: row.statusList, index: row.statusIndex },
    score: scoreOf(row, record),
  };
}

function scoreOf(
  row: SharedRow,
  { verifiedPlatforms, subjectIds, positions }: LinkedRecord,
): SharedScore | null {
  if (row.finalScore === null) return null;
  return {
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    totalEvents: row.totalEvents,
    verifiedEvents: row.verifiedEvents,
    verifiedPlatforms,
    frozen: row.frozen,
    formulaVersion: row.formulaVersion,
    computedAt: row.computedAt,
    snapshotNo: row.snapshotNo,
    basis: {
      members: subjectIds.map((subjectId, index) => ({ subjectId, position: positions[index] ?? 0 })),
      asOf: row.asOf,
    },
  };
}
