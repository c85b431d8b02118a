import { text } from 'node:stream/consumers';
import { csvStream, onePage } from '../../../service/src/kit/csv.js';
import { type Book, type DemoEvent, metadataColumns, outcomeColumns } from './book.js';
import type { DemoPlatform } from './joinPlatform.js';

const FILE_ROWS = 2500;

/**
 * Imports the events as CSV files, oldest first.
 * @param advance called with the number of rows processed since the last call.
 * @returns the number of new events.
 */
export async function recordBook(
  platform: DemoPlatform,
  { events }: Book,
  advance: (rows: number) => void,
): Promise<number> {
  let created = 0;
  for (let start = 0; start < events.length; start += FILE_ROWS) {
    const csv = await csvOf(events.slice(start, start + FILE_ROWS));
    created += await platform.importFile({ csv, mapping }, advance);
  }
  return created;
}

/** Each column has the name of its field. */
const mapping = { ...rulesFor(outcomeColumns), metadata: rulesFor(metadataColumns) };

function rulesFor(columns: readonly string[]): Record<string, { path: string }> {
  return Object.fromEntries(columns.map((path) => [path, { path }]));
}

function csvOf(events: readonly DemoEvent[]): Promise<string> {
  const columns = [...outcomeColumns, ...metadataColumns].map((name) => ({
    name,
    value: (event: DemoEvent) => event[name] ?? null,
  }));
  return text(csvStream(columns, onePage(events), { maxRows: events.length }));
}
