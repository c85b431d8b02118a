import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/kit/db/database.js';
import { auditLedger } from '../../src/ledger/audit/auditLedger.js';
import { unfreezeScores } from '../../src/ledger/recompute/freezes.js';
import { subjectIdOf } from '../../src/ledger/subjectId.js';
import { engines, openTestDatabase, type TestDatabase } from '../harness/engines.js';
import { eventually } from '../harness/eventually.js';
import { addPlatform, reporter, workerOn } from './deps.js';
import { addDraftSubject, type DraftEvent } from './draftLedger.js';
import { addMonitor, addPolicy } from './watchFixtures.js';

const DAY_MS = 86_400_000;

/** Two disputed transactions: one is resolved and has its own dates, the other is open. */
const disputed: DraftEvent[] = [
  { eventType: 'CONTRACT_FULFILLED' },
  {
    eventType: 'TRANSACTION_DISPUTED',
    stakeLevel: 'HIGH',
    platformTier: 'STARTER',
    completedAt: new Date('2026-03-04T23:00:00.000Z'),
    dueDate: new Date('2026-03-01T00:00:00.000Z'),
    endedBy: 2,
  },
  { eventType: 'DISPUTE_RESOLVED_AGAINST_USER', stakeLevel: 'HIGH', platformTier: 'STARTER' },
  { eventType: 'TRANSACTION_DISPUTED', isVerified: false, dueDate: new Date('2026-02-01T00:00:00.000Z') },
  { eventType: 'TRANSACTION_DISPUTED', stakeLevel: 'LOW', dueDate: new Date('2036-02-01'), endedBy: 5 },
  { eventType: 'DISPUTE_RESOLVED_AGAINST_USER', stakeLevel: 'LOW' },
];

describe.each(engines)('a database with scores of an older draft of the formula, on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  const createdAt = new Date(Date.now() - 40 * DAY_MS);

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    db = database.db;
    await addPlatform(db);
    await addDraftSubject(db, 'disputed', disputed, { createdAt, scoredUpTo: 6 });
    const behind: DraftEvent[] = [{ eventType: 'CONTRACT_FULFILLED' }, { eventType: 'CONTRACT_BREACHED' }];
    await addDraftSubject(db, 'behind', behind, { createdAt, scoredUpTo: 1 });
    const one: DraftEvent[] = [{ eventType: 'CONTRACT_FULFILLED' }];
    await addDraftSubject(db, 'frozen', one, { createdAt, scoredUpTo: 1, isFrozen: true });
    await db.execute('insert into recompute_queue (record_id, enqueued_at) values ($1, $2)', [
      idOf('behind'),
      createdAt,
    ]);
    await addMonitor(db, 'disputed', { belowScore: 50, onBandChange: true });
    await addMonitor(db, 'behind', { belowScore: 20, onBandChange: true });
    await addPolicy(db, { metric: 'score', direction: 'below', threshold: 50 });
    await addPolicy(db, { metric: 'component', direction: 'below', component: 'reliability', threshold: 90 });
  });
  afterAll(() => database.close());

  test('passes the audit before its scores are recomputed; the audit names those it cannot rebuild', async () => {
    expect(await audit()).toMatchObject({
      differences: [],
      summary: { subjects: 3, snapshots: 3, foreignSnapshots: 3, foreignScores: 3 },
    });
  });

  test('each stored score is recomputed in the background with its own reason', async () => {
    await computeAll();
    expect(await snapshotsOf('disputed')).toMatchObject([
      { reason: null, finalScore: 71.5, isDraft: true, totalEvents: 6 },
      { reason: 'formula_changed', previousScore: 71.5, isDraft: false, totalEvents: 4 },
    ]);
    expect(await snapshotsOf('frozen')).toHaveLength(1);
    expect(await audit()).toMatchObject({
      differences: [],
      summary: { snapshots: 6, foreignSnapshots: 3, foreignScores: 1 },
    });
  });

  test('the recompute emits the new score but no band, monitor or policy event', async () => {
    expect(await envelopesOf('disputed')).toMatchObject([
      { type: 'score.updated', data: { previousScore: 71.5, reason: 'formula_changed' } },
    ]);
  });

  test('an event not yet in the draft score is a score change of its own and can cross thresholds', async () => {
    const [, changed, moved] = await snapshotsOf('behind');
    expect(changed).toMatchObject({ reason: 'formula_changed', totalEvents: 1, scoreBand: 'Unproven' });
    expect(moved).toMatchObject({ reason: null, totalEvents: 2, scoreBand: 'High Risk' });
    expect((await envelopesOf('behind')).map(({ type }) => type)).toEqual([
      'score.updated',
      'score.updated',
      'score.band_changed',
      'monitor.triggered',
      'monitor.triggered',
      'policy.threshold_crossed',
    ]);
  });

  test('a frozen score is unchanged until the freeze is cleared', async () => {
    await db.transaction((tx) => unfreezeScores(tx, [idOf('frozen')], new Date()));
    await db.execute(
      `insert into recompute_queue (record_id, reason, enqueued_at) values ($1, 'velocity_cleared', now())`,
      [idOf('frozen')],
    );
    await computeAll();
    const reasons = (await snapshotsOf('frozen')).map(({ reason }) => reason);
    expect(reasons).toEqual([null, 'formula_changed']);
    expect((await envelopesOf('frozen')).map(({ type }) => type)).toEqual(['score.updated']);
    expect(await audit()).toMatchObject({ differences: [], summary: { foreignScores: 0 } });
  });

  function idOf(name: string): string {
    return subjectIdOf(reporter.platformId, true, name);
  }

  async function computeAll(): Promise<void> {
    const worker = workerOn(db);
    worker.start();
    await eventually(async () => {
      const [row] = await db.query<{ waiting: number }>(
        `select (select count(*) from recompute_queue)::integer
           + (select count(*) from score where is_draft and frozen_at is null)::integer as waiting`,
      );
      return row?.waiting === 0;
    });
    await worker.stop();
  }

  async function audit() {
    const differences: string[] = [];
    const summary = await auditLedger(db, {
      now: new Date(),
      onDifference: ({ subjectId, what }) => differences.push(`${subjectId} ${what}`),
    });
    return { differences, summary };
  }

  function snapshotsOf(name: string) {
    return db.query<{ reason: string | null }>(
      `select reason, final_score, previous_score, score_band, total_events, is_draft
       from score_snapshot where subject_id = $1 order by snapshot_no`,
      [idOf(name)],
    );
  }

  async function envelopesOf(name: string) {
    const rows = await db.query<{ body: string }>(
      `select body from envelope where subject_id = $1 order by envelope_id`,
      [idOf(name)],
    );
    return rows.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  }
});
