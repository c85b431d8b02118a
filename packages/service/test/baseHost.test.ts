import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { ensureSigningKey } from '#ledger/signingKeys.js';
import { readConfig } from '../src/start/config.js';
import { changedHostText, findChangedHost, prepare } from '../src/start/prepare.js';
import { engines, openTestDatabase, type TestDatabase } from './harness/engines.js';
import { TEST_KEYS } from './harness/service.js';

describe.each(engines)('the host of BASE_URL on %s', (engine) => {
  let opened: TestDatabase;
  let db: Database;
  const vault = createVault(TEST_KEYS.data);

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    db = opened.db;
  });
  afterAll(() => opened.close());

  /** The warnings of a start. */
  async function start(baseUrl: string): Promise<{ msg: string }[]> {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    const config = { ...readConfig({ DATA_KEY: TEST_KEYS.data }), baseUrl };
    await prepare({ config, db, clock: systemClock, log, vault } as never);
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('The host of BASE_URL'));
  }

  test('may change while nothing was signed', async () => {
    expect(await start('https://first.example')).toEqual([]);
    expect(await start('https://second.example')).toEqual([]);
  });

  test('is warned about when it changes under issued credentials, by both names', async () => {
    await ensureSigningKey(db, vault, systemClock, 'credential');
    expect(await start('https://second.example/path')).toEqual([]);
    const changed = { former: 'second.example', now: 'third.example:8443' };
    expect(await findChangedHost(db, { baseUrl: 'https://third.example:8443' })).toEqual(changed);
    expect(await start('https://third.example:8443')).toMatchObject([
      { level: 40, ...changed, msg: changedHostText(changed) },
    ]);
    expect(changedHostText(changed)).toContain('did:web:second.example');
    expect(await start('https://third.example:8443')).toEqual([]);
  });
});
