import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { engines } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import type { BackgroundLoop } from '#kit/backgroundLoop.js';
import type { Clock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { addPlatform, append, ledgerOn, outcome, reporter, workerOn } from './deps.js';
import { addMonitor, addPolicy, emittedOf, monitorsEmitted, policiesEmitted } from './watchFixtures.js';

describe.each(engines)('monitors and policies in the recompute on %s', (engine) => {
  const own = ownDatabase(engine);
  let db: Database;
  let workers: BackgroundLoop[] = [];

  beforeAll(async () => {
    db = own.db;
    await addPlatform(db);
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    workers = [];
    await db.execute('delete from policy');
  });

  test('the events of one score change come in the order score, band, monitors, policies', async () => {
    await write('ordered', 1);
    await settled();
    const before = (await emittedOf(db, 'ordered')).length;
    await addMonitor(db, 'ordered', { onBandChange: true });
    await addPolicy(db, { metric: 'verified_events', direction: 'above', threshold: 3 });
    await write('ordered', 20);
    await settled();
    expect((await emittedOf(db, 'ordered')).slice(before).map(({ type }) => type)).toEqual([
      'score.updated',
      'score.band_changed',
      'monitor.triggered',
      'policy.threshold_crossed',
    ]);
  });

  test('the first score of an imported subject is watched, too', async () => {
    await addPolicy(db, { metric: 'verified_events', direction: 'above', threshold: 3 });
    const events = Array(5).fill(outcome({ externalId: 'imported', imported: true }));
    await db.transaction((tx) => ledgerOn(db).appendIn(tx, reporter, events, { by: 'engine' }));
    const types = (await emittedOf(db, 'imported')).map(({ type }) => type);
    expect(types).toEqual(['score.updated', 'policy.threshold_crossed']);
  });

  test('a policy event has the full evidence and the factor that changed most', async () => {
    await write('evident', 12, { dueDate: new Date(Date.now() + DAY_MS), completedAt: new Date() });
    await settled();
    const id = await addPolicy(db, { direction: 'below', threshold: 60 });
    await write('evident', 6, { eventType: 'CONTRACT_BREACHED' });
    await settled();
    const [emitted] = await policiesEmitted(db, 'evident');
    const [first, last] = await db.query<Figures>(
      `select final_score, score_band, factors, components, confidence, verified_events, computed_at from score_snapshot
       where subject_id = (select subject_id from subject where external_id = 'evident') order by snapshot_no`,
    );
    if (!emitted || !first || !last) throw new Error('something was not written');
    const deltas = Object.entries(last.factors).map(([factor, after]) => ({
      factor,
      delta: Math.round((after - (first.factors[factor] ?? 0)) * 100) / 100,
    }));
    const largest = Math.max(...deltas.map(({ delta }) => Math.abs(delta)));
    const terms = { metric: 'score', direction: 'below', threshold: 60, component: null, band: null };
    const computedAt = last.computedAt.toISOString();
    expect(emitted).toMatchObject({
      policyId: id,
      policyName: 'Test',
      subject: { externalId: 'evident' },
      metric: 'score',
      condition: terms,
      observed: { previous: first.finalScore, current: last.finalScore },
      score: last.finalScore,
      previousScore: first.finalScore,
      band: last.scoreBand,
      previousBand: first.scoreBand,
      reason: {
        scoreBefore: first.finalScore,
        scoreAfter: last.finalScore,
        scoreDelta: Math.round((last.finalScore - first.finalScore) * 100) / 100,
        direction: 'down',
        topDriver: deltas.find(({ delta }) => Math.abs(delta) === largest),
      },
      computedAt,
    });
    expect(emitted.decision_input).toEqual({
      ...terms,
      subject_external_id: 'evident',
      observed_previous: first.finalScore,
      observed_current: last.finalScore,
      score: last.finalScore,
      previous_score: first.finalScore,
      score_band: last.scoreBand,
      previous_band: first.scoreBand,
      components: last.components,
      verified_events: 18,
      confidence: last.confidence,
      formula_version: '5.3',
      computed_at: computedAt,
      crossed_at: computedAt,
    });
  });

  test('a policy crossed by the first score has the baseline as previous value and no driver', async () => {
    await addPolicy(db, { direction: 'above', threshold: 30 });
    await addPolicy(db, { metric: 'band', direction: 'leave', band: 'Unproven' });
    await addPolicy(db, { metric: 'verified_events', direction: 'above', threshold: 0 });
    await addPolicy(db, { metric: 'component', component: 'reliability', direction: 'above', threshold: 0 });
    await write('novice', 20);
    await settled();
    const emitted = await policiesEmitted(db, 'novice');
    expect(emitted.map(({ metric, observed }) => [metric, observed.previous])).toEqual([
      ['score', 20],
      ['band', 'Unproven'],
      ['verified_events', 0],
    ]);
    expect(emitted[0]).toMatchObject({
      previousScore: null,
      previousBand: null,
      reason: { scoreBefore: null, scoreDelta: null, direction: 'up', topDriver: null },
    });
  });

  test('ageing alone can cross a threshold, once', async () => {
    const now = { at: new Date() };
    const clock: Clock = { now: () => now.at };
    await write('ageing', 10, {}, clock);
    const worker = start(clock);
    await settled(worker);
    await addMonitor(db, 'ageing', { belowScore: 60 });
    await addPolicy(db, { direction: 'below', threshold: 60 }, 'ageing');
    for (let days = 0; days < 8; days += 1) {
      now.at = new Date(now.at.getTime() + 60 * DAY_MS);
      const asOf = Math.floor(now.at.getTime() / DAY_MS);
      await eventually(async () => (await asOfScore('ageing')) === asOf);
    }
    expect(await monitorsEmitted(db, 'ageing')).toMatchObject([{ condition: 'below_score', threshold: 60 }]);
    const [emitted, ...more] = await policiesEmitted(db, 'ageing');
    expect(more).toEqual([]);
    expect(emitted?.reason.direction).toBe('down');
    const reasons = await db.query(
      `select reason from score_snapshot where computed_at = $1
       and subject_id = (select subject_id from subject where external_id = 'ageing')`,
      [emitted?.computedAt],
    );
    expect(reasons).toEqual([{ reason: 'decay' }]);
  });

  test('a component that drifted between score changes counts as crossed at the next change', async () => {
    const now = { at: new Date() };
    const clock: Clock = { now: () => now.at };
    const daysAgo = (days: number) => new Date(now.at.getTime() - days * DAY_MS);
    const weak = { isVerified: false } as const;
    await write('drifting', 1, { ...weak, eventType: 'CONTRACT_BREACHED', completedAt: daysAgo(200) }, clock);
    await write('drifting', 1, { ...weak, completedAt: now.at }, clock);
    const worker = start(clock);
    await settled(worker);
    await addPolicy(db, { metric: 'component', component: 'momentum', direction: 'below', threshold: 75 });
    for (const days of [90, 1]) {
      now.at = new Date(now.at.getTime() + days * DAY_MS);
      const asOf = Math.floor(now.at.getTime() / DAY_MS);
      await eventually(async () => (await asOfScore('drifting')) === asOf);
    }
    const momentum = await db.query(
      `select (c.detail -> 'components' ->> 'momentum')::numeric as now, (n.components ->> 'momentum')::numeric as emitted
       from subject s join score c using (subject_id) join score_snapshot n using (subject_id, snapshot_no)
       where s.external_id = 'drifting'`,
    );
    expect(momentum).toEqual([{ now: 50, emitted: 100 }]);
    expect(await policiesEmitted(db, 'drifting')).toEqual([]);
    await write('drifting', 1, { ...weak, eventType: 'CONTRACT_BREACHED' }, clock);
    await settled(worker);
    expect(await policiesEmitted(db, 'drifting')).toMatchObject([{ observed: { previous: 100 } }]);
  });

  test('a watch that is inactive, of another mode, platform or subject emits nothing', async () => {
    const above = { direction: 'above', threshold: 30 } as const;
    const monitorId = await addMonitor(db, 'quiet', { aboveScore: 30 });
    await addMonitor(db, 'quiet', { aboveScore: 30, isActive: false });
    const policyId = await addPolicy(db, above, 'quiet');
    await addPolicy(db, { ...above, isActive: false });
    await addPolicy(db, { ...above, livemode: false });
    await addPolicy(db, { ...above, platformId: randomUUID() });
    await addPolicy(db, above, 'somebody-else');
    await write('quiet', 20);
    await settled();
    expect(await monitorsEmitted(db, 'quiet')).toMatchObject([{ monitorId }]);
    expect(await policiesEmitted(db, 'quiet')).toMatchObject([{ policyId }]);
  });

  test('a frozen score crosses nothing', async () => {
    await write('frozen', 5);
    await settled();
    await db.execute(
      "update score set frozen_at = now() where subject_id = (select subject_id from subject where external_id = 'frozen')",
    );
    await addMonitor(db, 'frozen', { belowScore: 30, onBandChange: true });
    await write('frozen', 10, { eventType: 'CONTRACT_BREACHED' });
    await settled();
    expect(await monitorsEmitted(db, 'frozen')).toEqual([]);
  });

  function write(
    externalId: string,
    count: number,
    more: Parameters<typeof outcome>[0] = {},
    clock?: Clock,
  ): Promise<unknown> {
    return append(ledgerOn(db, clock), Array(count).fill(outcome({ externalId, ...more })), reporter);
  }

  function start(clock?: Clock): BackgroundLoop {
    const worker = workerOn(db, { ...(clock && { clock }), velocityMaxPerHour: 100_000 });
    workers.push(worker);
    worker.start();
    return worker;
  }

  async function settled(worker = workers[0] ?? start()): Promise<void> {
    worker.wake();
    await eventually(async () => (await db.query('select 1 from recompute_queue limit 1')).length === 0);
  }

  async function asOfScore(userId: string): Promise<number | undefined> {
    const [row] = await db.query<{ asOf: number }>(
      'select as_of from score join subject s using (subject_id) where s.external_id = $1',
      [userId],
    );
    return row?.asOf;
  }
});

interface Figures {
  finalScore: number;
  scoreBand: string;
  factors: Record<string, number>;
  components: object;
  confidence: number;
  verifiedEvents: number;
  computedAt: Date;
}
