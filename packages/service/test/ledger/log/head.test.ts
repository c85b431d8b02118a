import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { over } from '#harness/over.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { Database } from '#kit/db/database.js';
import { acceptLosses } from '#ledger/log/checkpoints.js';
import { headFileIn } from '#ledger/log/heads.js';
import { findLostHeads } from '../../../src/features/transparency/witness/lostHeads.js';
import { assertLogsAreWhole } from '../../../src/start/prepare.js';
import { linkBench } from '../linksDeps.js';
import { logAll } from './logDeps.js';

const folder = mkdtempSync(join(tmpdir(), 'log-head-'));
const head = headFileIn(folder, 0);
const now = new Date();

describe.each(breadth)('a restored backup on %s', (engine) => {
  const signed = ownDatabase(engine);
  /** As an older backup: it lacks what was signed. */
  const restored = ownDatabase(engine);
  let size = 0;

  beforeAll(async () => {
    await linkBench(signed.db).addWith(9);
    const checkpoint = await logAll(signed.db);
    size = checkpoint?.treeSize ?? 0;
    await head.write(checkpoint?.note ?? '');
    await linkBench(restored.db).addWith(3);
    await logAll(restored.db);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const lostBy = (db: Database, file = head) => findLostHeads(db, { head: file, witnesses: [] });

  test('a database that contains the signed log starts, also after it has grown', async () => {
    expect(await lostBy(signed.db)).toEqual([]);
    await linkBench(signed.db).addWith(20);
    await logAll(signed.db);
    expect(await lostBy(signed.db)).toEqual([]);
  });

  test('a database that lost signed leaves is found out', async () => {
    expect(await lostBy(restored.db)).toEqual([{ size, knownBy: 'the file log-head' }]);
  });

  test('the start names every group whose log lost leaves, with the command that accepts it', async () => {
    const groups = [0, 1, 2].map((own) => over(restored.db, { ledgers: { ...restored.db.ledgers, own } }));
    const headOf = (group: number) => (group === 1 ? null : { ...head, name: `head of ${group}` });
    await expect(assertLogsAreWhole(groups, { headOf, witnesses: [] })).rejects.toThrow(
      new RegExp(
        `log of the database has .* the log of ${size} leaves .*known by the file head of 0.* log of ledger group 2 has .*` +
          `-- ${size} and npm run accept-rollback -- ${size} --group 2`,
      ),
    );
    await assertLogsAreWhole(groups.slice(1, 2), { headOf, witnesses: [] });
  });

  test('another log of the same length is found out as well', async () => {
    await linkBench(restored.db).addWith(20);
    await logAll(restored.db);
    expect(await lostBy(restored.db)).toEqual([{ size, knownBy: 'the file log-head' }]);
  });

  test('an accepted loss becomes a leaf, and hinders the next start no longer', async () => {
    await acceptLosses(restored.db, await lostBy(restored.db), now);
    expect(await lostBy(restored.db)).toEqual([]);
    await logAll(restored.db);
    const notes = await restored.db.query<{ fact: object }>(
      `select fact from log_note join log_fact on kind = 9 and ref = number where fact ->> 'kind' = 'rollback'`,
    );
    expect(notes).toMatchObject([{ fact: { kind: 'rollback', size } }]);
  });

  test('the first start knows no head', async () => {
    expect(await lostBy(restored.db, headFileIn(join(folder, 'absent'), 0))).toEqual([]);
  });
});
