import { eventually } from '#harness/eventually.js';
import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';

/** Maps every column that the tests use. */
export const MAPPING = {
  userId: { path: 'worker' },
  eventType: { path: 'type', default: 'CONTRACT_FULFILLED' },
  stakeLevel: { path: 'stake' },
  isVerified: { path: 'approved', transform: 'boolean' },
  verifiedBy: { path: 'client' },
  transactionValue: { path: 'value' },
  dueDate: { path: 'due', transform: 'iso_date' },
  completedAt: { path: 'done', transform: 'iso_date' },
  metadata: { line: { path: 'line' } },
};

export const COLUMNS = [
  'line',
  'worker',
  'type',
  'stake',
  'approved',
  'client',
  'value',
  'due',
  'done',
] as const;
export type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

/** The rows as a CSV with a header line. */
export function csvOf(rows: readonly Row[], columns: readonly string[] = COLUMNS): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
  const cellsOf = (row: Row) => columns.map((name) => row[name as keyof Row] ?? '');
  return [columns, ...rows.map(cellsOf)].map((cells) => `${line(cells)}\r\n`).join('');
}

/** Valid rows, spread over some subjects. */
export function goodRows(count: number, { prefix = 'w', subjects = 50 } = {}): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    line: String(index + 1),
    worker: `${prefix}-${index % subjects}`,
    approved: 'yes',
    client: 'Acme',
    done: '2024-03-01',
  }));
}

/** POST /imports with a JSON body. */
export function sendImport(
  service: TestService,
  csv: string,
  options: Omit<RequestOptions, 'body'> & { mapping?: object } = {},
): Promise<TestAnswer> {
  const { mapping = MAPPING, ...request } = options;
  return service.request('POST', '/imports', { ...request, body: { csv, mapping } });
}

/** Waits until the import ends. */
export async function finished(
  service: TestService,
  id: string,
  key?: string,
): Promise<Record<string, unknown>> {
  let job: Record<string, unknown> = {};
  await eventually(async () => {
    job = (await service.request('GET', `/imports/${id}`, { key })).body;
    return job.completedAt !== null;
  });
  return job;
}

export async function issuesOf(service: TestService, id: string, query = '', key?: string) {
  return (await service.request('GET', `/imports/${id}/errors${query}`, { key })).body;
}
