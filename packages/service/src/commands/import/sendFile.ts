import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { jobStatuses } from '../../domain/catalogues/enums.js';
import { type Output, progressBar } from '../../kit/progressBar.js';
import { type ApiCall, apiCalls } from './apiCalls.js';
import { ImportError } from './importError.js';
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

/** Sends the file, shows how far the import is, and says how it ended. Answers the exit code. Throws ImportError. */
export async function sendFile(inputs: Inputs, { url, key, output }: SendOptions): Promise<number> {
  const call = apiCalls(url, key);
  const startedMs = performance.now();
  const { job: sent, isReplayed } = await submit(call, inputs);
  if (isReplayed) output.write('This file was sent with this mapping before; nothing is imported twice.\n');
  const job = await untilOver(call, sent, output);
  output.write(`${summaryOf(job, (performance.now() - startedMs) / 1000)}\n`);
  if (job.failedCount + job.warningCount > 0) {
    const { path, isComplete } = await writeIssues(call, job.id, inputs.path);
    const which = isComplete ? 'Each' : 'As many as the service keeps';
    output.write(`${which} with its row and reason: ${path}\n`);
  }
  if (job.status === 'FAILED') throw new ImportError(job.error ?? 'The import broke off.');
  return job.failedCount === 0 ? 0 : 2;
}

/**
 * Under a key that follows from file and mapping: should the answer get lost, the next run meets the same import. One that broke off is
 * sent anew.
 */
async function submit(call: ApiCall, inputs: Inputs): Promise<{ job: Import; isReplayed: boolean }> {
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

async function read(call: ApiCall, id: string): Promise<Import> {
  return (await call('GET', `/imports/${id}`, Import)).body;
}

async function untilOver(call: ApiCall, sent: Import, output: Output): Promise<Import> {
  const bar = progressBar(output, sent.totalRows);
  let job = sent;
  let shown = 0;
  for (;;) {
    const done = job.createdCount + job.skippedCount + job.failedCount;
    bar.advance(done - shown);
    shown = done;
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
