import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '#domain/errors.js';
import { differencesIn } from '#harness/differencesIn.js';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { type OpenHome, openThreeGroups } from './linkHomes.js';
import { type Linkable, type LinkBench, linkBench } from './linksDeps.js';

const SUBJECTS = 5;
const subject = fc.integer({ min: 0, max: SUBJECTS - 1 });
const command = fc.oneof(
  fc.record({
    kind: fc.constant('report' as const),
    subject,
    count: fc.integer({ min: 1, max: 3 }),
    eventType: fc.constantFrom('CONTRACT_FULFILLED' as const, 'CONTRACT_BREACHED' as const),
    isVerified: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('link' as const), subject, host: subject }),
  fc.record({ kind: fc.constant('unlink' as const), subject }),
  fc.record({ kind: fc.constant('recompute' as const) }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

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
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 20 }), async (commands) => {
        expect(await endOf(three, commands)).toEqual(await endOf(one, commands));
      }),
      { numRuns: 30, endOnFailure: true },
    );
    for (const { db, groups } of [one, three]) expect(await differencesIn(db, groups)).toEqual([]);
  });

  /** The scores of all subjects and the refusals on the way. */
  async function endOf({ db, groups }: OpenHome, commands: readonly Command[]): Promise<unknown> {
    const now = new Date('2026-01-05T10:00:00.000Z');
    const bench = linkBench(db, { now: () => now }, 1_000_000, groups);
    const subjects: Linkable[] = [];
    for (let count = 0; count < SUBJECTS; count += 1) subjects.push(await bench.add(randomUUID()));
    const refused: (string | null)[] = [];
    for (const one of commands) refused.push(await act(bench, subjects, one));
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

/** The code of a refusal; null: it was done. */
async function act(bench: LinkBench, subjects: readonly Linkable[], one: Command): Promise<string | null> {
  try {
    if (one.kind === 'recompute') await bench.recompute();
    else if (one.kind === 'report')
      await bench.report(
        at(subjects, one.subject),
        Array.from({ length: one.count }, () => ({ eventType: one.eventType, isVerified: one.isVerified })),
      );
    else if (one.kind === 'link') await bench.link(at(subjects, one.subject), at(subjects, one.host));
    else await bench.unlink(at(subjects, one.subject));
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function at(subjects: readonly Linkable[], index: number): Linkable {
  const found = subjects[index];
  if (!found) throw new Error(`there is no subject ${index}`);
  return found;
}
