import { beforeAll, describe, expect, test } from 'vitest';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { noteWindow } from '#ledger/settingsInForce.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { resolveDispute } from '../../src/features/attestation/disputes/resolveDisputes.js';
import { fileDispute } from '../../src/features/attestation/disputes/routes.js';
import { addPlatform, append, disputeDepsOn, ledgerOn, outcome, recomputeQueued, reporter } from './deps.js';
import { linkBench } from './linksDeps.js';

describe.each(engines)('the ledger with disputes on %s', (engine) => {
  const own = ownDatabase(engine);
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  /** Test events can be changed. */
  const inTest: Reporter = { ...reporter, livemode: false };
  beforeAll(() => addPlatform(own.db));

  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const add = (events: OutcomeEvent[], by = inTest) => append(ledgerOn(own.db, clock), events, by);
  const subject = (name: string, by = inTest) => subjectIdOf(by.platformId, by.livemode, name);
  const recompute = (velocityMaxPerHour = 500) => recomputeQueued(own.db, clock, velocityMaxPerHour);
  const audit = () => differencesIn(own.db);

  /** Reports a breach and disputes it. */
  async function file(name: string, by = inTest): Promise<void> {
    const eventId = await breach(name, by);
    await fileDispute(disputeDepsOn(own.db, clock), by, { eventId }, null);
  }

  async function breach(externalId: string, by = inTest): Promise<string> {
    const event = outcome({ externalId, eventType: 'CONTRACT_BREACHED', stakeLevel: 'HIGH' });
    const answer = await add([event], by);
    return answer.kind === 'recorded' ? (answer.outcomes[0]?.eventId ?? '') : '';
  }

  /** Ends the open dispute of a subject. */
  async function resolve(name: string, by = inTest): Promise<void> {
    const open = `select dispute_id as id from dispute where subject_id = $1 and status = 'OPEN'`;
    const [dispute] = await own.db.query<{ id: string }>(open, [subject(name, by)]);
    await resolveDispute(disputeDepsOn(own.db, clock), by, dispute?.id ?? '');
  }

  async function totalsOf(name: string): Promise<number[]> {
    const rows = await own.db.query<{ totalEvents: number }>(
      'select total_events from score_snapshot where subject_id = $1 order by snapshot_no',
      [subject(name)],
    );
    return rows.map((row) => row.totalEvents);
  }

  test('the audit rebuilds each snapshot with the disputes open at its position', async () => {
    const eventId = await breach('history');
    await recompute();
    await fileDispute(disputeDepsOn(own.db, clock), inTest, { eventId }, null);
    await recompute();
    pass(3 * DAY_MS);
    await add([outcome({ externalId: 'history' })]);
    await recompute();
    await resolve('history');
    await recompute();
    pass(DAY_MS);
    await add([outcome({ externalId: 'history' })]);
    await recompute();
    expect(await totalsOf('history')).toEqual([1, 2, 3, 3, 4]);
    expect(await audit()).toEqual([]);
  });

  test('a disputed transaction counts until its dispute ends, then the outcome replaces it', async () => {
    const dates = { completedAt: new Date(now.getTime() - 3 * DAY_MS), dueDate: now };
    await add([outcome({ externalId: 'itself' })]);
    await add([outcome({ externalId: 'itself', eventType: 'TRANSACTION_DISPUTED', ...dates })]);
    await recompute();
    pass(3 * DAY_MS);
    await resolve('itself');
    await recompute();
    expect(await totalsOf('itself')).toEqual([2, 2]);
    const counts = 'select count from tally where subject_id = $1 order by count';
    expect(await own.db.query(counts, [subject('itself')])).toEqual([
      { count: 0 },
      { count: 1 },
      { count: 1 },
    ]);
    expect(await audit()).toEqual([]);
  });

  test("the audit rebuilds a linked record with its members' open and closed disputes", async () => {
    const bench = linkBench(own.db, clock);
    const [first, second] = [await bench.addWith(2), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.recompute();
    const by: Reporter = { platformId: first.platformId, livemode: true, trustTier: 'GROWTH' };
    await file(first.name, by);
    await bench.recompute();
    await resolve(first.name, by);
    await bench.recompute();
    await bench.unlink(second);
    await bench.recompute();
    expect(await audit()).toEqual([]);
  });

  test('events written by the service do not count towards the velocity limit', async () => {
    const frozenAt = async () => {
      const frozen = 'select frozen_at from score where subject_id = $1';
      const [row] = await own.db.query<{ frozenAt: Date | null }>(frozen, [subject('busy', reporter)]);
      return row?.frozenAt;
    };
    for (let count = 0; count < 4; count += 1) {
      await file('busy', reporter);
      await resolve('busy', reporter);
    }
    await recompute(5);
    expect(await frozenAt()).toBeNull();
    await add([outcome({ externalId: 'busy' }), outcome({ externalId: 'busy' })], reporter);
    await recompute(5);
    expect(await frozenAt()).toBeInstanceOf(Date);
  });

  test('the database closes an event once', async () => {
    await file('once');
    await resolve('once');
    const again = own.db.execute(
      `update event set closes_event_id = (select closes_event_id from event where subject_id = $1 and position = 3)
       where subject_id = $1 and position = 2`,
      [subject('once')],
    );
    await expect(again).rejects.toMatchObject({ code: '23505' });
    expect(await audit()).toEqual([]);
  });

  test('a disputed outcome opens its dispute on every write path', async () => {
    const events = ['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'CONTRACT_FULFILLED'] as const;
    const mixed = events.map((eventType) => outcome({ externalId: 'opened', eventType }));
    const keyed = outcome({ externalId: 'opened', eventType: 'TRANSACTION_DISPUTED', itemKey: 'k' });
    for (const each of [mixed, [keyed], [keyed]]) await add(each, reporter);
    await own.db.transaction((tx) =>
      ledgerOn(own.db, clock).appendIn(tx, reporter, mixed, { by: 'reporter' }),
    );
    const rows = await own.db.query(
      `select event_type, (extract(epoch from respond_by - opened_at) * 1000)::integer as window_ms
       from dispute join event using (subject_id, event_id) where subject_id = $1 and opened_at = event.created_at`,
      [subject('opened', reporter)],
    );
    const due = { eventType: 'TRANSACTION_DISPUTED', windowMs: 14 * DAY_MS };
    expect(rows).toEqual([due, due, due]);
  });

  const OF = 'where subject_id = $1';
  /** The breach, the filing and the outcome have the positions 1 to 3. */
  const damages: Record<string, [damage: string, says: RegExp]> = {
    'a missing closing event': [
      `update event set closes_event_id = null ${OF} and position = 3`,
      /^tally .* count is 0, rebuilt 1$/,
    ],
    'a closing event of another dispute': [
      `update event set closes_event_id = (select event_id from event ${OF} and position = 1) ${OF} and position = 3`,
      /^subject: event .* closes .*, which is not a contested event of its dispute$/,
    ],
    'a dispute that ended the wrong way': [
      `update dispute set status = 'RESOLVED_FOR_USER' ${OF}`,
      /^dispute .*: it ended FOR_USER, by rule AGAINST_USER$/,
    ],
    'a dispute that is open after its end': [
      `update dispute set status = 'OPEN', outcome_event_id = null, resolved_at = null ${OF}`,
      /^event .* was written for dispute .*, which does not name it$/,
    ],
    'a window that ends later': [
      `update dispute set respond_by = respond_by + interval '1 day' ${OF}`,
      /^dispute .*: respond_by is 360 h after its opening, DISPUTE_WINDOW_HOURS was 336$/,
    ],
    'a window that ended before the dispute': [
      `update dispute set respond_by = resolved_at - interval '1 hour', opened_at = resolved_at - interval '337 hours' ${OF}`,
      /^dispute .*: lapsed is false, and it ended after its window$/,
    ],
    'a lapse within the window': [
      `update dispute set lapsed = true ${OF}`,
      /^dispute .*: lapsed is true, and it ended within its window$/,
    ],
    'a dispute that opened after its event': [
      `update dispute set opened_at = opened_at + interval '1 hour', respond_by = respond_by + interval '1 hour' ${OF}`,
      /^dispute .*: opened_at is behind the event that opened it$/,
    ],
    'a dispute that ended after its outcome': [
      `update dispute set resolved_at = resolved_at + interval '1 hour' ${OF}`,
      /^dispute .*: resolved_at is behind its outcome event$/,
    ],
    'a dispute in the hands of another platform': [
      `update dispute set platform_id = gen_random_uuid() ${OF}`,
      /^dispute .*: it is of another platform or mode than the disputed event$/,
    ],
    'a lost dispute': [
      `delete from dispute ${OF}`,
      /^event .* was written for dispute .*, which does not name it$/,
    ],
    'a dispute about an event that cannot be disputed': [
      `update event set event_type = 'CONTRACT_FULFILLED' ${OF} and position = 1`,
      /^dispute .*: it is about CONTRACT_FULFILLED$/,
    ],
    'an outcome that weighs something else': [
      `update event set stake_level = 'LOW' ${OF} and position = 3`,
      /^dispute .*: an event written for it does not weigh what the disputed one does$/,
    ],
  };

  test.each(Object.entries(damages))('%s is reported', async (about, [damage, says]) => {
    const before = await audit();
    const name = `damaged: ${about}`;
    await file(name);
    await resolve(name);
    await recompute();
    expect(await audit()).toEqual(before);
    await own.db.execute(damage, [subject(name)]);
    const found = (await audit()).filter((line) => !before.includes(line)).map((line) => line.slice(37));
    expect(found).toContainEqual(expect.stringMatching(says));
  });

  test('disputes without any stored window are reported', async () => {
    await file('windowless');
    await recompute();
    const before = await audit();
    await own.db.execute('create table kept_setting as select * from setting_in_force');
    await own.db.execute('alter table setting_in_force disable trigger user');
    await own.db.execute('delete from setting_in_force');
    const found = (await audit()).filter((line) => !before.includes(line));
    await own.db.execute('insert into setting_in_force select * from kept_setting');
    await own.db.execute('alter table setting_in_force enable trigger user');
    const sentence = 'no DISPUTE_WINDOW_HOURS is stored for the time of its opening';
    expect(found).toContainEqual(expect.stringMatching(`^${subject('windowless')} dispute .*: ${sentence}$`));
    expect(await audit()).toEqual(before);
  });

  test('the window is that which was in force when the dispute opened, also after a change', async () => {
    const before = await audit();
    await file('former');
    pass(2 * HOUR_MS);
    await noteWindow(own.db, 'disputes', 2 * DAY_MS, now);
    await noteWindow(own.db, 'disputes', 2 * DAY_MS, now);
    // A process with the former window may run for a while.
    await file('overlap');
    await file('later');
    const shorten = `update dispute set respond_by = opened_at + interval '2 days' ${OF}`;
    await own.db.execute(shorten, [subject('later')]);
    await recompute();
    expect(await audit()).toEqual(before);
    pass(3 * HOUR_MS);
    await file('late');
    await own.db.execute(shorten, [subject('former')]);
    await recompute();
    const found = (await audit()).filter((line) => !before.includes(line)).map((line) => line.slice(37));
    expect(found.map((line) => line.replace(/^dispute \S+ /, '')).toSorted()).toEqual([
      'respond_by is 336 h after its opening, DISPUTE_WINDOW_HOURS was 48',
      'respond_by is 48 h after its opening, DISPUTE_WINDOW_HOURS was 336',
    ]);
    expect(await own.db.query('select 1 from setting_in_force')).toHaveLength(2);
  });
});
