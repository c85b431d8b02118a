import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { good, type Linkable, type LinkBench, linkBench } from './linksDeps.js';

const bad = { eventType: 'CONTRACT_BREACHED', isVerified: true } as const;

describe.each(engines)('the audit of linked subjects on %s', (engine) => {
  const own = ownDatabase(engine);
  let bench: LinkBench;
  let now = new Date('2026-01-05T10:00:00.000Z');

  beforeAll(() => {
    bench = linkBench(own.db, { now: () => now });
  });

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

  const OF = 'where subject_id = $1 and $2::uuid is not null';
  const FACT = `insert into subject_link (subject_id, position, link_id, platform_id, record_id, action, snapshot_no, at)
    select subject_id, `;
  const damages: Record<string, [damage: string, says: RegExp]> = {
    'a record id without a link': [
      'update subject set record_id = $2 where subject_id = $1',
      /^subject: record_id is .*, rebuilt /,
    ],
    'a subject in the record of another': [
      `update subject set record_id = (select subject_id from subject where subject_id not in ($1, $2) limit 1) ${OF}`,
      /^subject: record_id is .*, rebuilt /,
    ],
    'a link that the subject row does not have': [
      `update subject set record_id = subject_id ${OF}`,
      /^subject: record_id is .*, rebuilt /,
    ],
    'a score of another record': [
      'update score set record_id = $2 where subject_id = $1',
      /^score: record_id is .*, the subject is in /,
    ],
    'an unlink without a link': [
      `${FACT} 2, $2, platform_id, $2, 'unlinked', 1, now() from subject where subject_id = $1`,
      /^subject: link 2: unlinked with .*, but it was in /,
    ],
    'a gap in the link facts': [
      `${FACT} 3, $2, platform_id, record_id, 'unlinked', 1, now() from subject where subject_id = $1`,
      /^subject: link 3 is where 2 is due$/,
    ],
    'a snapshot that counts a subject outside the record': [
      `update score_snapshot set positions = json_build_object($1::text, 1, $2::text, 0)
        where subject_id = $1::uuid and snapshot_no = 2`,
      /^snapshot 2: it rests on .*, who was no member of the record then$/,
    ],
    'a snapshot that omits its own subject': [
      `update score_snapshot set positions = '{}' ${OF} and snapshot_no = 2`,
      /^snapshot 2: it does not rest on its own subject$/,
    ],
  };

  test.each(Object.entries(damages))('%s is reported', async (_, [damage, says]) => {
    const subject = await linked();
    const before = await bench.audit();
    await own.db.execute(damage, [subject.id, randomUUID()]);
    const fresh = (await bench.audit()).filter((line) => !before.includes(line));
    const ofSubject = fresh.filter((line) => line.startsWith(subject.id)).map((line) => line.slice(37));
    expect(ofSubject).toContainEqual(expect.stringMatching(says));
  });

  test('links without their subject are reported', async () => {
    const { id } = await linked();
    await own.db.execute('delete from subject where subject_id = $1', [id]);
    expect(await bench.audit()).toContain(`${id} subject_link: rows without a subject`);
  });

  async function linked(): Promise<Linkable> {
    const [first, second] = [await bench.addWith(1), await bench.addWith(1)];
    await bench.recompute();
    await bench.link(second, first);
    await bench.recompute();
    return second;
  }
});
