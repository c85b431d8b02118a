import type { z } from 'zod';
import { judge, NOTHING_DECLARED } from '../../../domain/declaredSubject.js';
import { REDUCED } from '../../../domain/readOutcomeEvent.js';
import { type Names, namesOf } from '../../../domain/sameParty.js';
import { createYielder, mapInTurns } from '../../../kit/backpressure/yielder.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { freeBlocks } from '../../../kit/largeMemory.js';
import { findItemKeys, itemKeyId } from '../../../ledger/append/group.js';
import { rowsOfChunks } from './chunks.js';
import type { ImportDeps } from './createImport.js';
import type { DryRun, DryRunQuery } from './dryRunSchemas.js';
import { createIssueGroups } from './issueGroups.js';
import { type MappedRow, mapRows } from './mapRows.js';
import { plannedFile } from './plannedFile.js';
import type { ImportBody } from './schemas.js';

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
