import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import type { ImportDeps } from './deps.js';
import type { ImportRecord } from './importRecord.js';
import type { ImportQuery, IssueQuery, importPath } from './schemas.js';
import { countIssues, findImport, listImports, type Owner, readIssues } from './store.js';

type Path = z.output<typeof importPath>;
type ReadDeps = Pick<ImportDeps, 'db'>;

/** GET /imports: newest first. */
export async function listOwnImports(
  { db }: ReadDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ImportQuery>, undefined>,
): Promise<Answer> {
  return ok(
    await listImports(
      db,
      { ...caller, status: query.status ?? null },
      newestPositionOf(query.cursor),
      query.limit,
    ),
  );
}

/** GET /imports/{id}: its counts move while it runs. */
export async function readImport(
  { db }: ReadDeps,
  { caller, params }: RequestContext<KeyAccess, undefined, undefined, Path>,
): Promise<Answer> {
  return ok(await importOf(db, caller, params.id));
}

/** GET /imports/{id}/errors: one window over both lists. */
export async function readImportIssues(
  { db }: ReadDeps,
  { caller, params, query }: RequestContext<KeyAccess, undefined, z.output<typeof IssueQuery>, Path>,
): Promise<Answer> {
  const { id, failedCount, warningCount } = await importOf(db, caller, params.id);
  const [kept, errors, warnings] = await Promise.all([
    countIssues(db, caller, id),
    readIssues(db, caller, id, 'error', query),
    readIssues(db, caller, id, 'warning', query),
  ]);
  const truncated = failedCount > kept.errors || warningCount > kept.warnings;
  return ok({ errors, warnings, failedCount, truncated, limit: query.limit, offset: query.offset });
}

async function importOf(db: ImportDeps['db'], owner: Owner, id: string): Promise<ImportRecord> {
  return (isUuid(id) ? await findImport(db, owner, id) : null) ?? fail('NOT_FOUND');
}
