import { createHash } from 'node:crypto';
import { type Client, createClient } from '@reliability/client';
import { progressBar } from '../../../service/src/kit/terminal.js';
import { CommandError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { followImport, type Import } from './followImport.js';
import { problemLines } from './groupIssues.js';
import type { Inputs } from './readInputs.js';
import { type Issue, readIssues, readProblems, writeIssues } from './writeIssues.js';

/** The service judges the mapping. */
type NewImport = Parameters<Client['createImport']>[0];

interface SendOptions {
  url: string;
  key: string;
  output: Output;
}

/** Sends the file, prints progress and the result. Returns the exit code. Throws CommandError. */
export async function sendFile(inputs: Inputs, { url, key, output }: SendOptions): Promise<number> {
  const startedMs = performance.now();
  const { client, wasReplayed } = replayAwareClient(url, key);
  const { job: sent, isThere } = await submit(client, wasReplayed, inputs);
  if (isThere)
    output.say(
      `This file is already there: it was sent with this mapping at ${sent.createdAt}. Nothing is imported twice.`,
    );
  const bar = progressBar(output.progress, sent.totalRows);
  const job = await followImport(client, sent, (rows) => bar.advance(rows));
  bar.end();
  const hasIssues = job.failedCount + job.warningCount > 0;
  const { issues, isComplete } = hasIssues
    ? await readIssues(client, job.id)
    : { issues: [], isComplete: true };
  const issuesFile = hasIssues ? await writeIssues(issues, inputs.path) : null;
  if (job.status === 'FAILED') throw new CommandError(job.error ?? 'The import failed without a reason.');
  const problems = job.failedCount === 0 ? [] : await readProblems(client, job.id);
  output.result({ ...job, alreadyThere: isThere, problems, issuesFile }, () => [
    summaryOf(job, (performance.now() - startedMs) / 1000),
    ...problemLines(problems),
    ...(issuesFile === null ? [] : [whereIssuesAre(issues, isComplete, issuesFile)]),
  ]);
  return job.failedCount === 0 ? exitCodes.done : exitCodes.incomplete;
}

/** The client does not show the headers of answers, and one of them says that an answer is a replay. */
function replayAwareClient(url: string, key: string): { client: Client; wasReplayed: () => boolean } {
  let isReplay = false;
  const client = createClient({
    baseUrl: url,
    key,
    async fetch(...request) {
      const response = await fetch(...request);
      isReplay = response.headers.get('idempotent-replay') === 'true';
      return response;
    },
  });
  return { client, wasReplayed: () => isReplay };
}

/**
 * The Idempotency-Key is derived from file and mapping: if the answer is lost, the next run finds
 * the same import. A failed import is sent again under the next number.
 */
async function submit(
  client: Client,
  wasReplayed: () => boolean,
  inputs: Inputs,
): Promise<{ job: Import; isThere: boolean }> {
  const body = { csv: inputs.bytes.toString('utf8'), mapping: inputs.mapping } as NewImport;
  const hash = createHash('sha256')
    .update(inputs.bytes)
    .update('\0')
    .update(JSON.stringify(inputs.mapping))
    .digest('hex');
  for (let number = 1; ; number += 1) {
    const first = await client.createImport(body, {
      idempotencyKey: `import-${hash}-${number}`,
      ...(inputs.separator !== 'comma' && { query: { separator: inputs.separator } }),
    });
    const isThere = wasReplayed();
    const job = isThere ? await client.readImport(first.id) : first;
    if (!isThere || job.status !== 'FAILED') return { job, isThere };
  }
}

function summaryOf(job: Import, seconds: number): string {
  const { createdCount, skippedCount, failedCount, warningCount, totalRows } = job;
  const counts = [
    `${createdCount} recorded`,
    `${skippedCount} already there`,
    `${failedCount} failed`,
    `${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`,
  ];
  return `${totalRows} ${totalRows === 1 ? 'row' : 'rows'} in ${seconds.toFixed(1)} s: ${counts.join(', ')}. Import ${job.id}.`;
}

function whereIssuesAre(issues: readonly Issue[], isComplete: boolean, file: string): string {
  return `${isComplete ? 'All' : `The ${issues.length} that the service stored`}, with row and reason: ${file}`;
}
