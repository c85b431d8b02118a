import { type Mentions, mentionsOf } from '../../domain/mentions.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { candidates, isJsonNaming } from './candidates.js';
import type { TextSource } from './storedTexts.js';

/** A column that a platform may have written the id into, and what replaces its value then. */
interface TextColumn {
  /** `data`: the platform's own JSON, whose strings are references. */
  readonly kind: 'text' | 'reference' | 'json' | 'data';
  /** A constant or a column of the row. */
  readonly becomes: string;
}

interface TextTable {
  readonly name: string;
  readonly id: string;
  readonly columns: Readonly<Record<string, TextColumn>>;
  /** Without `livemode`. */
  readonly isOfBothModes?: boolean;
}

const dropped = (kind: TextColumn['kind']): TextColumn => ({ kind, becomes: 'null' });
const emptied = (kind: TextColumn['kind']): TextColumn => ({ kind, becomes: "''" });
/** A name that has to be unique, or shown. */
const renamed = (id: string): TextColumn => ({ kind: 'text', becomes: `'erased ' || ${id}` });

/** Texts of other subjects and of the platform. */
const TEXT_TABLES: readonly TextTable[] = [
  {
    name: 'confirmation',
    id: 'confirmation_id',
    columns: {
      counterparty_ref: emptied('reference'),
      counterparty_name: dropped('text'),
      subject_name: dropped('text'),
      description: emptied('text'),
      metadata: dropped('data'),
      return_url: dropped('text'),
      row_key: { kind: 'text', becomes: 'confirmation_id::text' },
    },
  },
  {
    name: 'reference_request',
    id: 'reference_id',
    columns: {
      counterparty_ref: emptied('reference'),
      counterparty_name: dropped('text'),
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
      url: { kind: 'text', becomes: "'https://erased.invalid/'" },
      description: dropped('text'),
    },
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

/** One search for each table. A pending request to the erased person as counterparty ends. */
export const otherTextSteps: readonly ((tx: Tx, source: TextSource) => Promise<void>)[] = [
  ...TEXT_TABLES.map((table) => (tx: Tx, source: TextSource) => emptyTable(tx, table, source)),
  deleteMappings,
];

async function emptyTable(tx: Tx, table: TextTable, source: TextSource): Promise<void> {
  const { platformId, livemode } = source;
  const mentions = mentionsOf(source.externalId);
  const { rows, names } = await findRows(tx, table, source, mentions);
  for (const name of names) {
    const column = table.columns[name];
    const ids = rows.filter((row) => column && isNaming(mentions, column, row[name])).map((row) => row.id);
    if (!column || ids.length === 0) continue;
    const end = name.startsWith('counterparty_')
      ? ", status = case status when 'PENDING' then 'CANCELLED' else status end"
      : '';
    await tx.execute(
      `update ${table.name} set ${name} = ${column.becomes}${end}
       where platform_id = $1 and ${modeOf(table)} and ${table.id} = any($3::uuid[])`,
      [platformId, livemode, ids],
    );
  }
}

/** With the mode as $2. */
function modeOf({ isOfBothModes }: TextTable): string {
  return isOfBothModes ? '$2::boolean is not null' : 'livemode = $2';
}

type Found = Record<string, string | null> & { id: string };

async function findRows(
  db: Queryable,
  table: TextTable,
  { platformId, livemode }: TextSource,
  mentions: Mentions,
): Promise<{ rows: readonly Found[]; names: readonly string[] }> {
  const { name, id, columns } = table;
  const names = Object.keys(columns);
  const { condition, values } = candidates(
    names.map((column) => ({ column, isJson: ['json', 'data'].includes(columns[column]?.kind ?? '') })),
    mentions,
    3,
  );
  const found = await db.query<{ id: string; texts: (string | null)[] }>(
    `select ${id} as id, array[${names.map((column) => `${column}::text`).join(', ')}] as texts
     from ${name} where platform_id = $1 and ${modeOf(table)} and (${condition})`,
    [platformId, livemode, ...values],
  );
  const rows = found.map(({ id: rowId, texts }) => ({
    ...Object.fromEntries(names.map((column, index) => [column, texts[index] ?? null])),
    id: rowId,
  }));
  return { rows: rows as Found[], names };
}

function isNaming(mentions: Mentions, { kind }: TextColumn, text: string | null | undefined): boolean {
  if (text === null || text === undefined) return false;
  if (kind === 'json') return isJsonNaming(mentions, text);
  if (kind === 'data') return isJsonNaming(mentions, text, 'reference');
  return kind === 'text' ? mentions.isInText(text) : mentions.isInReference(text);
}

/** A mapping with the id as a constant reports outcomes about or by the erased person alone. */
async function deleteMappings(tx: Tx, { platformId, externalId }: TextSource): Promise<void> {
  const mentions = mentionsOf(externalId);
  const { condition, values } = candidates([{ column: 'rules', isJson: true }], mentions, 2);
  const rows = await tx.query<{ mappingId: string; rules: string }>(
    `select mapping_id, rules::text as rules from saved_mapping
     where platform_id = $1 and (${condition})`,
    [platformId, ...values],
  );
  const ids = rows
    .filter(({ rules }) => isJsonNaming(mentions, rules, 'reference'))
    .map(({ mappingId }) => mappingId);
  await tx.execute('delete from saved_mapping where platform_id = $1 and mapping_id = any($2::uuid[])', [
    platformId,
    ids,
  ]);
}

/** Keys are in a table that all ledger groups share, so not in the transaction of a group. */
export async function emptyKeyLabels(db: Queryable, { platformId, livemode, externalId }: TextSource) {
  const mentions = mentionsOf(externalId);
  const { condition, values } = candidates([{ column: 'label', isJson: false }], mentions, 3);
  const shared = db.shared;
  const rows = await shared.query<{ keyId: string; label: string }>(
    `select key_id, label from api_key where platform_id = $1 and livemode = $2 and (${condition})`,
    [platformId, livemode, ...values],
  );
  const ids = rows.filter(({ label }) => mentions.isInText(label)).map(({ keyId }) => keyId);
  if (ids.length > 0)
    await shared.execute('update api_key set label = null where key_id = any($1::uuid[])', [ids]);
}
