import { beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import type { Database } from '#kit/db/database.js';
import { useDatabase } from './useDatabase.js';

describe.each(engines)('notifications on %s', (engine) => {
  const opened = useDatabase(engine);
  let db: Database;
  beforeAll(() => {
    db = opened.db;
  });

  test('a notification reaches every listener of its channel and no other', async () => {
    const heard: string[] = [];
    const stops = [
      await db.listen('door', () => heard.push('first')),
      await db.listen('door', () => heard.push('second')),
      await db.listen('window', () => heard.push('window')),
    ];
    await db.notify('door');
    await expect.poll(() => heard.sort()).toEqual(['first', 'second']);
    for (const stop of stops) await stop();
  });

  test('a stopped listener gets no notifications', async () => {
    const heard: string[] = [];
    const stopFirst = await db.listen('bell', () => heard.push('first'));
    const stopSecond = await db.listen('bell', () => heard.push('second'));
    await stopFirst();
    await db.notify('bell');
    await expect.poll(() => heard).toEqual(['second']);
    await stopSecond();
    await db.notify('bell');
    await db.query('select pg_sleep(0.05)');
    expect(heard).toEqual(['second']);
  });

  // Of a transaction: wakes.test.ts.
  test('a listener that throws does not affect others', async () => {
    const heard: string[] = [];
    const stops = [
      await db.listen('step', () => {
        throw new Error('mine');
      }),
      await db.listen('step', () => heard.push('other')),
    ];
    await db.notify('step');
    await expect.poll(() => heard).toEqual(['other']);
    for (const stop of stops) await stop();
  });

  test('a channel name that would need quoting is refused', async () => {
    await expect(db.listen('a; drop table account', () => undefined)).rejects.toThrow('not a channel name');
  });
});
