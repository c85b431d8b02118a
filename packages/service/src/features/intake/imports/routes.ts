import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createImport, type ImportDeps } from './createImport.js';
import { dryRunImport } from './dryRun.js';
import { DryRun, DryRunQuery } from './dryRunSchemas.js';
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
import { listImports, readImport, readImportIssues } from './store.js';

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** CSV files of past outcomes. */
export function importRoutes(deps: ImportDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Imports' };
  const onOne = { ...own, params: importPath, errors: ['NOT_FOUND'] } as const;
  return {
    'POST /imports': route({
      operationId: 'createImport',
      ...own,
      summary: 'Import a CSV',
      description:
        'Takes a file with one outcome in each row, as `text/csv` with `?mappingId=` or as JSON, up to 32 MiB. A cell may have ' +
        '65 536 characters, a row 1 MiB, and what is in a JSON body besides `csv` 1 MiB. The whole file is ' +
        'checked before the answer: UTF-8, columns separated by commas or the `separator`, quotation marks according to RFC 4180, a header line with ' +
        'unique names. A mapping that reads a missing column is refused unless the rule has a `default`. Up to 100 rows are ' +
        'recorded at once. A worker records larger files: poll `Location`, or wait for `import.completed`. An invalid row, or one ' +
        'with more or fewer cells than the header, fails alone; `/imports/{id}/errors` has the reasons. Events keep their ' +
        'dates, carry `metadata.autoImported` and have at most MEDIUM stake. They are verified only if the mapping ' +
        'resolves `verifiedBy`. Map an `idempotencyKey`, and a file can be sent again without writing a row twice. Scores ' +
        'follow when the import ends.',
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
    'POST /imports/dry-run': route({
      operationId: 'dryRunImport',
      ...own,
      access: keyFor('events', 'either'),
      summary: 'Try an import',
      description:
        'Reads a file and a mapping as `POST /imports` does, and writes nothing. Shows the first rows as events, counts what would ' +
        'be recorded, skipped and refused, and groups the failures by reason. The limits of an import apply. Two things are ' +
        'known only when the file is imported: whether a subject was declared as an agent or a business, which can lower ' +
        '`isVerified`, and which keys and subjects other requests use in the meantime.',
      body: ImportBody,
      csvBody: { example: CSV_EXAMPLE },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: DryRunQuery,
      answers: { 200: DryRun },
      errors: ['IMPORT_CSV_INVALID', 'IMPORT_TOO_MANY_ROWS', 'INGEST_MAPPING_INVALID', 'NOT_FOUND'],
      handle: async (context) => ok(await dryRunImport(deps, context)),
    }),
    'GET /imports': route({
      operationId: 'listImports',
      ...own,
      summary: 'List imports',
      description: 'The imports in the mode of the key, newest first.',
      query: ImportQuery,
      answers: { 200: ImportPage },
      handle: async ({ owner, query }) => ok(await listImports(deps.db, owner, query)),
    }),
    'GET /imports/{id}': route({
      operationId: 'readImport',
      ...onOne,
      summary: 'Read an import',
      description: 'Its status and its counts. The counts grow while it runs.',
      answers: { 200: Import },
      handle: async ({ owner, params }) => ok(await readImport(deps.db, owner, params.id)),
    }),
    'GET /imports/{id}/errors': route({
      operationId: 'listImportErrors',
      ...onOne,
      summary: 'List errors and warnings of rows',
      description:
        'The rows that failed, and the warnings about rows that were recorded. `limit` and `offset` apply to both ' +
        'lists: continue until both are empty. By default 1000 of each are stored. To send failed rows again, correct their `cells` ' +
        'and put them below the `columns` in a new file. Send it with the `mapping`.',
      query: IssueQuery,
      answers: { 200: ImportIssues },
      handle: async ({ owner, params, query }) =>
        ok(await readImportIssues(deps.db, owner, params.id, query)),
    }),
  };
}
