import type { Tx } from '../../kit/db/database.js';
import { runScript } from '../../kit/db/transaction.js';
import { ownerFunctions, privilegesIn } from './privileges.js';

/**
 * Gives the application's role exactly the privileges of `tablePrivileges`, and takes all others
 * away. Runs as the owner of the schema, after the migrations. Readers notice nothing: it is one
 * transaction. Processes take turns, because PostgreSQL refuses two changes of the same privileges.
 */
export async function grantToApplication(tx: Tx, role: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('application role', 0))");
  const [quoted] = await tx.query<{ role: string; schema: string }>(
    'select quote_ident($1) as role, quote_ident(current_schema()) as schema',
    [role],
  );
  if (!quoted) throw new Error('the database quotes no names');
  await runScript(tx, grantScript(quoted, privilegesIn(tx)));
}

function grantScript(
  { role, schema }: { role: string; schema: string },
  granted: readonly [table: string, privileges: string][],
): string {
  const tables = granted.map(
    ([table, privileges]) => `grant select${privileges && `, ${privileges}`} on ${table} to ${role}`,
  );
  return [
    `grant usage on schema ${schema} to ${role}`,
    `revoke create on schema ${schema} from ${role}`,
    `revoke all on all tables in schema ${schema} from ${role}`,
    ...tables,
    ...ownerFunctions.map((name) => `grant execute on function ${name} to ${role}`),
  ].join(';\n');
}
