import type { Queryable, Tx } from '#kit/db/database.js';
import { runScript } from '#kit/db/transaction.js';
import { isGlobal } from '../groups/store.js';

const ALL = 'insert, update, delete';

/** Tables that the application writes as it likes: what is derived from the ledger, and all else. */
const WRITABLE = `
  subject_search score recompute_queue recompute_failure remote_member tally_outbox record_freeze group_commit
  log_witness witnessed_log idempotency item_key job worker_heartbeat signing_key installation ledger_cluster
  platform ledger_group api_key activity usage_daily quota_usage quota_warning console_user console_session console_sign_in
  envelope outbox_queue webhook delivery notification_channel monitor policy stream_lease status_sample
  link_token qualification project erasure_work share_token status_list status_entry credential_offer wallet_nonce record_link
  confirmation reference_request witness_token activation_campaign
  benchmark_member benchmark_edition benchmark_own screening screening_chunk backtest
  analytics_event_day analytics_outcome_day analytics_score_day analytics_score_part analytics_progress book_histogram
  import_job import_issue import_chunk saved_mapping`;

const append = 'insert';

/**
 * What the application's role may do with each table in addition to reading, as `grant` reads it, if another role
 * owns the schema. The ledger and its log: only what the code needs, so that a program with the
 * application's password cannot rewrite the past. Nobody but the owner may truncate, or create and
 * disable triggers. A test compares this list with the migrated schema.
 */
export const tablePrivileges: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    WRITABLE.trim()
      .split(/\s+/)
      .map((table) => [table, ALL]),
  ),
  // An append counts and locks the subject; the facts that define it never change.
  subject:
    'insert, update (subject_type, record_id, event_count, last_activity_at, velocity_cleared_at, is_scored, is_own, declaration_no, display_name, named_at, search_text)',
  event: append,
  // Retention and erasure drop texts.
  event_text: 'insert, delete',
  event_text_hash: 'insert, delete',
  // Erasure empties facts; a trigger refuses other changes.
  declaration_fact: 'insert, update (facts)',
  erasure: append,
  subject_link: append,
  freeze_fact: append,
  // A dispute ends once.
  dispute: 'insert, update (status, lapsed, resolved_at, outcome_event_id)',
  // A review ends once, and loses its texts. What opened it is a fact.
  review: 'insert, update (text, answer, reviewer, status, outcome, answered_at, reminded_at, overdue_at)',
  setting_in_force: append,
  tally: 'insert, update (count)',
  // Retention marks what it has looked at.
  score_snapshot: 'insert, update (is_kept)',

  log_queue: 'insert, delete',
  log_state: 'update (tree_size, complete_until, halted, signed_head)',
  // Erasure drops salts; a trigger refuses other values.
  log_fact: 'insert, update (salt)',
  // A trigger refuses changes of hashes that are set.
  log_block: 'insert, update (filled, hashes)',
  log_checkpoint: 'insert, update (cosignatures, published_at)',
  log_note: append,

  schema_migration: '',
  // Only the newest results are kept.
  audit_run: 'insert, delete',
};

export const ownerFunctions = [
  'delete_test_subjects(uuid)',
  'delete_test_facts(uuid[])',
  'delete_test_erasures(uuid[])',
  'clear_erased_subject(uuid)',
  'delete_decay_snapshots(uuid[], integer[])',
] as const;

/** Whole-table privileges that would let the role rewrite or bypass the ledger. */
export function forbiddenPrivileges(privileges: string): string[] {
  if (privileges === ALL) return [];
  return ['UPDATE', ...(privileges.endsWith('delete') ? [] : ['DELETE']), 'TRUNCATE', 'TRIGGER'];
}

/** Those of the tables in the schema of a handle's ledger group: the shared ones are in the first alone. */
export function privilegesIn({ ledgers }: Pick<Queryable, 'ledgers'>): [table: string, privileges: string][] {
  return Object.entries(tablePrivileges).filter(([table]) => ledgers.own === 0 || !isGlobal(table));
}

interface RoleFacts {
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
