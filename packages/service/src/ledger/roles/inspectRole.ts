import type { Queryable } from '../../kit/db/database.js';
import { forbiddenPrivileges, ownerFunctions, privilegesIn } from './privileges.js';

/** What the role of this process could do to the ledger. */
export interface RoleFacts {
  role: string;
  isSuperuser: boolean;
  /** It owns tables of the ledger, or is a member of the role that does. */
  ownsLedger: boolean;
  /** Privileges that the application does not need, as `DELETE on event`. Owners and superusers have all. */
  surplus: readonly string[];
}

const INSPECT = `
select current_user::text as role,
  (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
  exists (
    select from pg_class c where c.relnamespace = current_schema()::regnamespace
      and c.relname = any($1::text[]) and pg_has_role(c.relowner, 'member')
  ) as owns_ledger,
  array(
    select privilege || ' on ' || name
    from unnest($1::text[], $2::text[]) as forbidden (name, privilege)
    where has_table_privilege(to_regclass(name), privilege) -- a worker of Citus lacks the tables of the first group
    union all select 'CREATE on the schema' where has_schema_privilege(current_schema(), 'create')
    union all select 'SET session_replication_role' where has_parameter_privilege('session_replication_role', 'set')
    order by 1
  ) as surplus`;

/** The role of this process, and what it could do. */
export async function inspectRole(db: Queryable): Promise<RoleFacts> {
  const forbidden = privilegesIn(db).flatMap(([table, privileges]) =>
    forbiddenPrivileges(privileges).map((privilege) => ({ table, privilege })),
  );
  const [facts] = await db.query<RoleFacts>(INSPECT, [
    forbidden.map(({ table }) => table),
    forbidden.map(({ privilege }) => privilege),
  ]);
  if (!facts) throw new Error('the database does not name the current role');
  return facts.isSuperuser || facts.ownsLedger ? { ...facts, surplus: [] } : facts;
}

/** Whether the role can neither rewrite the ledger nor disable its triggers. */
export function isApplicationRole({ isSuperuser, ownsLedger, surplus }: Omit<RoleFacts, 'role'>): boolean {
  return !isSuperuser && !ownsLedger && surplus.length === 0;
}

export async function currentRole(db: Queryable): Promise<string> {
  const [row] = await db.query<{ role: string }>('select current_user::text as role');
  if (!row) throw new Error('the database does not name the current role');
  return row.role;
}

/** Whether the role was granted what this version needs: reading every table, and the functions of the owner. */
export async function isGranted(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isGranted: boolean }>(
    `select coalesce(bool_and(has_table_privilege(to_regclass(name), 'select')), false)
       and (select bool_and(has_function_privilege(name, 'execute')) from unnest($2::text[]) as function (name)) as is_granted
     from unnest($1::text[]) as known (name)`,
    [privilegesIn(db).map(([table]) => table), ownerFunctions],
  );
  return row?.isGranted ?? false;
}
