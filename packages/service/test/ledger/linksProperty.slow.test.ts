import { randomUUID } from 'node:crypto';
import { score, type Tally, tallyKeyFromCode } from '@reliability/scoring';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import { systemClock } from '#kit/clock.js';
import { createExchange } from '#ledger/links/exchange.js';
import { log, workerOn } from './deps.js';
import { carryOut, linkCommands } from './linkCommands.js';
import { linkHomes, type OpenHome } from './linkHomes.js';
import { type Linkable, type LinkBench, linkBench } from './linksDeps.js';

/** Four platforms, two of which have two subjects. */
const SUBJECTS = 6;
const PLATFORM_OF = [0, 1, 2, 3, 0, 1];

/** The workers recompute. */
const command = linkCommands(SUBJECTS).filter(({ kind }) => kind !== 'recompute');
/** Every writer runs its commands in sequence; the writers run concurrently. */
const actors = fc.array(fc.array(command, { minLength: 1, maxLength: 10 }), { minLength: 2, maxLength: 6 });

describe.each(linkHomes)('concurrent reports, links and unlinks on %s', (_, home) => {
  let opened: OpenHome;
  let bench: LinkBench;
  const loops: { start(): void; stop(): Promise<void> }[] = [];
  let wakes: NodeJS.Timeout;

  beforeAll(async () => {
    opened = await home.open();
    const groups = () => opened.groups;
    bench = linkBench(opened.db, systemClock, undefined, opened.groups);
    const all: ReturnType<typeof workerOn>[] = [];
    // As the service's look at the queues of all groups does.
    wakes = setInterval(() => {
      for (const worker of all) worker.wake();
    }, 100);
    for (let count = 0; count < 2; count += 1) {
      const workers = groups().map((db) => workerOn(db, { velocityMaxPerHour: 1_000_000 }));
      all.push(...workers);
      const onQueued = (group: number) => workers[group]?.wake();
      loops.push(...workers, createExchange({ groups, clock: systemClock, log, onQueued }));
    }
    for (const loop of loops) loop.start();
  });
  afterAll(async () => {
    clearInterval(wakes);
    for (const loop of loops) await loop.stop();
    await opened.close();
  });

  test('every member has the score of its record, and the audit finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(actors, async (lists) => {
        const platforms = Array.from({ length: 4 }, () => randomUUID());
        const subjects: Linkable[] = [];
        for (const platform of PLATFORM_OF) subjects.push(await bench.add(platforms[platform]));
        await Promise.all(
          lists.map(async (commands) => {
            for (const one of commands) await carryOut(bench, subjects, one);
          }),
        );
        await eventually(isQuiet);
        await expectSharedScores(subjects);
      }),
      { numRuns: home.runs, endOnFailure: true },
    );
    expect(await bench.audit()).toEqual([]);
  });

  /** Nothing is queued, in any group nor between groups. */
  async function isQuiet(): Promise<boolean> {
    const waiting = 'select from recompute_queue union all select from tally_outbox limit 1';
    return (await bench.rows(waiting)).length === 0 && (await bench.rows(waiting)).length === 0;
  }

  async function expectSharedScores(subjects: readonly Linkable[]): Promise<void> {
    const rows = await bench.rows<Row>(ROWS, [subjects.map(({ id }) => id)]);
    for (const recordId of new Set(rows.map((row) => row.recordId))) {
      const members = rows.filter((row) => row.recordId === recordId);
      const platforms = members.map((member) => member.platformId);
      expect(new Set(platforms).size).toBe(platforms.length);
      expect(members.length === 1).toBe(members.some((member) => member.subjectId === recordId));
      const tallies = members.flatMap(talliesOf);
      for (const member of members) {
        const due = score(tallies, member.asOf ?? 0);
        expect({ ...member, days: 0, codes: 0, counts: 0 }).toMatchObject({
          finalScore: due?.finalScore ?? null,
          confidence: due?.confidence ?? null,
          totalEvents: due?.totalEvents ?? null,
          ownEvents: due ? member.eventCount : null,
          scoreRecordId: due ? recordId : null,
        });
      }
    }
  }
});

interface Row {
  subjectId: string;
  platformId: string;
  recordId: string;
  eventCount: number;
  scoreRecordId: string | null;
  finalScore: number | null;
  confidence: number | null;
  totalEvents: number | null;
  ownEvents: number | null;
  asOf: number | null;
  days: number[];
  codes: number[];
  counts: number[];
}

const ROWS = `select s.subject_id, s.platform_id, s.record_id, s.event_count, c.record_id as score_record_id, c.final_score,
    c.confidence, c.total_events, c.own_events, c.as_of,
    array(select day from tally t where t.subject_id = s.subject_id order by day, code) as days,
    array(select code from tally t where t.subject_id = s.subject_id order by day, code) as codes,
    array(select count from tally t where t.subject_id = s.subject_id order by day, code) as counts
  from subject s left join score c using (subject_id) where s.subject_id = any($1::uuid[]) order by s.subject_id`;

function talliesOf({ days, codes, counts }: Row): Tally[] {
  return days.map((day, index) => ({
    ...tallyKeyFromCode(day, codes[index] ?? -1),
    count: counts[index] ?? 0,
  }));
}
