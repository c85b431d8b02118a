import type { Reporter } from '../../../domain/outcomeEvent.js';
import type { Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import { endImportRow } from './workStore.js';

interface Ending {
  importId: string;
  reporter: Reporter;
  status: 'COMPLETED' | 'FAILED';
  error: string | null;
}

/**
 * Ends an import and writes its notification in one transaction. Does nothing if the import has
 * already ended.
 */
export async function endImport(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { importId, reporter, status, error }: Ending,
): Promise<void> {
  const ended = await endImportRow(tx, reporter, importId, { status, error }, now);
  if (!ended) return;
  const { createdCount, skippedCount, failedCount } = ended;
  const { platformId, livemode } = reporter;
  const completedAt = now.toISOString();
  const data = { importJobId: importId, status, createdCount, skippedCount, failedCount, error, completedAt };
  await writeEnvelopes(tx, ids, now, [
    { type: 'import.completed', data, platformId, livemode, subjectId: null },
  ]);
}
