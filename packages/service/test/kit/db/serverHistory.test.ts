import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { quietLog } from '#harness/quietLog.js';
import { ServerHistory } from '#kit/db/serverHistory.js';

const primary = { host: 'db1', port: 5432 };
const other = { host: 'db2', port: 5432 };
const identity = { refusesWrites: false, clusterId: '7001', timeline: 3 };

describe('a process that has written to a server', () => {
  async function written(): Promise<ServerHistory> {
    const history = new ServerHistory(null, quietLog);
    expect(await history.refuses(primary, identity)).toBeNull();
    await history.noteConnection(new EventEmitter() as pg.Client, primary, identity);
    return history;
  }

  test('refuses one of another cluster, and names both', async () => {
    const history = await written();
    const refusal = await history.refuses(other, { ...identity, clusterId: '7002' });
    expect(refusal?.message).toMatch(
      /db2:5432 belongs to the cluster 7002.*cluster 7001.*restart the service/,
    );
    expect(history.refusal).toBe(refusal);
  });

  test('refuses an older timeline, and takes the same and a newer one', async () => {
    const history = await written();
    expect(await history.refuses(other, { ...identity, timeline: 2 })).toMatchObject({
      name: 'WrongServerError',
    });
    for (const timeline of [3, 4]) expect(await history.refuses(other, { ...identity, timeline })).toBeNull();
  });
});
