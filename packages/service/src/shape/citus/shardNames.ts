/*
 * In a distributed schema the table `event` is an empty shell that Citus plans every statement for.
 * Its rows are in the shard `event_102038` of the same schema, on the group's node. A statement that
 * names the shard costs what it costs on PostgreSQL, and every kind of statement works. A name that
 * is missed here still finds its rows, through Citus.
 */

/** The names of the shards of one schema: `event` → `event_102038`. */
export type Shards = ReadonlyMap<string, string>;

/** Names shards in place of tables. */
export function nameShards(text: string, shards: Shards): string {
  const tokens = text.match(TOKEN) ?? [];
  for (const { at, name, hasAlias } of tablesIn(tokens, shards)) {
    // The alias keeps the columns' qualifiers valid.
    tokens[at] = hasAlias ? `${shards.get(name)}` : `${shards.get(name)} as ${name}`;
  }
  return tokens.join('');
}

interface Place {
  /** The token's place. */
  at: number;
  name: string;
  hasAlias: boolean;
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

function tablesIn(tokens: readonly string[], shards: Shards): Place[] {
  const places: Place[] = [];
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
    places.push({ at, name, hasAlias });
  }
  return places;
}

/** `with name as (`, `with name (column) as (` or one of the next. */
function isCte(textAt: (offset: number) => string): boolean {
  if (!['with', 'recursive', ','].includes(textAt(-1))) return false;
  if (textAt(1) === 'as') return ['(', 'materialized', 'not'].includes(textAt(2));
  return false;
}
