import { createHash } from 'node:crypto';
import { type Output, progressBar } from '../../kit/progressBar.js';
import { type ApiClient, createApiClient } from '../apiClient.js';
import { CommandError } from '../commandError.js';
import { followImport, Import, readImport } from './followImport.js';
import type { Inputs } from './readInputs.js';
import { writeIssues } from './writeIssues.js';

interface SendOptions {
  url: string;
  key: string;
  output: Output;
}

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
  const bar = progressBar(output, sent.totalRows);
  const job = await followImport(call, sent, (rows) => bar.advance(rows));
  bar.end();
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
    const job = isReplayed ? await readImport(call, first.id) : first;
    if (!isReplayed || job.status !== 'FAILED') return { job, isReplayed };
  }
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
