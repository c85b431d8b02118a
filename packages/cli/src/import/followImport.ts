import { setTimeout as pause } from 'node:timers/promises';
import type { Client, components } from '@reliability/client';

export type Import = components['schemas']['Import'];

const POLL_MS = 200;

/**
 * Polls an import until it is COMPLETED or FAILED.
 * @param advance called with the number of rows processed since the last call.
 */
export async function followImport(
  client: Client,
  sent: Import,
  advance: (rows: number) => void,
): Promise<Import> {
  let job = sent;
  for (let before = 0; ; ) {
    const done = job.createdCount + job.skippedCount + job.failedCount;
    advance(done - before);
    before = done;
    if (job.status === 'COMPLETED' || job.status === 'FAILED') return job;
    await pause(POLL_MS);
    job = await client.readImport(job.id);
  }
}
