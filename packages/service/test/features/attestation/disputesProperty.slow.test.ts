import { foldTallies, type LedgerFacts, score } from '@reliability/scoring';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '#domain/errors.js';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, openTestDatabase } from '#harness/engines.js';
import { quietLog } from '#harness/quietLog.js';
import type { Database } from '#kit/db/database.js';
import { createWakes } from '#kit/db/wakes.js';
import { createIdSource } from '#kit/ids.js';
import { unpackTallies } from '#ledger/recompute/packedTallies.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { createWithIdempotency, trackClaims } from '#ledger/requests/idempotency.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import {
  lapseDisputes,
  type ResolveDeps,
  resolveDispute,
} from '../../../src/features/attestation/disputes/resolveDisputes.js';
import { type FileDeps, fileDispute } from '../../../src/features/attestation/disputes/routes.js';
import { addPlatform, append, ledgerOn, outcome, reporter } from '../../ledger/deps.js';

const HOUR_MS = 3_600_000;
const WINDOW_MS = 336 * HOUR_MS;

const pick = fc.nat({ max: 1_000_000 });
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      subject: fc.integer({ min: 0, max: 2 }),
      eventTypes: fc.array(
        fc.constantFrom(
          'CONTRACT_FULFILLED' as const,
          'CONTRACT_BREACHED' as const,
          'TRANSACTION_DISPUTED' as const,
          'DISPUTE_RESOLVED_FOR_USER' as const,
          'CONTRACT_CANCELLED' as const,
        ),
        { minLength: 1, maxLength: 4 },
      ),
      isVerified: fc.boolean(),
      stakeLevel: fc.constantFrom('LOW' as const, 'HIGH' as const),
      trustTier: fc.constantFrom('STARTER' as const, 'ENTERPRISE' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('file' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('resolve' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('recompute' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 30, 200, 336) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

describe.each(engines)('any sequence of reports, disputes, resolutions and lapses on %s', (engine) => {
  let db: Database;
  let close: () => Promise<void>;
  let deps: FileDeps & ResolveDeps;
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  let run = 0;

  beforeAll(async () => {
    ({ db, close } = await openTestDatabase(engine));
    await addPlatform(db);
    const withIdempotency = createWithIdempotency(db, trackClaims());
    const common = { wakes: createWakes(db, quietLog), config: { disputeWindowMs: WINDOW_MS } };
    deps = { db, clock, ids: createIdSource(), ledger: ledgerOn(db, clock), withIdempotency, ...common };
  });
  afterAll(() => close());

  test('tallies equal a fold over the ledger, scores follow from them, and the ledger audits clean', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        run += 1;
        for (const one of commands) await act(one);
        await recompute();
        for (const subject of [0, 1, 2]) await expectTalliesOfFold(nameOf(subject));
      }),
      { numRuns: engine === 'pglite' ? 25 : 40, endOnFailure: true },
    );
    expect(await differencesIn(db)).toEqual([]);
  });

  test('the same holds when all of it happens concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 40 }), async (commands) => {
        run += 1;
        const reports = commands.filter(({ kind }) => kind === 'report');
        for (const one of reports) await act(one);
        await Promise.all(commands.map(act));
        await recompute();
        for (const subject of [0, 1, 2]) await expectTalliesOfFold(nameOf(subject));
      }),
      { numRuns: engine === 'pglite' ? 8 : 20, endOnFailure: true },
    );
    expect(await differencesIn(db)).toEqual([]);
  });

  const nameOf = (subject: number) => `run-${run}-${subject}`;

  async function act(one: Command): Promise<void> {
    switch (one.kind) {
      case 'report': {
        const { isVerified, stakeLevel, trustTier } = one;
        const events = one.eventTypes.map((eventType) =>
          outcome({ externalId: nameOf(one.subject), eventType, isVerified, stakeLevel }),
        );
        await append(deps.ledger, events, { ...reporter, trustTier });
        return;
      }
      case 'file': {
        const eventId = await anyOf('select event_id as id from event order by event_id', one.pick);
        if (!eventId) return;
        await unlessRefused(fileDispute(deps, reporter, { eventId }, null));
        return;
      }
      case 'resolve': {
        const id = await anyOf('select dispute_id as id from dispute order by dispute_id', one.pick);
        if (id) await unlessRefused(resolveDispute(deps, reporter, id));
        return;
      }
      case 'sweep':
        await lapseDisputes(deps)(now, new AbortController().signal);
        return;
      case 'recompute':
        return recompute();
      case 'wait':
        now = new Date(now.getTime() + one.hours * HOUR_MS);
    }
  }

  /** One of the last rows, mostly of this run. */
  async function anyOf(query: string, pick: number): Promise<string | undefined> {
    const rows = await db.query<{ id: string }>(`${query} desc limit 8`);
    return rows[pick % Math.max(1, rows.length)]?.id;
  }

  /** Allows a refusal by rule, which is expected; anything else is a bug. */
  async function unlessRefused(done: Promise<unknown>): Promise<void> {
    await done.catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
    });
  }

  async function recompute(): Promise<void> {
    const queued = await db.query<{ recordId: string }>('select distinct record_id from recompute_queue');
    const recordIds = queued.map((row) => row.recordId);
    await recomputeRecords({ db, clock, ids: deps.ids, velocityMaxPerHour: 1_000_000 }, recordIds);
  }

  async function expectTalliesOfFold(name: string): Promise<void> {
    const subjectId = subjectIdOf(reporter.platformId, reporter.livemode, name);
    const facts = await db.query<LedgerFacts>(
      `select event_id as id, event_type, stake_level, platform_tier,
         is_verified, created_at, completed_at, due_date,
         closes_event_id
       from event where subject_id = $1`,
      [subjectId],
    );
    const [live] = await db.query<{
      days: number[];
      codes: number[];
      counts: number[];
      asOf: number | null;
    }>(
      `select array_agg(day order by day, code) as days, array_agg(code order by day, code) as codes,
         array_agg(count order by day, code) as counts, (select as_of from score where subject_id = $1) as as_of
       from tally where subject_id = $1`,
      [subjectId],
    );
    const tallies = foldTallies(facts);
    expect(live ? unpackTallies(live) : []).toEqual(tallies);
    const [stored] = await db.query<object>(
      `select final_score, total_events, verified_events, own_events from score where subject_id = $1`,
      [subjectId],
    );
    const due = live?.asOf ? score(tallies, live.asOf) : null;
    expect(stored).toEqual(
      due
        ? {
            finalScore: due.finalScore,
            totalEvents: due.totalEvents,
            verifiedEvents: due.verifiedEvents,
            ownEvents: due.totalEvents,
          }
        : undefined,
    );
  }
});
