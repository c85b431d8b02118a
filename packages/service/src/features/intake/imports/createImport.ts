import type { z } from 'zod';
import { fail, failValidation } from '../../../domain/errors.js';
import { createYielder } from '../../../kit/backpressure/yielder.js';
import type { Tx } from '../../../kit/db/database.js';
import type { Answer } from '../../../kit/http/answer.js';
import { API_PREFIX, type KeyAccess, type KeyCaller, type RequestContext } from '../../../kit/http/route.js';
import { enqueueJob, isQueueServed } from '../../../kit/jobs/jobs.js';
import { chosenMapping, type MappingChoice } from '../chosenMapping.js';
import type { ImportDeps } from './deps.js';
import { endImport } from './endImport.js';
import type { RowIssue } from './importRecord.js';
import { type MappedRows, mapRows } from './mapRows.js';
import { assertColumns, type ImportPlan } from './plan.js';
import { inLockOrder, recordRows } from './recordRows.js';
import { IMPORT_JOB } from './runImport.js';
import type { CreateQuery, ImportBody } from './schemas.js';
import { findImport, insertIssues } from './store.js';
import { insertChunks, insertImport, noteWarnings } from './workStore.js';

type Context = RequestContext<
  KeyAccess,
  z.output<typeof ImportBody>,
  z.output<typeof CreateQuery>,
  undefined
>;

/** POST /imports: the file is read once, whole, and refused here if it cannot be; its rows are recorded now or by a worker. */
export async function createImport(deps: ImportDeps, context: Context): Promise<Answer> {
  const { clock, jobs, withIdempotency, outbox, signal } = deps;
  const { caller, claim } = context;
  const now = clock.now();
  const prepared = await prepare(deps, context, now).catch((refusal: Error) => refusal);
  if (prepared instanceof Error && !claim) throw prepared;
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    // Only now: a request that is sent again gets its first answer, even if its mapping has gone since.
    if (prepared instanceof Error) throw prepared;
    const importId = deps.ids.at(now);
    const { plan, totalRows, warnings } = prepared;
    const { header, mapping } = plan;
    await insertImport(tx, {
      importId,
      reporter: caller,
      plan: { header, rules: mapping.rules },
      totalRows,
      createdAt: now,
    });
    await warnOf(tx, caller, importId, warnings);
    if ('rows' in prepared) await recordNow(tx, deps, { importId, caller, rows: prepared.rows, now });
    else {
      await insertChunks(tx, importId, prepared.chunks, createYielder(deps.mustYield));
      await enqueueJob(tx, { jobId: importId, kind: IMPORT_JOB, platformId: caller.platformId }, now);
    }
    return { status: 202, body: await findImport(tx, caller, importId) };
  });
  if (prepared instanceof Error || 'chunks' in prepared) jobs.queued();
  else {
    signal.queued();
    outbox.written();
  }
  return withLocation(answer);
}

/** A file that can be imported: few rows are events already, many are to be stored. */
type Prepared = { plan: ImportPlan; totalRows: number; warnings: readonly RowIssue[] } & (
  | { rows: MappedRows }
  | { chunks: readonly Uint8Array<ArrayBuffer>[] }
);

async function prepare(
  { config, db, readFile, runsWorker }: ImportDeps,
  context: Context,
  now: Date,
): Promise<Prepared> {
  const { body, caller } = context;
  const mapping = await chosenMapping(db, caller, mappingChoice(context));
  const file = await readFile({
    bytes: bytesOf(body.csv),
    maxRows: config.importMaxRows,
    userColumn: mapping.fields.find(({ field }) => field === 'userId')?.rule.path ?? null,
    engine: db.engine,
  });
  const plan = { header: file.header, mapping };
  assertColumns(plan);
  const common = { plan, totalRows: file.totalRows, warnings: unknownFields(body) };
  if ('rows' in file) {
    const options = { plan, livemode: caller.livemode, now, yieldTurn: createYielder() };
    return { ...common, rows: inLockOrder(await mapRows(file.rows, options), caller) };
  }
  if (!(await isQueueServed(db, now, runsWorker))) {
    fail('IMPORT_QUEUE_UNAVAILABLE', { headers: { 'Retry-After': '30' } });
  }
  return { ...common, chunks: file.chunks };
}

/** With a CSV body only the query can name a mapping. */
function mappingChoice({ body, query }: Context): MappingChoice {
  const { mapping, mappingId } = body;
  if (typeof mappingId === 'string' && query.mappingId !== undefined) {
    failValidation([
      { path: 'mappingId', code: 'custom', message: 'is given twice: in the query and in the body' },
    ]);
  }
  return { mapping: mapping ?? undefined, mappingId: mappingId ?? query.mappingId };
}

function bytesOf(csv: unknown): Uint8Array {
  if (csv instanceof Uint8Array) return csv;
  if (typeof csv === 'string') return Buffer.from(csv);
  const isMissing = csv === undefined;
  const message = isMissing ? 'is required' : 'must be a string: the text of the file';
  return failValidation([
    { path: 'csv', code: isMissing ? 'required' : 'invalid_type', message, expected: 'string' },
  ]);
}

/** Of a JSON body; a mistyped name would else be dropped in silence (RULES X3). Row 0 is the request itself. */
function unknownFields(body: object): RowIssue[] {
  return Object.keys(body)
    .filter((name) => !KNOWN_FIELDS.has(name))
    .slice(0, MAX_NAMED)
    .map((name) => ({
      row: 0,
      code: 'UNKNOWN_FIELD',
      reason: `"${name.slice(0, 60)}" is no field of an import and was ignored.`,
    }));
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['csv', 'mapping', 'mappingId']);
const MAX_NAMED = 20;

async function warnOf(tx: Tx, { platformId }: KeyCaller, importId: string, warnings: readonly RowIssue[]) {
  if (warnings.length === 0) return;
  await noteWarnings(tx, platformId, importId, warnings.length);
  await insertIssues(tx, { platformId, importId }, 'warning', 0, warnings);
}

interface FewRows {
  importId: string;
  caller: KeyCaller;
  rows: MappedRows;
  now: Date;
}

async function recordNow(
  tx: Tx,
  { config, ids, ledger }: ImportDeps,
  { importId, caller: reporter, rows, now }: FewRows,
): Promise<void> {
  const { importMaxStoredErrors: maxStoredErrors } = config;
  await recordRows(tx, rows, { ledger, importId, reporter, maxStoredErrors, now });
  await endImport(tx, ids, now, { importId, reporter, status: 'COMPLETED', error: null });
}

/** A replay gets it, too: it is not kept with the answer. */
function withLocation(answer: Answer): Answer {
  const { id } = Object(answer.body) as { id: string };
  return { ...answer, headers: { ...answer.headers, Location: `${API_PREFIX}/imports/${id}` } };
}
