import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkHead, headFileIn } from '../../../src/ledger/log/head.js';
import { breadth, openTestDatabase, type TestDatabase } from '../../harness/engines.js';
import { linkBench } from '../linksDeps.js';
import { logAll } from './logDeps.js';

const folder = mkdtempSync(join(tmpdir(), 'log-head-'));
const head = headFileIn(folder);
const now = new Date();

describe.each(breadth)('a restored backup on %s', (engine) => {
  let signed: TestDatabase;
  /** As an older backup: it lacks what was signed. */
  let restored: TestDatabase;
  let size = 0;

  beforeAll(async () => {
    signed = await openTestDatabase(engine);
    restored = await openTestDatabase(engine);
    await linkBench(signed.db).addWith(9);
    const checkpoint = await logAll(signed.db);
    size = checkpoint?.treeSize ?? 0;
    await head.write(checkpoint?.note ?? '');
    await linkBench(restored.db).addWith(3);
    await logAll(restored.db);
  });
  afterAll(async () => {
    await signed.close();
    await restored.close();
    rmSync(folder, { recursive: true });
  });

  test('a database that contains the signed log starts, also after it has grown', async () => {
    await checkHead(signed.db, head, { accepted: undefined, now });
    await linkBench(signed.db).addWith(20);
    await logAll(signed.db);
    await checkHead(signed.db, head, { accepted: undefined, now });
  });

  test('a database that lost signed leaves is refused, with the number of leaves to accept', async () => {
    const refused = checkHead(restored.db, head, { accepted: undefined, now });
    await expect(refused).rejects.toThrow(`ACCEPT_LOG_ROLLBACK=${size}`);
    await expect(checkHead(restored.db, head, { accepted: size + 1, now })).rejects.toThrow(
      'a backup was restored',
    );
  });

  test('another log of the same length is refused as well', async () => {
    await linkBench(restored.db).addWith(20);
    await logAll(restored.db);
    await expect(checkHead(restored.db, head, { accepted: undefined, now })).rejects.toThrow(
      `does not contain the log of ${size} leaves`,
    );
  });

  test('an accepted loss becomes a leaf, and the next start needs no acceptance', async () => {
    await checkHead(restored.db, head, { accepted: size, now });
    await logAll(restored.db);
    const notes = await restored.db.query<{ fact: object }>(
      `select fact from log_note join log_fact on kind = 9 and ref = number where fact ->> 'kind' = 'rollback'`,
    );
    expect(notes).toMatchObject([{ fact: { kind: 'rollback', size } }]);
    await checkHead(restored.db, head, { accepted: undefined, now });
  });

  test('the first start knows no head', async () => {
    await checkHead(restored.db, headFileIn(join(folder, 'absent')), { accepted: undefined, now });
  });
});
