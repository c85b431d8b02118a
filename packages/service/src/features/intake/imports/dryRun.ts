import { z } from 'zod';
import { judge, NOTHING_DECLARED } from '#domain/declaredSubject.js';
import { EventRecordSchema } from '#domain/outcomeEvent.js';
import { REDUCED } from '#domain/readOutcomeEvent.js';
import { type Names, namesOf } from '#domain/sameParty.js';
import { createYielder, mapInTurns } from '#kit/backpressure/yielder.js';
import { wholeNumber } from '#kit/http/query.js';
import type { KeyAccess, RequestContext } from '#kit/http/route.js';
import { freeBlocks } from '#kit/largeMemory.js';
import { findItemKeys, itemKeyId } from '#ledger/append/group.js';
import { Warnings } from '../appendItems.js';
import { rowsOfChunks } from './chunks.js';
import { type MappedRow, mapRows, type RowFailure } from './mapRows.js';
import { type ImportDeps, plannedFile } from './plannedFile.js';
import { ColumnProblem, type CountedProblem, countProblems, withExamples } from './problems.js';
import { CreateQuery, count, type ImportBody, type RowIssue } from './store.js';

export const DryRunQuery = CreateQuery.extend({
  sample: wholeNumber(0, 20).optional().default(5),
});

export type IssueGroup = z.output<typeof IssueGroup>;
const IssueGroup = z.object({
  code: z.string(),
  reason: z.string(),
  example: z.string(),
  count,
  rows: z.array(z.int().min(0)),
});

const SampledEvent = EventRecordSchema.omit({
  id: true,
  autoImported: true,
  livemode: true,
  createdAt: true,
  reportedBy: true,
})
  .extend({
    idempotencyKey: z.string().nullable(),
  })
  .meta({ id: 'SampledEvent' });

export type DryRun = z.output<typeof DryRun>;
export const DryRun = z
  .object({
    columns: z.array(z.string()),
    totalRows: count,
    validCount: count,
    skippedCount: count,
    failedCount: count,
    warningCount: count,
    errors: z.array(IssueGroup),
    problems: z.array(ColumnProblem),
    warnings: z.array(IssueGroup),
    sample: z.array(
      z.object({
        row: z.int().min(1),
        event: SampledEvent.nullable(),
        error: z.object({ code: z.string(), reason: z.string() }).nullable(),
        warnings: Warnings,
      }),
    ),
  })
  .meta({ id: 'ImportDryRun' });

type Context = RequestContext<
  KeyAccess,
  z.output<typeof ImportBody>,
  z.output<typeof DryRunQuery>,
  undefined
>;

/** POST /imports/dry-run: reads the file as POST /imports does, and writes nothing. */
export async function dryRunImport(deps: ImportDeps, context: Context): Promise<DryRun> {
  const { db, clock, erased, mustYield } = deps;
  const { caller, query } = context;
  const { plan, file, warnings: aboutRequest } = await plannedFile(deps, context);
  const errors = createIssueGroups();
  const warnings = createIssueGroups();
  warnings.add(aboutRequest.map((warning) => ({ ...warning, pattern: warning.reason })));
  const sample: DryRun['sample'] = [];
  let counted: CountedProblem[] = [];
  const examples: RowFailure[] = [];
  const usedKeys = new Set<string>();
  let skippedCount = 0;
  const options = {
    plan,
    livemode: caller.livemode,
    now: clock.now(),
    isErased: erased.among(caller),
    yieldTurn: createYielder(mustYield),
  };
  const platform = namesOf([caller.platformName]);
  // One chunk at a time, so that memory does not grow with the file.
  for (const chunk of file.chunks) {
    const { mapped, failures } = await mapRows(rowsOfChunks([chunk]), options);
    const judged = await mapInTurns(mapped, (row) => withJudgement(row, platform));
    errors.add(failures);
    const { problems, firsts } = countProblems(counted, failures);
    counted = problems;
    examples.push(...failures.filter(({ row }) => firsts.has(row)));
    warnings.add(
      judged.flatMap(({ row, warnings }) =>
        warnings.map(({ code, message }) => ({ row, code, reason: message, pattern: message })),
      ),
    );
    const keyIds = mapped.flatMap(({ event: { itemKey } }) =>
      itemKey === null ? [] : [itemKeyId(caller, itemKey)],
    );
    const known = await findItemKeys(db, keyIds);
    for (const keyId of keyIds) {
      if (known.has(keyId) || usedKeys.has(keyId)) skippedCount += 1;
      usedKeys.add(keyId);
    }
    sample.push(
      ...judged.filter(({ row }) => row <= query.sample).map(toSampledEvent),
      ...failures
        .filter(({ row }) => row <= query.sample)
        .map(({ row, code, reason }) => ({ row, event: null, error: { code, reason }, warnings: [] })),
    );
  }
  freeBlocks(file.chunks);
  return {
    columns: [...plan.header],
    totalRows: file.totalRows,
    validCount: file.totalRows - errors.count(),
    skippedCount,
    failedCount: errors.count(),
    warningCount: warnings.count(),
    errors: errors.largest(),
    problems: withExamples(counted, plan.header, examples),
    warnings: warnings.largest(),
    sample: sample.sort((a, b) => a.row - b.row),
  };
}

/** As the append would decide for a subject that nobody has declared. */
function withJudgement({ event, warnings, ...row }: MappedRow, platform: Names): MappedRow {
  if (!event.isVerified) return { ...row, warnings, event: { ...event, attester: null } };
  const evidence = { by: 'named', platform } as const;
  const { isVerified, attester, reduced } = judge(event, evidence, NOTHING_DECLARED);
  const more = reduced ? [REDUCED[reduced]] : [];
  return { ...row, warnings: [...warnings, ...more], event: { ...event, isVerified, attester } };
}

function toSampledEvent({ row, event, warnings }: MappedRow): DryRun['sample'][number] {
  const { externalId, itemKey, imported: _, engine: __, ...rest } = event;
  const shown = { userId: externalId, ...rest, idempotencyKey: itemKey };
  return { row, event: shown, error: null, warnings: [...warnings] };
}

/** An issue with its reason without the values of its row. */
type Groupable = RowIssue & { readonly pattern: string };

/** Groups the issues of rows by reason, whatever values they quote. */
export interface IssueGroups {
  add(issues: readonly Groupable[]): void;
  /** All issues. */
  count(): number;
  /** The groups, the largest first. */
  largest(): IssueGroup[];
}

/** A file can fail in as many ways as it has rows. Further reasons share a last group. */
const MAX_GROUPS = 100;
const MAX_ROWS_NAMED = 20;

export function createIssueGroups(): IssueGroups {
  const groups = new Map<string, IssueGroup>();
  let total = 0;
  return {
    add(issues) {
      for (const issue of issues) {
        total += 1;
        const group = groupOf(issue);
        group.count += 1;
        group.rows.push(issue.row);
        // Rows arrive by subject, not in the order of the file.
        if (group.rows.length > 2 * MAX_ROWS_NAMED) group.rows = lowest(group.rows);
      }
    },
    count: () => total,
    largest: () =>
      [...groups.values()]
        .map((group) => ({ ...group, rows: lowest(group.rows) }))
        .sort((a, b) => b.count - a.count || (a.rows[0] ?? 0) - (b.rows[0] ?? 0)),
  };

  function groupOf({ code, reason, pattern }: Groupable): IssueGroup {
    const key = `${code} ${pattern}`;
    const known = groups.get(key) ?? (groups.size < MAX_GROUPS ? undefined : groups.get(OTHERS));
    if (known) return known;
    const isLast = groups.size === MAX_GROUPS;
    const group = { code, reason: isLast ? OTHERS : pattern, example: reason, count: 0, rows: [] };
    groups.set(isLast ? OTHERS : key, group);
    return group;
  }
}

const OTHERS = 'Other reasons';

function lowest(rows: readonly number[]): number[] {
  return [...rows].sort((a, b) => a - b).slice(0, MAX_ROWS_NAMED);
}
