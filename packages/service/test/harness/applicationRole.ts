import { onServer } from './postgresCluster.js';

/** Roles belong to the server, so the databases of all tests share this one. */
export const APPLICATION_ROLE = 'reliability_test_application';

const DUPLICATE = new Set(['42710', '23505']);

/** A role without any right of its own. Several test files may create it at once. */
export async function createApplicationRole(server: string): Promise<void> {
  await onServer(server, async (admin) => {
    const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [APPLICATION_ROLE]);
    if (rowCount !== 0) return;
    await admin.query(`create role ${APPLICATION_ROLE} login`).catch((error: Error & { code?: string }) => {
      if (!DUPLICATE.has(error.code ?? '')) throw error;
    });
  });
}

/** The same database for a role that does not own the tables, as OPERATIONS recommends. */
export function applicationUrl(url: string): string {
  const changed = new URL(url);
  changed.username = APPLICATION_ROLE;
  changed.password = '';
  return changed.href;
}
