import { expect, test } from 'vitest';
import { crashRun } from './crash/crashRun.js';

test('a service killed under load loses nothing it acknowledged and doubles nothing that is sent again', async () => {
  const said: string[] = [];
  const report = await crashRun({
    engine: 'pglite',
    build: 'source',
    kills: 2,
    outages: 0,
    clients: 8,
    seed: 7,
    say: (line) => said.push(line),
  });
  expect(report.faults, said.join('\n')).toEqual([]);
  expect(report.events).toBeGreaterThan(100);
  expect(report.retries.brokenConnections).toBeGreaterThan(0);
}, 120_000);
