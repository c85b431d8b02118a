import type { ServerAddress } from '#kit/db/databaseUrl.js';
import { quoted, schemaOfGroup } from '#kit/db/groups.js';
import type { StatementRules } from '#kit/db/pooledDatabase.js';
import { beginIn, type TransactionMode } from '#kit/db/transaction.js';
import type { Queryable } from '#kit/db/types.js';

/** Where Citus keeps the tables of a distributed group. */
export interface Placement {
  node: ServerAddress;
  /** One of the shards: all of them move together. */
  shardId: string;
  shards: Shards;
}

/** Asks the coordinator. Throws if the group is not distributed. */
export async function findPlacement(coordinator: Queryable, group: number): Promise<Placement> {
  const rows = await coordinator.query<Record<'table' | 'shardId' | 'host', string> & { port: number }>(
    `select c.relname as "table", s.shardid::text as shard_id, n.nodename as host, n.nodeport as port
     from pg_dist_partition t join pg_dist_shard s using (logicalrelid) join pg_class c on c.oid = s.logicalrelid
       join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
     where n.noderole = 'primary' and c.relnamespace = to_regnamespace($1)`,
    [schemaOfGroup(group)],
  );
  const [first] = rows;
  if (!first) throw new Error(`the schema of ledger group ${group} is not distributed`);
  const { host, port, shardId } = first;
  const shards = new Map(rows.map((row) => [row.table, `${row.table}_${row.shardId}`]));
  return { node: { host, port }, shardId, shards };
}

/** The groups whose schemas are distributed; none where the database has no Citus. */
export async function findDistributed(db: Queryable): Promise<ReadonlySet<number>> {
  return new Set((await findNodes(db)).map(({ group }) => group));
}

/** The node of each distributed group, as `host:port`. */
export async function findNodes(db: Queryable): Promise<{ group: number; node: string }[]> {
  if (!(await hasCitus(db))) return [];
  return db.query(
    `select distinct substring(d.schemaid::regnamespace::text from '^ledger_group_(\\d+)$')::integer as "group",
       n.nodename || ':' || n.nodeport as node
     from pg_dist_schema d join pg_class c on c.relnamespace = d.schemaid
       join pg_dist_shard s on s.logicalrelid = c.oid
       join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
     where n.noderole = 'primary' and d.schemaid::regnamespace::text ~ '^ledger_group_\\d+$' order by 1`,
  );
}

export async function hasCitus(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isThere: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as is_there",
  );
  return row?.isThere === true;
}

/** The SQLSTATE of a transaction that began on a node which the group has left. */
export const GROUP_MOVED = 'LGMOV';

/** The SQLSTATE of a transaction that would have to wait for the end of a move. */
export const GROUP_HELD = 'LGHLD';

/**
 * Creates the guard. A statement that names a shard writes to a table that nobody reads any more if
 * the shard has moved to another node. So each transaction first takes the lock that Citus takes
 * for its own writes and that a move waits for, and then checks that the shard is still here.
 * A move holds the lock for seconds at its end. A write that waited for it would keep a connection,
 * and readers would find none. So the guard gives up at once, and the caller waits without one.
 * Reads do without the lock: until the move ends the shard has all rows.
 * The owner of the tables runs it, because Citus lets only the owner lock.
 */
export const CREATE_GUARD = [
  'ledger_group_is_here(bigint, boolean)',
  `create or replace function ledger_group_is_here(shard bigint, writes boolean) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '20ms' as $body$
begin
  if writes then
    begin
      perform lock_shard_metadata(5, array[shard]); -- 5: ShareLock
    exception when lock_not_available then
      raise exception 'a move holds back writes of the ledger group' using errcode = '${GROUP_HELD}';
    end;
  end if;
  if not exists (
    select from pg_dist_placement p join pg_dist_local_group l using (groupid) where p.shardid = shard
  ) then
    raise exception 'the ledger group has moved to another node' using errcode = '${GROUP_MOVED}';
  end if;
end
$body$`,
] as const;

/**
 * Gives the identity columns of a group's shards a default, which Citus gives to the shells alone. A
 * shard on a new node has none, so each process calls this on a node before it writes there. The
 * values go on behind those that the rows have.
 */
export const CREATE_PREPARE = [
  'ledger_group_prepare(text)',
  `create or replace function ledger_group_prepare(schema text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set citus.enable_ddl_propagation to off as $body$
declare
  shard text;
  column_name name;
  place text;
  next bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('preparation of ' || schema, 0));
  for shard, column_name, place in
    select format('%I.%I', schema, c.relname || '_' || s.shardid), a.attname,
      format('%I.%I', schema, c.relname || '_' || a.attname || '_place')
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_dist_shard s on s.logicalrelid = c.oid
    where c.relnamespace = to_regnamespace(schema) and a.attidentity <> ''
  loop
    continue when exists (
      select from pg_attribute where attrelid = shard::regclass and attname = column_name and atthasdef
    );
    execute format('create sequence if not exists %s', place);
    execute format('grant usage on sequence %s to public', place);
    execute format('select coalesce(max(%I), 0) + 1 from %s', column_name, shard) into next;
    perform setval(place::regclass, next, false);
    execute format('alter table %s alter column %I set default nextval(%L::regclass)', shard, column_name, place);
  end loop;
end
$body$`,
] as const;

/** Statements of a group on its node. `path` is its search path, `shared` the schema with the functions. */
export function statementsOn(placement: Placement, path: string, shared: string): StatementRules {
  const guard = `${quoted(shared)}.ledger_group_is_here(${BigInt(placement.shardId)}`;
  // Shards are found through the path of the transaction alone: a statement whose transaction did
  // not open finds nothing.
  const begin = (mode: TransactionMode) =>
    `${beginIn(mode)}; set local search_path to ${path}; select ${guard}, ${mode === 'write'})`;
  return {
    begin,
    beginFor: (text) => begin(isRead(text) ? 'read' : 'write'),
    rewrite: (text) => nameShards(text, placement.shards),
  };
}

/**
 * Whether a statement looks as if it only read. It then runs in a read-only transaction, so one that
 * writes after all fails.
 */
export function isRead(text: string): boolean {
  return /^\s*(?:select|with)\b/i.test(text) && !WRITES.test(text);
}

const WRITES = /\b(?:insert|update|share|nextval|ledger_group_prepare)\b|\b(?:delete|clear_)|advisory/i;

/*
 * In a distributed schema the table `event` is an empty shell that Citus plans every statement for.
 * Its rows are in the shard `event_102038` of the same schema, on the group's node. A statement that
 * names the shard costs what it costs on PostgreSQL, and every kind of statement works. A name that
 * is missed here still finds its rows, through Citus.
 */

/** The names of the shards of one schema: `event` → `event_102038`. */
type Shards = ReadonlyMap<string, string>;

/** Names shards in place of tables. */
export function nameShards(text: string, shards: Shards): string {
  const tokens = text.match(TOKEN) ?? [];
  for (const { at, name, hasAlias } of tablesIn(tokens, shards)) {
    // The alias keeps the columns' qualifiers valid.
    tokens[at] = hasAlias ? `${shards.get(name)}` : `${shards.get(name)} as ${name}`;
  }
  return tokens.join('');
}

/** Strings, quoted names, comments, words, spaces; any other character is a token of its own. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[a-z_][a-z0-9_]*|\s+|.|\n/gi;
const BEFORE_A_TABLE = new Set(['from', 'join', 'into', 'update', 'only', 'using']);
/** What follows a table without an alias, where that is a word. */
const AFTER_A_TABLE = new Set(
  (
    'where join left right full inner cross natural on using order group having limit offset fetch set values select ' +
    'default overriding union except intersect returning for window tablesample'
  ).split(' '),
);

/** `at`: the index of the token. */
function tablesIn(tokens: readonly string[], shards: Shards) {
  const named: { at: number; name: string; hasAlias: boolean }[] = [];
  const ctes = new Set<string>();
  const words: { at: number; text: string }[] = [];
  for (const [at, text] of tokens.entries()) {
    if (!/^(?:\s|--)/.test(text)) words.push({ at, text: text.toLowerCase() });
  }
  for (const [index, { at, text: name }] of words.entries()) {
    if (!shards.has(name)) continue;
    const textAt = (offset: number) => words[index + offset]?.text ?? '';
    const before = textAt(-1);
    if (isCte(textAt)) ctes.add(name);
    if (ctes.has(name) || !BEFORE_A_TABLE.has(before)) continue;
    // `is distinct from event`, `for update of`, a function or a name with a schema are no tables.
    if (textAt(-2) === 'distinct' || textAt(-2) === 'for') continue;
    const after = textAt(1);
    if (after === '.' || (after === '(' && before !== 'into')) continue;
    const hasAlias = /^[a-z_"]/.test(after) && !AFTER_A_TABLE.has(after);
    named.push({ at, name, hasAlias });
  }
  return named;
}

/** `with name as (`, `with name (column) as (` or one of the next. */
function isCte(textAt: (offset: number) => string): boolean {
  if (!['with', 'recursive', ','].includes(textAt(-1))) return false;
  return textAt(1) === 'as' && ['(', 'materialized', 'not'].includes(textAt(2));
}
