import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, linkCommands } from './linkCommands.js';
import { linkHomes, type OpenHome } from './linkHomes.js';
import { type Linkable, type LinkBench, linkBench } from './linksDeps.js';

const SUBJECTS = 4;
const LIMIT = 5;

const commands = fc.array(linkCommands(SUBJECTS), { minLength: 4, maxLength: 20 });

describe.each(linkHomes)('freezes of linked subjects on %s', (_, home) => {
  let opened: OpenHome;
  let bench: LinkBench;

  beforeAll(async () => {
    opened = await home.open();
    const now = new Date('2026-01-05T10:00:00.000Z'); // all events fall into one hour
    bench = linkBench(opened.db, { now: () => now }, LIMIT, opened.groups);
  });

  afterAll(() => opened.close());

  test('a record is frozen exactly when a member exceeds the limit, and it counts all of its members', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const subjects: Linkable[] = [];
        for (let count = 0; count < SUBJECTS; count += 1) subjects.push(await bench.add(randomUUID()));
        for (const command of list) await carryOut(bench, subjects, command);
        await bench.recompute();
        const rows = await bench.rows<Row>(
          `select s.record_id, s.event_count, c.frozen_at, c.final_score, c.total_events, c.own_events
           from subject s left join score c using (subject_id) where s.subject_id = any($1::uuid[])`,
          [subjects.map(({ id }) => id)],
        );
        for (const recordId of new Set(rows.map((row) => row.recordId))) {
          const members = rows.filter((row) => row.recordId === recordId);
          const isTooFast = members.some((member) => member.eventCount > LIMIT);
          const reported = members.reduce((sum, member) => sum + (member.ownEvents ?? 0), 0);
          for (const member of members) {
            expect(member.frozenAt !== null).toBe(isTooFast);
            expect(member.totalEvents).toBe(members[0]?.totalEvents);
            expect(member.finalScore).toBe(members[0]?.finalScore);
            // A frozen score stays as it was; the book has the present events of its subject.
            expect(member.ownEvents ?? 0).toBe(member.eventCount);
            if (isTooFast) expect(member.totalEvents ?? 0).toBeLessThanOrEqual(reported);
            else expect(member.totalEvents ?? 0).toBe(reported);
          }
        }
      }),
      { numRuns: 2 * home.runs, endOnFailure: true },
    );
    expect(await bench.audit()).toEqual([]);
  });
});

interface Row {
  recordId: string;
  eventCount: number;
  frozenAt: Date | null;
  finalScore: number | null;
  totalEvents: number | null;
  ownEvents: number | null;
}
