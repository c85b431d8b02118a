import { eventTypes, platformTiers, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { snakeCase } from '../../kit/db/rows.js';
import type { Report } from './report.js';

/*
 * What rows of the ledger can hold, for an audit of rows that somebody has changed by hand: a column
 * of type text holds any text, a timestamp may be infinite, and a constraint may have been dropped.
 */

const count = z.int().min(0);
/** Days that a Date can express. */
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
