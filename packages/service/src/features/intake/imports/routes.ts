import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { createImport, type ImportDeps } from './createImport.js';
import { dryRunImport } from './dryRun.js';
import { DryRun, DryRunQuery } from './dryRunSchemas.js';
import {
  CreateQuery,
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
      idempotent: true,
      body: ImportBody,
      csvBody: true,
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
      body: ImportBody,
      csvBody: true,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      query: DryRunQuery,
      answers: { 200: DryRun },
      errors: ['IMPORT_CSV_INVALID', 'IMPORT_TOO_MANY_ROWS', 'INGEST_MAPPING_INVALID', 'NOT_FOUND'],
      handle: async (context) => ok(await dryRunImport(deps, context)),
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
      handle: async ({ owner, params }) => ok(await readImport(deps.db, owner, params.id)),
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
