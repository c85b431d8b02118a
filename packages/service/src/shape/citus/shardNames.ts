/*
 * In a distributed schema the table `event` is an empty shell that Citus plans every statement for.
 * Its rows are in the shard `event_102038` of the same schema, on the group's node. A statement that
 * names the shard costs what it costs on PostgreSQL, and every kind of statement works. A name that
 * is missed here still finds its rows, through Citus.
 */

/** The names of the shards of one schema: `event` → `event_102038`. */
export type Shards = ReadonlyMap<string, string>;

/**
 * Names shards in place of tables. Copies of shared tables (Citus' reference tables) are named where
 * a statement only reads them: Citus has to write or lock all copies.
 */
export function nameShards(text: string, own: Shards, shared: Shards): string {
  const tokens = tokensOf(text);
  const places = tablesIn(tokens, (name) => own.has(name) || shared.has(name));
  const writesShared = places.some(({ name, isTarget }) => isTarget && shared.has(name));
  const locksShared = LOCKS_ROWS.test(text) && places.every(({ name }) => shared.has(name));
  const named = writesShared || locksShared ? own : new Map([...shared, ...own]);
  for (const { at, name, hasAlias } of places) {
    const shard = named.get(name);
    // The alias keeps the columns' qualifiers valid.
    if (shard !== undefined) tokens[at] = hasAlias ? shard : `${shard} as ${name}`;
  }
  return tokens.join('');
}

interface Place {
  /** The token's place. */
  at: number;
  name: string;
  /** The statement writes the table. */
  isTarget: boolean;
  hasAlias: boolean;
}

/** Strings, quoted names, comments, words, spaces; any other character is a token of its own. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[a-z_][a-z0-9_]*|\s+|.|\n/gi;
const LOCKS_ROWS = /\bfor (?:no key )?update\b|\bfor (?:key )?share\b/;
const BEFORE_A_TABLE = new Set(['from', 'join', 'into', 'update', 'only', 'using']);
/** What follows a table without an alias, where that is a word. */
const AFTER_A_TABLE = new Set(
  (
    'where join left right full inner cross natural on using order group having limit offset fetch set values select ' +
    'default overriding union except intersect returning for window tablesample'
  ).split(' '),
);

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function tablesIn(tokens: readonly string[], isTable: (name: string) => boolean): Place[] {
  const places: Place[] = [];
  const ctes = new Set<string>();
  const words: { at: number; text: string }[] = [];
  for (const [at, text] of tokens.entries()) {
    if (!/^(?:\s|--)/.test(text)) words.push({ at, text: text.toLowerCase() });
  }
  for (const [index, { at, text: name }] of words.entries()) {
    if (!isTable(name)) continue;
    const textAt = (offset: number) => words[index + offset]?.text ?? '';
    const before = textAt(-1);
    if (isCte(textAt)) ctes.add(name);
    if (ctes.has(name) || !BEFORE_A_TABLE.has(before)) continue;
    // `is distinct from event`, `for update of`, a function or a name with a schema are no tables.
    if (textAt(-2) === 'distinct' || textAt(-2) === 'for') continue;
    const after = textAt(1);
    const isTarget =
      before === 'into' || before === 'update' || (before === 'from' && textAt(-2) === 'delete');
    if (after === '.' || (after === '(' && before !== 'into')) continue;
    const hasAlias = /^[a-z_"]/.test(after) && !AFTER_A_TABLE.has(after);
    places.push({ at, name, isTarget, hasAlias });
  }
  return places;
}

/** `with name as (`, `with name (column) as (` or one of the next. */
function isCte(textAt: (offset: number) => string): boolean {
  if (!['with', 'recursive', ','].includes(textAt(-1))) return false;
  if (textAt(1) === 'as') return ['(', 'materialized', 'not'].includes(textAt(2));
  return false;
}
