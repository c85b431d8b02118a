import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { jobStatuses } from '../../domain/catalogues/enums.js';
import { type Output, progressBar } from '../../kit/progressBar.js';
import { type ApiClient, createApiClient } from '../apiClient.js';
import { CommandError } from '../commandError.js';
import type { Inputs } from './readInputs.js';
import { writeIssues } from './writeIssues.js';

interface SendOptions {
  url: string;
  key: string;
  output: Output;
}

const Import = z.object({
  id: z.string(),
  status: z.enum(jobStatuses),
  totalRows: z.number(),
  createdCount: z.number(),
  skippedCount: z.number(),
  failedCount: z.number(),
  warningCount: z.number(),
  error: z.string().nullable(),
});
type Import = z.output<typeof Import>;

const POLL_MS = 500;

/** Sends the file, prints progress and the result. Returns the exit code. Throws CommandError. */
export async function sendFile(inputs: Inputs, { url, key, output }: SendOptions): Promise<number> {
  const call = createApiClient({
    url,
    credential: { Authorization: `Bearer ${key}` },
    unauthorized: 'The API key is unknown or revoked. Set another one in IMPORT_KEY or with --key.',
  });
  const startedMs = performance.now();
  const { job: sent, isReplayed } = await submit(call, inputs);
  if (isReplayed) output.write('This file was already sent with this mapping. Nothing is imported twice.\n');
  const job = await untilOver(call, sent, output);
  output.write(`${summaryOf(job, (performance.now() - startedMs) / 1000)}\n`);
  if (job.failedCount + job.warningCount > 0) {
    const { path, isComplete } = await writeIssues(call, job.id, inputs.path);
    const which = isComplete ? 'All' : 'Those that the service stored';
    output.write(`${which}, with row and reason: ${path}\n`);
  }
  if (job.status === 'FAILED') throw new CommandError(job.error ?? 'The import failed without a reason.');
  return job.failedCount === 0 ? 0 : 2;
}

/**
 * The Idempotency-Key is derived from file and mapping: if the answer is lost, the next run finds
 * the same import. A failed import is sent again under the next number.
 */
async function submit(call: ApiClient, inputs: Inputs): Promise<{ job: Import; isReplayed: boolean }> {
  const body = { csv: inputs.bytes.toString('utf8'), mapping: inputs.mapping };
  const hash = createHash('sha256')
    .update(inputs.bytes)
    .update('\0')
    .update(JSON.stringify(inputs.mapping))
    .digest('hex');
  for (let number = 1; ; number += 1) {
    const headers = { 'Idempotency-Key': `import-${hash}-${number}` };
    const { body: first, isReplayed } = await call('POST', '/imports', Import, { body, headers });
    const job = isReplayed ? await read(call, first.id) : first;
    if (!isReplayed || job.status !== 'FAILED') return { job, isReplayed };
  }
}

async function read(call: ApiClient, id: string): Promise<Import> {
  return (await call('GET', `/imports/${id}`, Import)).body;
}

async function untilOver(call: ApiClient, sent: Import, output: Output): Promise<Import> {
  const bar = progressBar(output, sent.totalRows);
  let job = sent;
  let printed = 0;
  for (;;) {
    const done = job.createdCount + job.skippedCount + job.failedCount;
    bar.advance(done - printed);
    printed = done;
    if (job.status === 'COMPLETED' || job.status === 'FAILED') break;
    await pause(POLL_MS);
    job = await read(call, job.id);
  }
  bar.end();
  return job;
}

function summaryOf(job: Import, seconds: number): string {
  const { createdCount, skippedCount, failedCount, warningCount, totalRows } = job;
  const counts = [
    `${createdCount} recorded`,
    `${skippedCount} skipped`,
    `${failedCount} failed`,
    `${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`,
  ];
  return `${totalRows} rows in ${seconds.toFixed(1)} s: ${counts.join(', ')}. Import ${job.id}.`;
}
