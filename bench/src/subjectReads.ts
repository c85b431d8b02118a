import { type Line, Samples, tenth, whole } from './kit/figure.js';
import { LIVE_KEY, type Server } from './kit/server.js';

const SUBJECTS = 40;
const REPEATS = 5;
const LIMIT_MS = 5;

/** Every read of one subject, below `/users/{id}`. A body makes it a POST. */
const reads: readonly { readonly path: string; readonly body?: object }[] = [
  { path: 'score' },
  { path: 'score/explain' },
  { path: 'score/components' },
  { path: 'score/history' },
  { path: 'reliability' },
  { path: 'trust-summary' },
  { path: 'timeline' },
  { path: 'platforms' },
  { path: 'risk' },
  { path: 'benchmark' },
  { path: 'score/project', body: { events: [{ eventType: 'CONTRACT_FULFILLED', isVerified: true }] } },
];

/** Each read of one subject, over HTTP, one after the other: the median of the slowest and of all. */
export async function timeSubjectReads(
  { url }: Server,
  setting: string,
  say: (line: string) => void,
): Promise<Line[]> {
  const listed = await ask(`${url}/api/v1/users?hasScore=true&minVerifiedEvents=1&limit=${SUBJECTS}`);
  const { users } = listed as { users: { externalId: string }[] };
  const timed: { path: string; samples: Samples }[] = [];
  for (const { path, body } of reads) {
    const samples = new Samples();
    for (let repeat = -1; repeat < REPEATS; repeat += 1) {
      for (const { externalId } of users) {
        const startedAt = performance.now();
        await ask(`${url}/api/v1/users/${externalId}/${path}`, body);
        if (repeat >= 0) samples.add(performance.now() - startedAt); // the first round warms up
      }
    }
    say(`  ${path}: ${samples.milliseconds()}`);
    timed.push({ path, samples });
  }
  timed.sort((a, b) => b.samples.median - a.samples.median);
  const [slowest] = timed;
  if (!slowest) return [];
  return [
    {
      what: `slowest of ${reads.length} reads of one subject: ${slowest.path}`,
      setting,
      value: slowest.samples.milliseconds(),
      baseline: timed
        .slice(1)
        .map(({ path, samples }) => `${path} ${tenth(samples.median)}`)
        .join(', '),
      measure: slowest.samples.median,
      unit: 'ms',
      target: { under: LIMIT_MS },
    },
  ];
}

async function ask(address: string, body?: object): Promise<unknown> {
  const answer = await fetch(address, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export function bookSetting(sizes: { subjects: number; events: number }): string {
  return `PostgreSQL, ${whole(sizes.subjects)} subjects, ${whole(sizes.events)} events`;
}
