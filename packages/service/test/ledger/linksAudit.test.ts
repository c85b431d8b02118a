import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { good, type Linkable, type LinkBench, linkBench } from './linksDeps.js';

const DAY_MS = 86_400_000;
const bad = { eventType: 'CONTRACT_BREACHED', isVerified: true } as const;

describe.each(engines)('the audit of linked subjects on %s', (engine) => {
  let database: TestDatabase;
  let bench: LinkBench;
  let now = new Date('2026-01-05T10:00:00.000Z');

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    bench = linkBench(database.db, { now: () => now });
  });

  afterAll(() => database.close());

  test('the audit rebuilds snapshots from the ledgers of all members at that time', async () => {
    const [first, second, third] = [await bench.addWith(2), await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    await bench.link(second, first);
    await bench.report(second, [bad]);
    await bench.recompute();
    now = new Date(now.getTime() + 30 * DAY_MS);
    await bench.link(third, second);
    await bench.report(first, [good, good]);
    await bench.recompute();
    await bench.unlink(first);
    await bench.report(first, [bad]);
    await bench.recompute();
    await bench.unlink(second);
    await bench.recompute();
    await bench.link(second, first);
    expect(await bench.audit()).toEqual([]);
    await bench.recompute();
    expect(await bench.audit()).toEqual([]);
  });

  const damages: { about: string; damage: string; says: RegExp }[] = [
    {
      about: 'a record id without a link',
      damage: 'update subject set record_id = $2 where subject_id = $1',
      says: /^subject: record_id is .*, rebuilt /,
    },
    {
      about: 'a subject in the record of another',
      damage:
        'update subject set record_id = (select subject_id from subject where subject_id not in ($1, $2) limit 1) where subject_id = $1',
      says: /^subject: record_id is .*, rebuilt /,
    },
    {
      about: 'a link that the subject row does not have',
      damage: 'update subject set record_id = subject_id where subject_id = $1 and $2::uuid is not null',
      says: /^subject: record_id is .*, rebuilt /,
    },
    {
      about: 'a score of another record',
      damage: 'update score set record_id = $2 where subject_id = $1',
      says: /^score: record_id is .*, the subject is in /,
    },
    {
      about: 'an unlink without a link',
      damage: `insert into subject_link (subject_id, position, link_id, platform_id, record_id, action, snapshot_no, at)
        select subject_id, 2, $2, platform_id, $2, 'unlinked', 1, now() from subject where subject_id = $1`,
      says: /^subject: link 2: unlinked with .*, but it was in /,
    },
    {
      about: 'a gap in the link facts',
      damage: `insert into subject_link (subject_id, position, link_id, platform_id, record_id, action, snapshot_no, at)
        select subject_id, 3, $2, platform_id, record_id, 'unlinked', 1, now() from subject where subject_id = $1`,
      says: /^subject: link 3 is where 2 is due$/,
    },
    {
      about: 'a snapshot that counts a subject outside the record',
      damage: `update score_snapshot set positions = json_build_object($1::text, 1, $2::text, 0)
        where subject_id = $1::uuid and snapshot_no = 2`,
      says: /^snapshot 2: it rests on .*, who was no member of the record then$/,
    },
    {
      about: 'a snapshot that omits its own subject',
      damage: `update score_snapshot set positions = '{}' where subject_id = $1 and $2::uuid is not null and snapshot_no = 2`,
      says: /^snapshot 2: it does not rest on its own subject$/,
    },
  ];

  test.each(damages)('$about is reported', async ({ damage, says }) => {
    const [first, second] = await linkedPair();
    const before = await bench.audit();
    await database.db.execute(damage, [second.id, randomUUID()]);
    const found = await bench.audit();
    const fresh = found.filter((line) => !before.includes(line));
    const ofSubject = fresh.filter((line) => line.startsWith(second.id)).map((line) => line.slice(37));
    expect(ofSubject.filter((what) => says.test(what))).not.toEqual([]);
    expect(first.id).not.toBe(second.id);
  });

  test('links without their subject are reported', async () => {
    const [, second] = await linkedPair();
    await database.db.execute('delete from subject where subject_id = $1', [second.id]);
    expect(await bench.audit()).toContain(`${second.id} subject_link: rows without a subject`);
  });

  async function linkedPair(): Promise<[Linkable, Linkable]> {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    await bench.link(second, first);
    await bench.recompute();
    return [first, second];
  }
});
