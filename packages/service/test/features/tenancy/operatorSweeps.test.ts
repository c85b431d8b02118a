import { describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestService } from '#harness/service.js';
import { lockOfGroup } from '#kit/db/groups.js';
import { createSweeps, sweepNames } from '../../../src/features/tenancy/operator/sweeps.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { trailOf } from './trail.js';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-05T12:00:00.000Z');

describe.each(breadth)('sweeps by hand on %s', (engine) => {
  const clock = { nowMs: START_MS, now: () => new Date(clock.nowMs) };
  const sweep = (name: string) => service.request('POST', `/admin/sweeps/${name}`, { admin: true });
  const countOf = async (table: string) => (await service.db.query(`select 1 from ${table}`)).length;
  const passDays = (days: number) => {
    clock.nowMs += days * DAY_MS;
  };

  const service = givenService(engine, { clock });

  test('an unknown sweep is not found', async () => {
    expect((await sweep('spring-cleaning')).body.code).toBe('NOT_FOUND');
  });

  test.each(sweepNames)('%s answers with its name and the number of affected rows', async (name) => {
    expect((await sweep(name)).body).toEqual({ name, affected: 0 });
  });

  test('decay queues the scores of earlier days, once', async () => {
    for (const userId of ['a', 'b', 'c']) await report(service, outcome({ userId, isVerified: true }));
    await service.settle();
    // The service's worker would empty the queue, so it is stopped.
    const sweeps = createSweeps({ db: service.db, wakes: { raise() {} } });
    const [decay] = sweeps.decay;
    const tomorrow = new Date(clock.nowMs + DAY_MS);
    expect(await decay?.(tomorrow, new AbortController().signal)).toBe(3);
    await service.settle();
    passDays(1);
    await sweep('decay');
    await service.settle();
    expect((await sweep('decay')).body.affected).toBe(0);
  });

  test('retention deletes Idempotency-Keys after a week', async () => {
    const send = async () =>
      (await report(service, outcome({ userId: 'kept' }), once(`kept-${engine}`))).body.eventId;
    const first = await send();
    passDays(6);
    await sweep('retention');
    expect(await send()).toBe(first);
    passDays(2);
    expect((await sweep('retention')).body.affected).toBe(1);
    expect(await send()).not.toBe(first);
  });

  test('retention reduces decay snapshots to one a month, and every score can still be rebuilt', async () => {
    passDays(8);
    await sweep('retention'); // the rows of earlier tests
    await report(service, outcome({ userId: 'old', isVerified: true }));
    await service.settle();
    for (let day = 0; day < 150; day += 5) {
      passDays(5);
      await sweep('decay');
      await service.settle();
    }
    const before = await decaySnapshots(service);
    const emittedBefore = await countOf('envelope');
    const { affected } = (await sweep('retention')).body;
    const after = await decaySnapshots(service);
    const forgotten = emittedBefore - (await countOf('envelope'));
    expect(forgotten).toBeGreaterThan(0); // the envelopes of old score changes
    expect(affected).toBe(before.length - after.length + forgotten);
    expect(after.length).toBeLessThan(before.length);
    expect(after).toEqual(thinned(before, new Date(clock.nowMs - 30 * DAY_MS)));
    expect((await sweep('retention')).body.affected).toBe(0);
    expect(await differencesIn(service.db)).toEqual([]);
    const history = await service.request('GET', '/users/old/score/history?limit=100');
    expect(history.body.history.length).toBe(after.filter(({ user }) => user === 'old').length + 1);
    expect((await service.request('GET', '/users/old/score/delta')).status).toBe(200);
  });

  test('retention keeps the audit trail for 400 days, and events permanently', async () => {
    const before = await trailOf(service, service.liveKey);
    const events = before.filter(({ action }) => action === 'EVENT_CREATED');
    expect(before.length).toBeGreaterThan(events.length);
    passDays(401);
    await sweep('retention');
    expect(await trailOf(service, service.liveKey)).toEqual(events);
  });

  test.runIf(engine === 'postgresql')('a sweep that another process is at is left to it', async () => {
    await report(service, outcome({ userId: 'busy' }), once('left-to-another'));
    passDays(8);
    await service.db.transaction(async (tx) => {
      const lock = lockOfGroup(tx, 'sweep idempotency');
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
      await sweep('retention');
    });
    expect(await countOf('idempotency')).toBe(1);
    await sweep('retention');
    expect(await countOf('idempotency')).toBe(0);
  });
});

interface DecaySnapshot {
  user: string;
  no: number;
  at: Date;
  isLatest: boolean;
}

function decaySnapshots(service: TestService): Promise<DecaySnapshot[]> {
  return service.db.query<DecaySnapshot>(
    `select s.external_id as user, t.snapshot_no as no, t.computed_at as at, t.snapshot_no >= c.snapshot_no - 1 as is_latest
     from score_snapshot t join subject s using (subject_id) join score c using (subject_id)
     where t.reason = 'decay' order by s.external_id, t.snapshot_no`,
  );
}

/**
 * The snapshots to keep: the last of each subject and past month, recent ones, and the latest two.
 */
function thinned(all: readonly DecaySnapshot[], cutoff: Date): DecaySnapshot[] {
  const monthOf = ({ user, at }: DecaySnapshot) => `${user} ${at.toISOString().slice(0, 7)}`;
  return all.filter((snapshot, index) => {
    const next = all[index + 1];
    const isLastOfMonth = next === undefined || monthOf(next) !== monthOf(snapshot);
    return snapshot.at >= cutoff || snapshot.isLatest || isLastOfMonth;
  });
}
