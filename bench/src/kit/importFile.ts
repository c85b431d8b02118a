import { eventBodies, subjectName } from './load.js';

/** Rows of the file: the maximum of an import. */
export const IMPORT_ROWS = 50_000;

/** A row of the imported history and of the plain table. */
export interface HistoryRow {
  readonly userId: string;
  readonly eventType: string;
  readonly stakeLevel: string;
  readonly isVerified: boolean;
  readonly verifiedBy: string;
  readonly transactionValue: string;
  readonly dueDate: string;
  readonly completedAt: string;
  readonly orderId: string;
  readonly jobNo: string;
}

const YEARS = 10;
const YEAR_MS = 365.25 * 24 * 3_600_000;

/** Ten years of a platform: twenty outcomes per subject. */
export const IMPORT_SUBJECTS = 2500;

/** Ten years of history. @param batch separates the subjects and keys of one file from those of another. */
export function historyRows(batch: string, subjects = IMPORT_SUBJECTS, count = IMPORT_ROWS): HistoryRow[] {
  const now = Date.now();
  return eventBodies(count).map((body, index) => {
    // A scattered order: no chunk of the file holds a single year.
    const ageMs = (((index * 7919) % count) / count) * YEARS * YEAR_MS;
    const completed = new Date(now - ageMs);
    return {
      userId: `${batch}-${subjectName((index * 31) % subjects)}`,
      eventType: String(body.eventType),
      stakeLevel: String(body.stakeLevel),
      isVerified: body.isVerified === true,
      verifiedBy: body.isVerified === true ? `client-${index % 500}` : '',
      transactionValue: body.transactionValue === undefined ? '' : String(body.transactionValue),
      dueDate: body.dueDate === undefined ? '' : new Date(completed.getTime() + 3_600_000).toISOString(),
      completedAt: completed.toISOString(),
      orderId: `A-${index}`,
      jobNo: `${batch}-${index}`,
    };
  });
}

const COLUMNS = [
  'userId',
  'eventType',
  'stakeLevel',
  'isVerified',
  'verifiedBy',
  'transactionValue',
  'dueDate',
  'completedAt',
  'orderId',
  'jobNo',
] as const;

export function csvOf(rows: readonly HistoryRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => String(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

export const HISTORY_MAPPING = {
  userId: { path: 'userId' },
  eventType: { path: 'eventType' },
  stakeLevel: { path: 'stakeLevel' },
  isVerified: { path: 'isVerified', transform: 'boolean' },
  verifiedBy: { path: 'verifiedBy' },
  transactionValue: { path: 'transactionValue' },
  dueDate: { path: 'dueDate', transform: 'iso_date' },
  completedAt: { path: 'completedAt', transform: 'iso_date' },
  metadata: { orderId: { path: 'orderId' } },
};
