import { mergeTallies, tallyCodeOf } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import { engines } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { seededRandom } from '#kit/seededRandom.js';
import { countByParty, findScoreBasis, findTalliesByAttester } from '#ledger/profile/concentrations.js';
import { subjectIdOf } from '#ledger/subjectId.js';

const TYPES = [
  'CONTRACT_FULFILLED',
  'REVIEW_VERIFIED',
  'CONTRACT_BREACHED',
  'TRANSACTION_DISPUTED',
  'TRANSACTION_CANCELLED',
];
const FIELDS = ['userId', 'eventType', 'stakeLevel', 'isVerified', 'verifiedBy', 'completedAt', 'dueDate'];

describe.each(engines)('what is counted by attester on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(engine);
  });
  afterAll(() => service.close());

  /** Outcomes of every kind, with and without dates and parties. */
  async function reportAnything(userId: string, seed: number): Promise<string> {
    const random = seededRandom(seed);
    const dateOf = (share: number, aheadMs: number) =>
      random.fraction() < share
        ? new Date(
            Date.now() + aheadMs - random.whole(0, 400 * 24) * HOUR_MS - random.whole(0, 86_399_999),
          ).toISOString()
        : undefined;
    const records = Array.from({ length: 60 }, () => ({
      userId,
      eventType: random.pick(TYPES),
      stakeLevel: random.pick(['HIGH', 'MEDIUM', 'LOW']),
      isVerified: random.fraction() < 0.7,
      verifiedBy: random.pick(['a', 'b', ' A.', 'c']),
      completedAt: dateOf(0.6, 0),
      dueDate: dateOf(0.6, 30 * DAY_MS),
    }));
    const mapping = Object.fromEntries(FIELDS.map((name) => [name, { path: name }]));
    const told = await service.request('POST', '/ingest', { body: { records, mapping } });
    expect(told.body.failedCount).toBe(0);
    const onWord = records.slice(0, 15).map(({ verifiedBy: _, ...event }) => event);
    await service.request('POST', '/events/batch', { body: { events: onWord } });
    const { disputes } = (await service.request('GET', '/disputes?limit=100')).body;
    for (const dispute of disputes.slice(0, 4)) {
      await service.request('PATCH', `/disputes/${dispute.id}/resolve`, {});
    }
    await service.settle();
    return subjectIdOf(service.platformId, true, userId);
  }

  test.each([1, 2, 3])('has the tallies of the score, in other groups (seed %d)', async (seed) => {
    const subjectId = await reportAnything(`counted-${seed}`, seed);
    const basis = await findScoreBasis(service.db, subjectId);
    if (!basis) throw new Error('there is no score');
    const byAttester = (await findTalliesByAttester(service.db, basis)) ?? [];
    const keyed = mergeTallies(byAttester).map((tally) => [tally.day, tallyCodeOf(tally), tally.count]);
    const stored = await service.db.query<{ day: number; code: number; count: number }>(
      'select day, code, count from tally where subject_id = $1 and count <> 0 order by day, code',
      [subjectId],
    );
    expect(keyed.sort(byDayAndCode)).toEqual(stored.map(({ day, code, count }) => [day, code, count]));
    const [counts = []] = await countByParty(service.db, [basis.members]);
    const weighed = byAttester.filter(
      (tally) => tally.isVerified && tally.eventType !== 'TRANSACTION_CANCELLED',
    );
    const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
    expect(sum(counts)).toBe(sum(weighed));
    for (const attester of ['a', 'b', null]) {
      const of = (row: { attester: string | null }) => row.attester === attester;
      expect(sum(counts.filter(of))).toBe(sum(weighed.filter(of)));
    }
  });

  test('stops at the position that the score counts', async () => {
    const subjectId = await reportAnything('early', 4);
    const upTo = (position: number) => countByParty(service.db, [[{ subjectId, position }]]);
    expect(await upTo(0)).toEqual([[]]);
    const [ten = []] = await upTo(10);
    expect(ten.reduce((total, { count }) => total + count, 0)).toBeLessThanOrEqual(10);
  });
});

function byDayAndCode([day = 0, code = 0]: number[], [otherDay = 0, otherCode = 0]: number[]): number {
  return day - otherDay || code - otherCode;
}
