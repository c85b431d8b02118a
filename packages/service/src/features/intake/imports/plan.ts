import type { z } from 'zod';
import { fail, failValidation, sentenceOf } from '../../../domain/errors.js';
import { usableMapping } from '../../../domain/mapping/compileMapping.js';
import { type Mapping, rulesOf } from '../../../domain/mapping/mapping.js';
import { quoted } from '../../../domain/mapping/unusable.js';
import type { Owner } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { chosenMapping, type MappingChoice } from '../mappings.js';
import { chunkRowsOf } from './chunks.js';
import type { FileReader, TakenFile } from './importThread.js';
import type { CreateQuery, ImportBody, RowIssue } from './store.js';

/** How the rows of a file become events, as stored with the import. */
export interface StoredPlan {
  readonly header: readonly string[];
  /** JSON of the mapping. */
  readonly rules: unknown;
}

export interface ImportPlan {
  readonly header: readonly string[];
  readonly mapping: Mapping;
}

/** Compiles the stored plan of an accepted import. */
export function reopenPlan({ header, rules }: StoredPlan): ImportPlan {
  return { header, mapping: usableMapping(rules) };
}

/**
 * Throws INGEST_MAPPING_INVALID with every column that the mapping reads and the file does not
 * have. Rules with a default are not checked, so one mapping can serve different files.
 */
export function assertColumns({ header, mapping }: ImportPlan): void {
  const columns = new Set(header);
  const details = rulesOf(mapping).flatMap(({ at, path, hasDefault }) => {
    if (path === null || hasDefault || columns.has(path)) return [];
    const message = `names a column that the file does not have: ${quoted(path)}. Its columns are ${listOf(header)}`;
    return [
      { path: `${at}.path`, code: 'invalid_value' as const, message, expected: header.slice(0, MAX_NAMED) },
    ];
  });
  if (details.length > 0) fail('INGEST_MAPPING_INVALID', { message: sentenceOf(details), details });
}

const MAX_NAMED = 50;

function listOf(header: readonly string[]): string {
  const named = header.slice(0, MAX_NAMED).map(quoted).join(', ');
  if (header.length === 1)
    return `${named} only. If its columns are not separated by commas, name the \`separator\``;
  return header.length > MAX_NAMED ? `${named} and ${header.length - MAX_NAMED} more` : named;
}

/** The file of a request. */
interface FileRequest {
  readonly caller: Owner;
  readonly body: z.output<typeof ImportBody>;
  readonly query: z.output<typeof CreateQuery>;
}

/** A file with the plan that turns its rows into events. */
interface PlannedFile {
  plan: ImportPlan;
  file: TakenFile;
  /** About the request itself. */
  warnings: readonly RowIssue[];
}

/** Reads the mapping and the whole file of a request. Throws if either cannot be used. */
export async function plannedFile(
  { config, db, readFile }: Pick<ServiceDeps, 'config' | 'db'> & { readFile: FileReader },
  request: FileRequest,
): Promise<PlannedFile> {
  const { body, caller, query } = request;
  const mapping = await chosenMapping(db, caller, mappingChoice(request));
  const file = await readFile({
    bytes: bytesOf(body.csv),
    maxRows: config.importMaxRows,
    separator: query.separator,
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

function bytesOf(csv: unknown): Uint8Array<ArrayBuffer> {
  if (csv instanceof Uint8Array) return csv as Uint8Array<ArrayBuffer>;
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
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({
      row: 0,
      code: 'UNKNOWN_FIELD',
      reason: `"${name.slice(0, 60)}" is not a field of an import and was ignored.`,
    }));
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['csv', 'mapping', 'mappingId']);
const MAX_UNKNOWN = 20;
