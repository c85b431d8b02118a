import { describe, expect, test } from 'vitest';
import { crashRun } from './crash/crashRun.js';
import { compareWithAcknowledged, type ExportedEvent } from './crash/verify.js';
import type { TakenRequest } from './crash/writeRequests.js';

test('a service killed under load loses no acknowledged write and doubles no repeated one', async () => {
  const said: string[] = [];
  const report = await crashRun({
    engine: 'pglite',
    kills: 2,
    outages: 0,
    clients: 8,
    seed: 7,
    say: (line) => said.push(line),
  });
  expect(report.violations, said.join('\n')).toEqual([]);
  expect(report.events).toBeGreaterThan(100);
  expect(report.retries.brokenConnections).toBeGreaterThan(0);
  expect(report.delivered).toBeGreaterThan(50);
  expect(report.refused).toBeGreaterThan(0);
});

describe('the comparison finds', () => {
  const taken = (n: number, id: string): TakenRequest => {
    return { path: '/events', headers: {}, body: '', numbers: [n], eventIds: [id] };
  };
  /** Events as `1a 2b`: their numbers and ids. */
  const recorded = (text: string): ExportedEvent[] =>
    text
      .split(' ')
      .map(([n, id = '']) => ({ id, userId: 'a', isVerified: false, metadata: { n: Number(n) } }));
  const acknowledged = [taken(1, 'a'), taken(2, 'b')];

  test('nothing if all is correct', () => {
    expect(compareWithAcknowledged(recorded('1a 2b'), acknowledged)).toEqual([]);
  });

  test.each([
    ['an event that was lost', '1a', 'number 2 was acknowledged and is lost'],
    ['an event that was doubled', '1a 2b 2c', 'number 2 is recorded twice'],
    ['an event shown twice', '1a 2b 2b', 'shows event b twice'],
    ['another id', '1a 2x', 'acknowledged as b and is recorded as x'],
    ['what nobody sent', '1a 2b 3c', '2 events were acknowledged, 3'],
  ])('%s', (_, events, violation) => {
    const found = compareWithAcknowledged(recorded(events), acknowledged).map(({ text }) => text);
    expect(found.join('\n')).toContain(violation);
  });
});
