import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { carryOut, type LinkCommand, linkCommands } from './linkCommands.js';
import { type OpenHome, openThreeGroups } from './linkHomes.js';
import { type Linkable, linkBench } from './linksDeps.js';

const SUBJECTS = 5;
const commands = fc.array(linkCommands(SUBJECTS), { minLength: 4, maxLength: 20 });

describe.skipIf(!hasPostgres)('the same history in one ledger group and in three', () => {
  let one: OpenHome;
  let three: OpenHome;

  beforeAll(async () => {
    const { db, close } = await openTestDatabase('postgresql');
    one = { db, groups: [db], close };
    three = await openThreeGroups();
  });
  afterAll(() => Promise.all([one.close(), three.close()]));

  test('ends with the same scores', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        expect(await endOf(three, list)).toEqual(await endOf(one, list));
      }),
      { numRuns: 30, endOnFailure: true },
    );
    for (const { db, groups } of [one, three]) expect(await differencesIn(db, groups)).toEqual([]);
  });

  /** The scores of all subjects and the refusals on the way. */
  async function endOf({ db, groups }: OpenHome, list: readonly LinkCommand[]): Promise<unknown> {
    const now = new Date('2026-01-05T10:00:00.000Z');
    const bench = linkBench(db, { now: () => now }, 1_000_000, groups);
    const subjects: Linkable[] = [];
    for (let count = 0; count < SUBJECTS; count += 1) subjects.push(await bench.add(randomUUID()));
    const refused: (string | null)[] = [];
    for (const command of list) refused.push(await carryOut(bench, subjects, command));
    await bench.recompute();
    const scores = [];
    for (const { id } of subjects) scores.push(await bench.rows(SCORE, [id]));
    return { refused, scores };
  }
});

const SCORE = `select s.event_count, s.record_id = s.subject_id as is_alone, c.final_score, c.score_band, c.confidence,
    c.behavioral_quality, c.total_events, c.verified_events, c.own_events, c.own_verified_events,
    c.detail -> 'factors' as factors, c.detail -> 'components' as components, c.detail -> 'adverse' as adverse,
    c.detail -> 'supporting' as supporting, c.detail -> 'record' as record
  from subject s left join score c using (subject_id) where s.subject_id = $1`;
