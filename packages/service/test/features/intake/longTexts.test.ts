import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { finished } from './importFixtures.js';
import { ingest, mappingOf } from './ingestFixtures.js';

/** More than the noise of a busy machine, and far below what a cost that grows with the square takes. */
const AT_MOST_TIMES = 5;
const ROUNDS = 5;

const number = mappingOf({ transactionValue: { path: 'value' } });
const digits = (length: number) => `${'1'.repeat(length)}x`;
/** As many characters in texts of ordinary length. */
const shortTexts = (length: number) => Array<string>(Math.ceil(length / 200)).fill('1'.repeat(200));
const csvOf = (cell: string) => `who,value\r\n${Array<string>(12).fill(`worker-1,${cell}\r\n`).join('')}`;
const CELL = 60_000;
const shortRows = `who,value\r\n${'worker-1,1x\r\n'.repeat(20)}${' '.repeat(12 * CELL)}`;
const party = (length: number) => ({ constant: `${'.'.repeat(length)}x` });

const cases = [
  {
    name: 'a number of 800 kB in a record',
    path: '/ingest',
    long: { records: [{ who: 'worker-1', value: digits(800_000) }], mapping: number },
    short: { records: [{ who: 'worker-1', value: '1x', more: shortTexts(800_000) }], mapping: number },
  },
  {
    name: 'long numbers in a dry run',
    path: '/imports/dry-run',
    long: { csv: csvOf(digits(CELL)), mapping: number },
    short: { csv: shortRows, mapping: number },
  },
  {
    name: 'long numbers in an import',
    path: '/imports',
    long: { csv: csvOf(digits(CELL)), mapping: number },
    short: { csv: shortRows, mapping: number },
  },
  {
    name: 'a constant of 800 kB in a saved mapping',
    path: '/ingest/mappings',
    long: { name: 'long', mapping: mappingOf({ verifiedBy: party(800_000) }) },
    short: { name: 'short', mapping: mappingOf({ verifiedBy: { constant: shortTexts(800_000) } }) },
  },
  {
    name: 'a constant of 4 MB in the mapping of an import',
    path: '/imports',
    long: { csv: 'who\r\n', mapping: mappingOf({ verifiedBy: party(4_000_000) }) },
    short: { csv: 'who\r\n', mapping: mappingOf({ verifiedBy: { constant: shortTexts(4_000_000) } }) },
  },
];

describe.each(breadth)('a text that is too long, on %s', (engine) => {
  const service = givenSharedService(engine);
  const send = async (path: string, body: object): Promise<TestAnswer> => {
    const answer = await service.request('POST', path, { body });
    if (answer.status === 202) await finished(service, answer.body.id);
    return answer;
  };
  const processorMs = async (use: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await use();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  test.each(cases)(
    'costs little more than short texts of the same size: $name',
    async ({ path, short, long }) => {
      const used: { short: number; long: number }[] = [];
      // By turns: what disturbs the machine disturbs both.
      for (let round = 0; round < ROUNDS; round += 1) {
        const shortMs = await processorMs(() => send(path, short));
        used.push({ short: shortMs, long: await processorMs(() => send(path, long)) });
      }
      const least = (which: 'short' | 'long') => Math.min(...used.map((round) => round[which]));
      expect(least('long') / least('short')).toBeLessThan(AT_MOST_TIMES);
    },
  );

  test('fails its record alone and says how long a number may be', async () => {
    const values = ['1'.repeat(65), `0.${'5'.repeat(62)}`, digits(800_000)];
    const { body } = await ingest(
      service,
      values.map((value) => ({ who: 'worker-1', value })),
      number,
    );
    expect([body.createdCount, body.failedCount]).toEqual([1, 2]);
    const message = 'must have at most 64 characters, not 65 (read from "value")';
    const details = [{ path: 'records.0.transactionValue', code: 'too_big', message }];
    expect(body.results[0].error.details).toEqual(details);
    expect(body.results[2].error.message).toContain('must have at most 64 characters, not 800001');
  });
});
