import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { jobStatuses } from '../../domain/catalogues/enums.js';
import type { ApiClient } from '../apiClient.js';

export type Import = z.output<typeof Import>;
export const Import = z.object({
  id: z.string(),
  status: z.enum(jobStatuses),
  totalRows: z.number(),
  createdCount: z.number(),
  skippedCount: z.number(),
  failedCount: z.number(),
  warningCount: z.number(),
  error: z.string().nullable(),
});

const POLL_MS = 200;

/**
 * Polls an import until it is COMPLETED or FAILED.
 * @param advance called with the number of rows processed since the last call.
 */
export async function followImport(
  call: ApiClient,
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
    job = await readImport(call, job.id);
  }
}

export async function readImport(call: ApiClient, id: string): Promise<Import> {
  return (await call('GET', `/imports/${id}`, Import)).body;
}
