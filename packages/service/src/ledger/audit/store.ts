import { eventTypes, platformTiers, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import type { Queryable, Tx } from '#kit/db/database.js';
import { snakeCase } from '#kit/db/rows.js';
import type { Report, SubjectRange } from './report.js';

export async function hasLedger(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>(
    `select to_regclass('score_snapshot') is not null as exists`,
  );
  return row?.exists === true;
}

const TABLES_OF_SUBJECTS = [
  'event',
  'tally',
  'score',
  'score_snapshot',
  'subject_link',
  'declaration_fact',
  'dispute',
  'review',
];

export function findOrphans(
  db: Queryable,
  { afterId, upToId }: SubjectRange,
  limit: number,
): Promise<{ tableName: string; subjectId: string }[]> {
  const rows = TABLES_OF_SUBJECTS.map(
    (table) =>
      `select distinct '${table}' as table_name, subject_id from ${table} where subject_id > $1 and subject_id <= $2`,
  );
  return db.query(
    `select table_name, subject_id from (${rows.join(' union all ')}) as present
     left join subject using (subject_id)
     where subject.platform_id is null
     order by subject_id, table_name limit $3`,
    [afterId, upToId, limit],
  );
}

export interface AuditedSubject extends z.output<typeof StoredSubject> {
  subjectId: string;
  platformId: string;
  livemode: boolean;
  externalId: string | null;
  isErased: boolean;
  declarationNo: number;
  isOwn: boolean;
  recordId: string;
  /** All members of the record, in this ledger group and in others. */
  memberIds: string[];
  isScored: boolean;
  isQueued: boolean;
}

export function readSubjects(tx: Tx, subjectIds: readonly string[]): Promise<AuditedSubject[]> {
  return tx.query<AuditedSubject>(
    `select subject_id, platform_id, livemode, external_id, subject_type, declaration_no, is_own, record_id, event_count, last_activity_at, registered_at,
       velocity_cleared_at, is_scored, exists (select from recompute_queue q where q.record_id = s.record_id) as is_queued,
       exists (select from erasure x where x.subject_id = s.subject_id) as is_erased,
       array(
         select member.subject_id from subject member where member.record_id = s.record_id
         union all select remote.subject_id from remote_member remote where remote.record_id = s.record_id
       ) as member_ids
     from subject s where subject_id = any($1::uuid[]) order by subject_id`,
    [subjectIds],
  );
}

export interface TallyRow {
  subjectId: string;
  day: number;
  code: number;
  count: number;
}

export function readTallies(tx: Tx, subjectIds: readonly string[]): Promise<TallyRow[]> {
  return tx.query<TallyRow>(
    'select subject_id, day, code, count from tally where subject_id = any($1::uuid[])',
    [subjectIds],
  );
}

export interface FreezeFact {
  subjectId: string;
  action: 'set' | 'cleared';
  at: Date;
}

export function readFreezes(tx: Tx, subjectIds: readonly string[]): Promise<FreezeFact[]> {
  return tx.query<FreezeFact>(
    'select subject_id, action, at from freeze_fact where subject_id = any($1::uuid[]) order by subject_id, number',
    [subjectIds],
  );
}

export interface ImportRun {
  platformId: string;
  livemode: boolean;
  from: Date;
  until: Date | null;
}

export function readImportRuns(db: Queryable, platformIds: readonly string[]): Promise<ImportRun[]> {
  return db.query<ImportRun>(
    `select platform_id, livemode, created_at as "from", completed_at as until from import_job
     where platform_id = any($1::uuid[])`,
    [platformIds],
  );
}

/** Platforms whose imports recorded another number of live events than are marked as imported. */
export function findImportDifferences(
  db: Queryable,
): Promise<{ platformId: string; marked: number; recorded: number }[]> {
  return db.query(
    `select platform_id, coalesce(marked, 0) as marked, coalesce(recorded, 0) as recorded from (
       select platform_id, count(*) as marked from event where imported and livemode group by platform_id
     ) e full join (
       select platform_id, sum(created_count)::bigint as recorded from import_job where livemode group by platform_id
     ) i using (platform_id) where coalesce(marked, 0) <> coalesce(recorded, 0) order by platform_id`,
  );
}

/*
 * What rows of the ledger can hold, for an audit of rows that somebody has changed by hand: a column
 * of type text holds any text, a timestamp may be infinite, and a constraint may have been dropped.
 */

const count = z.int().min(0);
const day = z.int().min(-100_000_000).max(100_000_000);
const moment = z.date();

/** JSON that is read as text, so that a broken one is a fault of its row and not of the statement. */
function json<Value extends z.ZodType>(value: Value) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON', input: text });
        return z.NEVER;
      }
    })
    .pipe(value);
}

export const StoredEvent = z.object({
  position: z.int().min(1),
  eventType: z.enum(eventTypes),
  stakeLevel: z.enum(stakeLevels),
  platformTier: z.enum(platformTiers),
  isVerified: z.boolean(),
  byOperator: z.boolean().nullable(),
  imported: z.boolean(),
  /** Set if the attester's name was dropped by age. */
  attesterHash: z.instanceof(Uint8Array).nullable(),
  createdAt: moment,
  completedAt: moment.nullable(),
  dueDate: moment.nullable(),
});

const subjectTypes = ['PERSON', 'AGENT', 'ORGANIZATION'] as const;
const codes = z.array(z.string());

const figures = {
  finalScore: z.number(),
  scoreBand: z.string(),
  confidence: z.number(),
  behavioralQuality: z.number(),
  totalEvents: count,
  verifiedEvents: count,
};

export const StoredSnapshot = z.object({
  ...figures,
  /** Of the snapshot before it; null: there is none. */
  previousScore: z.number().nullable(),
  reason: z.string().nullable(),
  formulaVersion: z.string(),
  factors: json(z.record(z.string(), z.number())),
  reasonCodes: json(z.object({ adverse: codes, supporting: codes })),
  components: json(z.record(z.string(), z.number().nullable())),
  positions: json(z.record(z.string(), count)),
  asOf: day,
  computedAt: moment,
  isKept: z.boolean(),
});

export const StoredScore = z.object({
  ...figures,
  confidenceLabel: z.string(),
  ownEvents: count,
  ownVerifiedEvents: count,
  snapshotNo: count,
  formulaVersion: z.string(),
  subjectType: z.enum(subjectTypes),
  asOf: day,
  computedAt: moment,
  frozenAt: moment.nullable(),
  lastActivityAt: moment.nullable(),
  registeredAt: moment,
  position: count,
  detail: json(z.looseObject({ elsewhere: z.record(z.string(), count).optional() })),
});

export const StoredSubject = z.object({
  subjectType: z.enum(subjectTypes),
  eventCount: count,
  lastActivityAt: moment.nullable(),
  registeredAt: moment,
  velocityClearedAt: moment.nullable(),
});

export const StoredDispute = z.object({
  status: z.enum(['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER']),
  lapsed: z.boolean(),
  openedAt: moment,
  respondBy: moment,
  resolvedAt: moment.nullable(),
});

export const StoredReview = z.object({
  number: z.int().min(1),
  openedAt: moment,
  respondBy: moment,
});

export const StoredDeclaration = z.object({
  number: z.int().min(1),
  isOwn: z.boolean(),
  facts: json(z.record(z.string(), z.unknown())).nullable(),
  afterPosition: count,
  declaredAt: moment,
});

/** A row as it can be, or null: it was reported as one that cannot be read. */
export function readable<Row extends object, Shape extends z.ZodObject>(
  shape: Shape,
  row: Row,
  report: Report,
): (Omit<Row, keyof z.output<Shape>> & z.output<Shape>) | null {
  const parsed = shape.safeParse(row);
  if (parsed.success) return { ...row, ...parsed.data };
  const [issue] = parsed.error.issues;
  const [column, ...path] = (issue?.path ?? []).map(String);
  const value = column === undefined ? row : row[column as keyof Row];
  const text = String(value instanceof Uint8Array ? value.toString() : value).slice(0, MAX_VALUE_CHARS);
  const place = [snakeCase(column ?? 'row'), ...path].join('.');
  report(
    `it cannot be read: ${place} ${issue?.message === 'is not JSON' ? 'is not JSON' : 'is out of range'}: ${text}`,
  );
  return null;
}

const MAX_VALUE_CHARS = 60;
