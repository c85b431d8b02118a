import { csvRows, csvText, readCsvFile } from '@reliability/client/csv-file';
import { counterpartyMessage } from '../../kit/counterpartyMessage.ts';
import { type Language, languages } from '../../kit/texts.ts';

/** The columns of a list of counterparties. `language` chooses the message alone. */
export const columns = [
  'userId',
  'counterpartyRef',
  'description',
  'eventType',
  'rowKey',
  'counterpartyName',
  'subjectName',
  'completedAt',
  'dueDate',
  'stakeLevel',
  'transactionValue',
  'language',
] as const;
export type Column = (typeof columns)[number];
export const requiredColumns: readonly Column[] = ['userId', 'counterpartyRef', 'description'];

/** The limits of POST /activation/campaigns. */
export const ROWS_PER_REQUEST = 500;
const MAX_KEY = 255;
export const MAX_ROWS = 10_000;

export interface CampaignRow {
  readonly rowKey: string;
  /** Null: that of the whole campaign. */
  readonly language: Language | null;
  readonly counterpartyName: string | null;
  readonly description: string;
  /** As the API takes it. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CampaignList {
  readonly rows: readonly CampaignRow[];
  /** Required columns that the header line lacks. */
  readonly missing: readonly Column[];
  /** Columns of the file that nothing is made of. */
  readonly unused: readonly string[];
}

/** @param eventType of rows that name none. */
export function readList(text: string, eventType: string): CampaignList {
  const { separator } = readCsvFile(new TextEncoder().encode(text));
  const [header = [], ...lines] = csvRows(text.trim(), separator, MAX_ROWS + 2);
  const names = header.map((name) => columns.find((column) => plain(column) === plain(name)));
  const rows = lines.map((cells): CampaignRow => {
    const values: Partial<Record<Column, string>> = {};
    for (const [index, name] of names.entries()) {
      const value = cells[index]?.trim();
      if (name && value) values[name] = value;
    }
    return rowOf({ eventType, ...values });
  });
  return {
    rows,
    missing: requiredColumns.filter((column) => !names.includes(column)),
    unused: header.filter((_, index) => names[index] === undefined),
  };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function rowOf(values: Partial<Record<Column, string>>): CampaignRow {
  const { language, transactionValue, completedAt, dueDate, ...texts } = values;
  // Without a key of their own, rows with the same content ask nobody twice.
  const rowKey =
    values.rowKey ??
    [values.userId, values.counterpartyRef, completedAt, values.description]
      .filter(Boolean)
      .join(' · ')
      .slice(0, MAX_KEY);
  return {
    rowKey,
    language: languages.find((tag) => tag === language?.toLowerCase()) ?? null,
    counterpartyName: values.counterpartyName ?? null,
    description: values.description ?? '',
    body: {
      ...texts,
      rowKey,
      ...(completedAt && { completedAt: momentOf(completedAt) }),
      ...(dueDate && { dueDate: momentOf(dueDate) }),
      ...(transactionValue && { transactionValue: Number(transactionValue) }),
    },
  };
}

/** Days of the service begin at midnight UTC. */
function momentOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000Z` : text;
}

interface Asked {
  readonly row: CampaignRow;
  readonly confirmUrl: string;
}

/** The links and messages of a campaign as a file. The service shows the links once. */
export function messagesFile(
  asked: readonly Asked[],
  chosen: Language,
  common: { platform: string; expiresAt: string },
): Blob {
  const lines = asked.map(({ row, confirmUrl }) => [
    row.rowKey,
    String(row.body.counterpartyRef),
    row.counterpartyName ?? '',
    confirmUrl,
    messageOf(row, chosen, { ...common, url: confirmUrl }),
  ]);
  const header = ['rowKey', 'counterpartyRef', 'counterpartyName', 'confirmUrl', 'message'];
  return new Blob([csvText([header, ...lines])], { type: 'text/csv;charset=utf-8' });
}

/** In the language of the row, or in the chosen one. */
export function messageOf(
  { language, counterpartyName, description }: CampaignRow,
  chosen: Language,
  given: { platform: string; expiresAt: string; url: string },
): string {
  return counterpartyMessage(language ?? chosen, { name: counterpartyName, description, ...given });
}
