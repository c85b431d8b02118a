import { type LedgerFacts, type ReplayEntry, replayEntriesOf } from '@reliability/scoring';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '#domain/errors.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { readReplayEntries } from '#ledger/reads/recordEntries.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { lapseDisputes, resolveDispute } from '../../src/features/attestation/disputes/resolveDisputes.js';
import { fileDispute } from '../../src/features/attestation/disputes/routes.js';
import { addPlatform, append, disputeDepsOn, outcome, reporter } from './deps.js';

const HOUR_MS = 3_600_000;

const hours = fc.integer({ min: -40, max: 5000 });
const report = fc.record({
  kind: fc.constant('report' as const),
  subject: fc.integer({ min: 0, max: 1 }),
  eventType: fc.constantFrom(
    'CONTRACT_FULFILLED' as const,
    'CONTRACT_BREACHED' as const,
    'TRANSACTION_DISPUTED' as const,
    'CONTRACT_CANCELLED' as const,
  ),
  isVerified: fc.boolean(),
  stakeLevel: fc.constantFrom('LOW' as const, 'HIGH' as const),
  trustTier: fc.constantFrom('STARTER' as const, 'ENTERPRISE' as const),
  completedHoursAgo: fc.option(hours.filter((ago) => ago >= 0)),
  dueHoursAgo: fc.option(hours),
});
const pick = fc.nat({ max: 1_000_000 });
const command = fc.oneof(
  { weight: 6, arbitrary: report },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('file' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('resolve' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.nat({ max: 400 }) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

describe.each(engines)('the entries of a replay on %s', (engine) => {
  const own = ownDatabase(engine);
  let now = new Date('2026-01-05T21:30:00.000Z');
  let run = 0;
  const clock = { now: () => now };

  beforeAll(() => addPlatform(own.db));

  test('are those of the events, added up, for every ledger with disputes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 60, size: 'max' }), async (commands) => {
        run += 1;
        for (const one of commands) await act(one);
        const subjectIds = [0, 1].map(idOf);
        for (const by of ['outcome', 'recorded'] as const) {
          const read = await readReplayEntries(own.db, subjectIds, by);
          for (const id of subjectIds) {
            expect(addedUp(read.get(id) ?? [])).toEqual(addedUp(replayEntriesOf(await eventsOf(id), by)));
          }
        }
      }),
      { numRuns: engine === 'pglite' ? 8 : 20, endOnFailure: true },
    );
  });

  test('of a subject without events are none', async () => {
    const unknown = subjectIdOf(reporter.platformId, true, 'unknown');
    expect(await readReplayEntries(own.db, [unknown], 'recorded')).toEqual(new Map([[unknown, []]]));
    expect(await readReplayEntries(own.db, [unknown], 'outcome')).toEqual(new Map([[unknown, []]]));
  });

  const nameOf = (subject: number) => `run-${run}-${subject}`;
  const idOf = (subject: number) => subjectIdOf(reporter.platformId, reporter.livemode, nameOf(subject));
  const ago = (hoursAgo: number | null) =>
    hoursAgo === null ? null : new Date(now.getTime() - hoursAgo * HOUR_MS);

  async function act(one: Command): Promise<void> {
    const disputeDeps = disputeDepsOn(own.db, clock);
    switch (one.kind) {
      case 'report': {
        const { subject, eventType, isVerified, stakeLevel, trustTier } = one;
        const dates = { completedAt: ago(one.completedHoursAgo), dueDate: ago(one.dueHoursAgo) };
        const event = outcome({ externalId: nameOf(subject), eventType, isVerified, stakeLevel, ...dates });
        await append(disputeDeps.ledger, [event], { ...reporter, trustTier });
        return;
      }
      case 'file': {
        const eventId = await lastOf('select event_id as id from event order by event_id', one.pick);
        if (eventId) await unlessRefused(fileDispute(disputeDeps, reporter, { eventId }, null));
        return;
      }
      case 'resolve': {
        const id = await lastOf('select dispute_id as id from dispute order by dispute_id', one.pick);
        if (id) await unlessRefused(resolveDispute(disputeDeps, reporter, id));
        return;
      }
      case 'sweep':
        await lapseDisputes(disputeDeps)(now, new AbortController().signal);
        return;
      case 'wait':
        now = new Date(now.getTime() + one.hours * HOUR_MS);
    }
  }

  async function lastOf(query: string, pick: number): Promise<string | undefined> {
    const rows = await own.db.query<{ id: string }>(`${query} desc limit 8`);
    return rows[pick % Math.max(1, rows.length)]?.id;
  }

  /** Allows a refusal by rule. */
  async function unlessRefused(done: Promise<unknown>): Promise<void> {
    await done.catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
    });
  }

  function eventsOf(subjectId: string): Promise<LedgerFacts[]> {
    return own.db.query<LedgerFacts>(
      `select event_id as id, event_type, stake_level, platform_tier, is_verified, created_at, completed_at, due_date,
         closes_event_id
       from event where subject_id = $1`,
      [subjectId],
    );
  }
});

/** Counts by kind, day and day of entry, additions apart from removals. */
function addedUp(entries: readonly ReplayEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { count, ...key } of entries) {
    const { entersOn, day, platformTier, eventType, stakeLevel, isVerified, timeliness } = key;
    const kind = [entersOn, day, platformTier, eventType, stakeLevel, isVerified, timeliness, count > 0];
    const name = kind.join(' ');
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
