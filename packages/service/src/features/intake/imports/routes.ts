import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createImport } from './createImport.js';
import type { ImportDeps } from './deps.js';
import { listOwnImports, readImport, readImportIssues } from './readImports.js';
import {
  CreateQuery,
  CSV_EXAMPLE,
  Import,
  ImportBody,
  ImportIssues,
  ImportPage,
  ImportQuery,
  IssueQuery,
  importPath,
} from './schemas.js';

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** Whole files of history. */
export function importRoutes(deps: ImportDeps): RouteTable {
  const common = { access: keyFor('events'), tag: 'Imports' };
  return {
    'POST /imports': route({
      operationId: 'createImport',
      ...common,
      summary: 'Import a CSV',
      description:
        'Takes a file with one outcome in each row, as `text/csv` with `?mappingId=` or as JSON, up to 32 MiB. The file is read ' +
        'strictly before the answer: UTF-8, columns separated by commas, quotation marks as RFC 4180 has them, a header line whose ' +
        'names are unique. A mapping that reads a column the file does not have is refused unless the rule has a `default`. Up to ' +
        '100 rows are recorded at once, more by a worker: follow `Location`, or wait for `import.completed`. A row that is not ' +
        'good, or has more or fewer cells than the header, fails alone; the reasons are at `/imports/{id}/errors`. Events keep ' +
        'their true dates, carry `metadata.autoImported`, count as MEDIUM stake at most, and are verified only where the mapping ' +
        'resolves `verifiedBy`. Map an `idempotencyKey`, and a file can be sent again without writing a row twice. Scores ' +
        'follow when the import ends.',
      writesLedger: true,
      idempotent: true,
      body: ImportBody,
      csvBody: { example: CSV_EXAMPLE },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: CreateQuery,
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
    'GET /imports': route({
      operationId: 'listImports',
      ...common,
      summary: 'List imports',
      description: 'Those of the mode of the key, newest first.',
      query: ImportQuery,
      answers: { 200: ImportPage },
      handle: (context) => listOwnImports(deps, context),
    }),
    'GET /imports/{id}': route({
      operationId: 'readImport',
      ...common,
      summary: 'Read an import',
      description: 'How far it is. The counts move while it runs.',
      params: importPath,
      answers: { 200: Import },
      errors: ['NOT_FOUND'],
      handle: (context) => readImport(deps, context),
    }),
    'GET /imports/{id}/errors': route({
      operationId: 'listImportErrors',
      ...common,
      summary: 'Read what went wrong with rows',
      description:
        'The rows that failed, and the warnings about rows that were recorded. `limit` and `offset` are one window over both ' +
        'lists: go on until both are empty. A thousand of each are kept.',
      params: importPath,
      query: IssueQuery,
      answers: { 200: ImportIssues },
      errors: ['NOT_FOUND'],
      handle: (context) => readImportIssues(deps, context),
    }),
  };
}
