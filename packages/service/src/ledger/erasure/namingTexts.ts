import { type Mentions, mentionsOf } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { ERASED_STATUS } from '../requests/idempotency.js';

export interface TextSource {
  subjectId: string;
  platformId: string;
  livemode: boolean;
  externalId: string;
}

/** How a text names parties. `data`: the platform's own JSON, whose strings are references. */
type TextKind = 'text' | 'reference' | 'json' | 'data';

interface TextTable {
  readonly name: string;
  readonly id: string;
  readonly columns: Readonly<Record<string, TextColumn>>;
  readonly isOfBothModes?: boolean;
}

/** A column that may have the id, and the change of a row in which it has. */
interface TextColumn {
  readonly kind: TextKind;
  /** As in `update`: a constant or a column of the row. */
  readonly set: string;
}

const dropped = (kind: TextKind): TextColumn => ({ kind, set: 'null' });
const emptied = (kind: TextKind): TextColumn => ({ kind, set: "''" });
/** A name that has to be unique, or shown. */
const renamed = (id: string): TextColumn => ({ kind: 'text', set: `'erased ' || ${id}` });
/** A pending request to the erased person as counterparty ends. */
const ofCounterparty = ({ kind, set }: TextColumn): TextColumn => ({
  kind,
  set: `${set}, status = case status when 'PENDING' then 'CANCELLED' else status end`,
});

/** Texts of other subjects and of the platform. */
export const TEXT_TABLES: readonly TextTable[] = [
  {
    name: 'confirmation',
    id: 'confirmation_id',
    columns: {
      counterparty_ref: ofCounterparty(emptied('reference')),
      counterparty_name: ofCounterparty(dropped('text')),
      subject_name: dropped('text'),
      description: emptied('text'),
      metadata: dropped('data'),
      return_url: dropped('text'),
      row_key: { kind: 'text', set: 'confirmation_id::text' },
    },
  },
  {
    name: 'reference_request',
    id: 'reference_id',
    columns: {
      counterparty_ref: ofCounterparty(emptied('reference')),
      counterparty_name: ofCounterparty(dropped('text')),
      title: emptied('text'),
      organization: dropped('text'),
      description: dropped('text'),
      return_url: dropped('text'),
    },
  },
  {
    name: 'qualification',
    id: 'qualification_id',
    columns: {
      title: emptied('text'),
      issuer: dropped('text'),
      description: dropped('text'),
      url: dropped('text'),
      // The reference was confirmed; only by whom is gone.
      verified_by: emptied('reference'),
    },
  },
  {
    name: 'project',
    id: 'project_id',
    columns: {
      title: emptied('text'),
      url: { kind: 'text', set: "'https://erased.invalid/'" },
      description: dropped('text'),
    },
  },
  // What receivers answered about others, and quotes the subject.
  {
    name: 'delivery',
    id: 'delivery_id',
    isOfBothModes: true,
    columns: { response_body: dropped('json'), error: dropped('json'), sent: dropped('json') },
  },
  {
    name: 'idempotency',
    id: 'key_id',
    columns: { answer: { kind: 'json', set: `null, status = ${ERASED_STATUS}, fingerprint = ''` } },
  },
  {
    name: 'review',
    id: 'review_id',
    columns: { text: dropped('text'), answer: dropped('text'), reviewer: dropped('text') },
  },
  { name: 'activity', id: 'activity_id', columns: { details: dropped('json') } },
  { name: 'screening', id: 'screening_id', columns: { label: dropped('text'), error: dropped('text') } },
  { name: 'activation_campaign', id: 'campaign_id', columns: { name: renamed('campaign_id') } },
  { name: 'policy', id: 'policy_id', columns: { name: renamed('policy_id') } },
  { name: 'webhook', id: 'webhook_id', columns: { description: dropped('text') } },
  { name: 'notification_channel', id: 'channel_id', columns: { last_error: dropped('text') } },
  { name: 'import_job', id: 'import_id', columns: { error: dropped('text') } },
  { name: 'saved_mapping', id: 'mapping_id', isOfBothModes: true, columns: { name: renamed('mapping_id') } },
];

/** Labels of keys are in a table that all ledger groups share, so not in the transaction of a group. */
export const KEY_LABELS: TextTable = { name: 'api_key', id: 'key_id', columns: { label: dropped('text') } };

export async function emptyTexts(db: Queryable, table: TextTable, source: TextSource): Promise<void> {
  const { name, id, columns } = table;
  const kinds = Object.entries(columns).map(([column, { kind }]) => [column, kind] as const);
  const mode = table.isOfBothModes ? '$2::boolean is not null' : 'livemode = $2';
  const where = `platform_id = $1 and ${mode}`;
  const values = [source.platformId, source.livemode];
  const rows = await findNaming<{ id: string }>(
    db,
    { from: name, keys: `${id} as id`, columns: Object.fromEntries(kinds), where, values },
    source.externalId,
  );
  for (const [column, { set }] of Object.entries(columns)) {
    const ids = rows.filter(({ named }) => named.includes(column)).map((row) => row.id);
    if (ids.length === 0) continue;
    await db.execute(`update ${name} set ${column} = ${set} where ${where} and ${id} = any($3::uuid[])`, [
      ...values,
      ids,
    ]);
  }
}

interface Search {
  from: string;
  keys: string;
  columns: Readonly<Record<string, TextKind>>;
  /** With these values as parameters from `$1` on. */
  where: string;
  values: readonly unknown[];
}

/** The rows with a text that names the subject, and in which columns. */
export async function findNaming<Keys extends object>(
  db: Queryable,
  { from, keys, columns, where, values }: Search,
  externalId: string,
): Promise<(Keys & { named: readonly string[] })[]> {
  const mentions = mentionsOf(externalId);
  const kinds = Object.entries(columns);
  const searched = kinds.map(([column, kind]) => ({ column, isJson: isJson(kind) }));
  const candidate = candidates(searched, mentions, values.length + 1);
  const rows = await db.query<Keys & { texts: (string | null)[] }>(
    `select ${keys}, array[${kinds.map(([column]) => `${column}::text`).join(', ')}] as texts
     from ${from} where ${where} and (${candidate.condition})`,
    [...values, ...candidate.values],
  );
  return rows
    .map(({ texts, ...row }) => ({
      ...(row as unknown as Keys),
      named: kinds.flatMap(([column, kind], at) => (isNaming(mentions, kind, texts[at]) ? [column] : [])),
    }))
    .filter(({ named }) => named.length > 0);
}

export function isNaming(mentions: Mentions, kind: TextKind, text: string | null | undefined): boolean {
  if (text === null || text === undefined) return false;
  if (isJson(kind)) return mentions.isInJson(parsed(text), kind === 'data' ? 'reference' : 'text');
  return kind === 'text' ? mentions.isInText(text) : mentions.isInReference(text);
}

function isJson(kind: TextKind): boolean {
  return kind === 'json' || kind === 'data';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // an envelope that is empty, or a receiver's answer
  }
}

/**
 * A condition on rows that may name the erased subject, with its values from parameter `$first` on.
 * It is cheap and finds too many: `Mentions` decides. JSON that is stored as it was sent may write
 * any letter as an escape.
 */
export function candidates(
  columns: readonly { column: string; isJson: boolean }[],
  { part, whole }: Mentions,
  first: number,
): { condition: string; values: readonly string[] } {
  const inJson = JSON.stringify(whole);
  const values = part === null ? [whole, inJson] : [runOf(part), runOf(inJson.slice(1, -1))];
  const ofText = (column: string) =>
    part === null
      ? `lower(btrim(${column}::text)) = lower($${first}::text)`
      : `position(lower($${first}::text) in lower(${column}::text)) > 0`;
  const ofJson = (column: string) =>
    `position(lower($${first + 1}::text) in lower(${column}::text)) > 0 or position('\\u' in ${column}::text) > 0`;
  // Both parameters are named, so that every text has a type for each.
  const condition = columns.map((each) => (each.isJson ? ofJson(each.column) : ofText(each.column)));
  return {
    condition: [...condition, `$${first}::text = $${first + 1}::text and false`].join(' or '),
    values,
  };
}

/** That every database folds alike and JSON does not escape: `lower` in locale C leaves other letters. */
function runOf(part: string): string {
  const runs = part.match(/[ !#-[\]-~]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest.length >= MIN_RUN ? longest : part;
}

/** A shorter run would make nearly every text a candidate. */
const MIN_RUN = 3;
