import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import { createYielder } from '#kit/backpressure/yielder.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import {
  type KeyAccess,
  keyFor,
  type RequestContext,
  type RouteTable,
  route,
  withLocation,
} from '#kit/http/route.js';
import { enqueueJob, isQueueServed } from '#kit/jobs/jobs.js';
import { freeBlocks } from '#kit/largeMemory.js';
import { rowsOfChunks } from './chunks.js';
import { DryRun, DryRunQuery, dryRunImport } from './dryRun.js';
import { Formats } from './formats.js';
import { type FormatDetector, INLINE_ROWS } from './importThread.js';
import { type MappedRows, mapRows } from './mapRows.js';
import type { ImportPlan } from './plan.js';
import { bytesOf, type ImportDeps, plannedFile } from './plannedFile.js';
import { inLockOrder, recordRows } from './recordRows.js';
import { endImport, IMPORT_JOB } from './runImport.js';
import {
  DetectBody,
  DetectQuery,
  Import,
  ImportBody,
  ImportIssues,
  ImportPage,
  ImportQuery,
  ImportsQuery,
  IssueQuery,
  importJobs,
  importPath,
  insertIssues,
  listImports,
  type RowIssue,
  readImportIssues,
} from './store.js';
import { insertChunks, insertImport } from './workStore.js';

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** CSV files of past outcomes. */
export function importRoutes(deps: ImportDeps & { readonly detect: FormatDetector }): RouteTable {
  const own = { access: keyFor('events'), tag: 'Imports' };
  const onOne = { ...own, params: importPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /imports': route({
      operationId: 'createImport',
      ...own,
      idempotent: true,
      body: ImportBody,
      csvBody: true,
      itemsStandAlone: true,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: ImportsQuery,
      answers: { 202: Import },
      errors: [
        'IMPORT_CSV_INVALID',
        'IMPORT_TOO_MANY_ROWS',
        'IMPORT_QUEUE_UNAVAILABLE',
        'INGEST_MAPPING_INVALID',
        'NOT_FOUND',
      ],
      handle: (context) => createImport(deps, context),
    }),
    'POST /imports/dry-run': route({
      operationId: 'dryRunImport',
      ...own,
      access: keyFor('events', 'either'),
      body: ImportBody,
      csvBody: true,
      itemsStandAlone: true,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: DryRunQuery,
      answers: { 200: DryRun },
      errors: ['IMPORT_CSV_INVALID', 'IMPORT_TOO_MANY_ROWS', 'INGEST_MAPPING_INVALID', 'NOT_FOUND'],
      handle: async (context) => ok(await dryRunImport(deps, context)),
    }),
    'POST /imports/detect': route({
      operationId: 'detectImport',
      ...own,
      access: keyFor('events', 'either'),
      body: DetectBody,
      csvBody: true,
      itemsStandAlone: true,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: DetectQuery,
      answers: { 200: Formats },
      errors: ['IMPORT_CSV_INVALID', 'IMPORT_TOO_MANY_ROWS'],
      handle: async (context) => {
        const maxRows = deps.config.importMaxRows;
        return ok(await deps.detect({ ...context.query, bytes: bytesOf(context), maxRows }));
      },
    }),
    'GET /imports': route({
      operationId: 'listImports',
      ...own,
      query: ImportQuery,
      answers: { 200: ImportPage },
      handle: async ({ owner, query }) => ok(await listImports(deps.db, owner, query)),
    }),
    'GET /imports/{id}': route({
      operationId: 'readImport',
      ...onOne,
      answers: { 200: Import },
      handle: async ({ owner, params }) => ok(await importJobs.read(deps.db, owner, params.id)),
    }),
    'GET /imports/{id}/errors': route({
      operationId: 'listImportErrors',
      ...onOne,
      query: IssueQuery,
      answers: { 200: ImportIssues },
      handle: async ({ owner, params, query }) =>
        ok(await readImportIssues(deps.db, owner, params.id, query)),
    }),
  };
}

type Context = RequestContext<
  KeyAccess,
  z.output<typeof ImportBody>,
  z.output<typeof ImportsQuery>,
  undefined
>;

/** POST /imports: checks the whole file, then records its rows or queues them for a worker. */
export async function createImport(deps: ImportDeps, context: Context): Promise<TypedAnswer<202, Import>> {
  const { clock, withIdempotency, wakes } = deps;
  const { caller, claim } = context;
  const now = clock.now();
  const prepared = await prepare(deps, context, now).catch((refusal: Error) => refusal);
  if (prepared instanceof Error && !claim) throw prepared;
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    // Not earlier: a repeated request gets its first answer, even if its mapping has been deleted
    // since.
    if (prepared instanceof Error) throw prepared;
    const importId = deps.ids.at(now);
    const { plan, totalRows, warnings } = prepared;
    const { header, mapping } = plan;
    await insertImport(tx, {
      importId,
      reporter: caller,
      plan: { header, rules: mapping.rules },
      totalRows,
      warningCount: warnings.length,
      createdAt: now,
    });
    const target = { platformId: caller.platformId, importId };
    await insertIssues(tx, target, 'warning', 0, warnings);
    if ('rows' in prepared) {
      const { importMaxStoredErrors: maxStoredErrors } = deps.config;
      const recorded = { ledger: deps.ledger, importId, reporter: caller, maxStoredErrors, now };
      await recordRows(tx, prepared.rows, recorded);
      await endImport(tx, deps.ids, now, { importId, reporter: caller, status: 'COMPLETED', error: null });
    } else {
      await insertChunks(tx, importId, prepared.chunks, createYielder(deps.mustYield));
      await enqueueJob(tx, { jobId: importId, kind: IMPORT_JOB, platformId: caller.platformId }, now);
    }
    const answer: TypedAnswer<202, Import> = {
      status: 202,
      body: await importJobs.read(tx, caller, importId),
    };
    return answer;
  }).finally(() => {
    if ('chunks' in prepared) freeBlocks(prepared.chunks);
  });
  if (prepared instanceof Error || 'chunks' in prepared) wakes.raise('jobs');
  else wakes.raise('scores', 'deliveries');
  return withLocation(answer, `/imports/${answer.body.id}`);
}

/** A valid file: as events to record now, or as chunks to queue. */
type Prepared = { plan: ImportPlan; totalRows: number; warnings: readonly RowIssue[] } & (
  | { rows: MappedRows }
  | { chunks: readonly Uint8Array<ArrayBuffer>[] }
);

async function prepare(deps: ImportDeps, context: Context, now: Date): Promise<Prepared> {
  const { db, erased, runsWorker } = deps;
  const { caller } = context;
  const { plan, file, warnings } = await plannedFile(deps, context);
  const common = { plan, totalRows: file.totalRows, warnings };
  if (file.totalRows <= INLINE_ROWS) {
    const isErased = erased.among(caller);
    const options = { plan, livemode: caller.livemode, now, isErased, yieldTurn: createYielder() };
    const { mapped, failures } = await mapRows(rowsOfChunks(file.chunks), options);
    const inFileOrder = failures.toSorted((a, b) => a.row - b.row);
    return { ...common, rows: inLockOrder({ mapped, failures: inFileOrder }, caller) };
  }
  if (!(await isQueueServed(db, now, runsWorker))) {
    fail('IMPORT_QUEUE_UNAVAILABLE', { headers: { 'Retry-After': '30' } });
  }
  return { ...common, chunks: file.chunks };
}
