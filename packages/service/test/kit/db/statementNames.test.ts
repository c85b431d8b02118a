import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { StatementNames } from '#kit/db/results.js';
import { useDatabase } from './useDatabase.js';

describe('names of prepared statements', () => {
  test('a text keeps its name and no two texts share one', () => {
    const names = new StatementNames();
    const first = names.of('select 1').name;
    expect(first).toBeDefined();
    expect(names.of('select 1').name).toBe(first);
    expect(names.of('select 2').name).not.toBe(first);
  });

  test('texts beyond the limit get no name, earlier ones keep theirs', () => {
    const names = new StatementNames(2);
    const earlier = [names.of('a').name, names.of('b').name];
    expect(names.of('c').name).toBeUndefined();
    expect([names.of('a').name, names.of('b').name]).toEqual(earlier);
  });

  test('after a reset no name is used again', () => {
    const names = new StatementNames();
    const before = names.of('a').name;
    names.forget();
    expect(names.of('a').name).not.toBe(before);
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
