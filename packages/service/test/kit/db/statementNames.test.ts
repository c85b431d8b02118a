import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { StatementNames } from '#kit/db/results.js';
import { useDatabase } from './useDatabase.js';

describe('names of prepared statements', () => {
  test('a text keeps its name, none beyond the limit gets one, and none is used again after a reset', () => {
    const names = new StatementNames(2);
    const namesOf = (...texts: string[]) => texts.map((text) => names.of(text).name);
    const [first, second] = namesOf('a', 'b');
    expect(namesOf('c', 'a', 'b')).toEqual([undefined, first, second]);
    names.forget();
    expect(new Set([first, second, ...namesOf('a', 'b')]).size).toBe(4);
  });
});

describe.each(engines)('prepared statements on %s', (engine) => {
  const opened = useDatabase(engine);

  test('a repeated text is planned once, and the number of prepared statements is limited', async () => {
    const { db } = opened;
    const prepared = 'select count(*) as n from pg_prepared_statements';
    for (let round = 0; round < 3; round += 1) await db.query('select $1::int as it', [round]);
    await db.transaction(async (tx) => {
      for (let number = 0; number < 600; number += 1) {
        const [row] = await tx.query<{ it: number }>(`select ${number} + $1::int as it`, [1]);
        expect(row?.it).toBe(number + 1);
      }
      const [row] = await tx.query<{ n: number }>(prepared);
      expect(row?.n).toBeGreaterThan(400);
      expect(row?.n).toBeLessThanOrEqual(500);
    });
  });
});
