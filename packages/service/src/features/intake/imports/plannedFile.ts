import type { Encoding } from '@reliability/client/csv-file';
import type { z } from 'zod';
import { failValidation } from '#domain/errors.js';
import type { Owner } from '#kit/http/route.js';
import { findUnstorable } from '#kit/http/text.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { chosenMapping, type MappingChoice } from '../mappings.js';
import { chunkRowsOf } from './chunks.js';
import type { FileReader, TakenFile } from './importThread.js';
import { assertColumns, type ImportPlan } from './plan.js';
import type { CreateQuery, ImportBody, RowIssue } from './store.js';

export type ImportDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'clock' | 'ids' | 'erased' | 'ledger' | 'withIdempotency' | 'wakes'
> & {
  readFile: FileReader;
  /** True while requests need the processor. */
  mustYield(): boolean;
  /** Whether this process works on queued jobs itself. */
  runsWorker: boolean;
};

/** The file of a request. */
interface FileRequest {
  readonly caller: Owner;
  readonly body: z.output<typeof ImportBody>;
  readonly query: z.output<typeof CreateQuery>;
  readonly hasUnstorable: boolean;
  header(name: string): string | undefined;
}

/** A file with the plan that turns its rows into events. */
interface PlannedFile {
  plan: ImportPlan;
  file: TakenFile;
  /** About the request itself. */
  warnings: readonly RowIssue[];
}

type Bytes = Uint8Array<ArrayBuffer>;

interface SentFile {
  readonly body: { readonly csv?: unknown };
  readonly query: { readonly encoding?: Encoding | undefined };
  header(name: string): string | undefined;
}

/** Reads the mapping and the whole file of a request. Throws if either cannot be used. */
export async function plannedFile(
  { config, db, readFile }: Pick<ImportDeps, 'config' | 'db' | 'readFile'>,
  request: FileRequest,
): Promise<PlannedFile> {
  const { body, caller, query, hasUnstorable } = request;
  // In the text of the file it is the fault of a row.
  const { csv: _, ...besides } = body;
  const unstorable = hasUnstorable ? findUnstorable(besides) : null;
  if (unstorable) failValidation([unstorable]);
  const mapping = await chosenMapping(db, caller, mappingChoice(request));
  const file = await readFile({
    bytes: bytesOf(request),
    maxRows: config.importMaxRows,
    separator: query.separator,
    encoding: query.encoding,
    userColumn: mapping.fields.find(({ field }) => field === 'userId')?.rule.path ?? null,
    chunkRows: chunkRowsOf(db),
  });
  const plan = { header: file.header, mapping };
  assertColumns(plan);
  return { plan, file, warnings: unknownFields(body) };
}

/** With a CSV body the mapping's id comes from the query. */
function mappingChoice({ body, query }: FileRequest): MappingChoice {
  const { mapping, mappingId } = body;
  if (typeof mappingId === 'string' && query.mappingId !== undefined) {
    failValidation([
      { path: 'mappingId', code: 'custom', message: 'is both in the query and in the body. Send it once' },
    ]);
  }
  return { mapping: mapping ?? undefined, mappingId: mappingId ?? query.mappingId };
}

/** Text in JSON is UTF-8, so only the file itself can have another encoding. */
export function bytesOf({ body: { csv }, query, header }: SentFile): Bytes {
  const isFile = /^text\/csv\b/i.test(header('content-type') ?? '');
  if (!isFile && query.encoding !== undefined && query.encoding !== 'utf-8') {
    const message = 'is for a body of text/csv: the text of a file in JSON is always UTF-8';
    failValidation([{ path: 'encoding', code: 'custom', message }]);
  }
  if (csv instanceof Uint8Array) return csv as Bytes;
  if (typeof csv === 'string') return Buffer.from(csv);
  const isMissing = csv === undefined;
  const message = isMissing ? 'is required' : 'must be a string: the text of the file';
  return failValidation([
    { path: 'csv', code: isMissing ? 'required' : 'invalid_type', message, expected: 'string' },
  ]);
}

/**
 * Unknown fields of a JSON body are not ignored silently (RULES X3). Row 0 is the request itself.
 */
function unknownFields(body: object): RowIssue[] {
  return Object.keys(body)
    .filter((name) => !KNOWN_FIELDS.has(name))
    .slice(0, MAX_NAMED)
    .map((name) => ({
      row: 0,
      code: 'UNKNOWN_FIELD',
      reason: `"${name.slice(0, 60)}" is not a field of an import and was ignored.`,
    }));
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['csv', 'mapping', 'mappingId']);
const MAX_NAMED = 20;
