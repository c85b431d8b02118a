import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filingEvent, outcomeEvent, rulingOf } from '#domain/dispute.js';
import type { ContestedEvent, OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { differencesIn } from '#harness/differencesIn.js';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { createIdSource } from '#kit/ids.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { noteDisputeWindow } from '#ledger/settingsInForce.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, append, ledgerOn, outcome, reporter } from './deps.js';
import { linkBench } from './linksDeps.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe.each(engines)('the ledger with disputes on %s', (engine) => {
  let database: TestDatabase;
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  const ids = createIdSource();
  /** Test events can be changed. */
  const inTest: Reporter = { ...reporter, livemode: false };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    await addPlatform(database.db);
  });
  afterAll(() => database.close());

  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };

  test('the audit rebuilds each snapshot with the disputes open at its position', async () => {
    const disputed = await breached('history');
    await recompute();
    const filing = await file('history', disputed);
    await recompute();
    pass(3 * DAY_MS);
    await append(ledger(), [outcome({ externalId: 'history' })], inTest);
    await recompute();
    await end('history', disputed, filing);
    await recompute();
    pass(DAY_MS);
    await append(ledger(), [outcome({ externalId: 'history' })], inTest);
    await recompute();
    expect(await totalsOf('history')).toEqual([1, 2, 3, 3, 4]);
    expect(await audit()).toEqual([]);
  });

  test('a disputed transaction counts until its dispute ends, then the outcome replaces it', async () => {
    await append(ledger(), [outcome({ externalId: 'itself' })], inTest);
    const [open, contested] = await disputed('itself');
    await recompute();
    pass(3 * DAY_MS);
    await end('itself', open, contested);
    await recompute();
    expect(await totalsOf('itself')).toEqual([2, 2]);
    const counts = (await talliesOf('itself')).map((row) => ('count' in row ? row.count : null));
    expect(counts.toSorted()).toEqual([0, 1, 1]);
    expect(await audit()).toEqual([]);
  });

  test("the audit rebuilds a linked record with its members' open and closed disputes", async () => {
    const bench = linkBench(database.db, clock);
    const [first, second] = [await bench.addWith(2), await bench.addWith(1)];
    await bench.link(second, first);
    await bench.recompute();
    const by: Reporter = { platformId: first.platformId, livemode: true, trustTier: 'GROWTH' };
    const disputed = await breached(first.name, by);
    const filing = await file(first.name, disputed, by);
    await bench.recompute();
    await end(first.name, disputed, filing, by);
    await bench.recompute();
    await bench.unlink(second);
    await bench.recompute();
    expect(await audit()).toEqual([]);
  });

  test('events written by the service do not count towards the velocity limit', async () => {
    for (let count = 0; count < 4; count += 1) {
      const disputed = await breached('busy', reporter);
      await end('busy', disputed, await file('busy', disputed, reporter), reporter);
    }
    await recompute(5);
    expect(await frozenAt('busy')).toBeNull();
    await append(ledger(), [outcome({ externalId: 'busy' }), outcome({ externalId: 'busy' })]);
    await recompute(5);
    expect(await frozenAt('busy')).not.toBeNull();
  });

  test('a dispute closes once, also for a caller with stale data', async () => {
    const disputed = await breached('once');
    const filing = await file('once', disputed);
    await end('once', disputed, filing);
    await expect(end('once', disputed, filing)).rejects.toMatchObject({ code: '23505' });
    expect(await audit()).toEqual([]);
  });

  test('a failed transaction leaves no event, no dispute and unchanged tallies', async () => {
    const disputed = await breached('crash');
    const filing = await file('crash', disputed);
    const before = await talliesOf('crash');
    const known = await disputesOf('crash');
    const failing = database.db.transaction(async (tx) => {
      await ledger().appendIn(tx, inTest, [endOf(disputed, filing)], { by: 'engine' });
      const contested = outcome({ externalId: 'crash', eventType: 'TRANSACTION_DISPUTED' });
      await ledger().appendIn(tx, inTest, [contested], { by: 'reporter' });
      throw new Error('the process died here');
    });
    await expect(failing).rejects.toThrow('died');
    expect(await talliesOf('crash')).toEqual(before);
    expect(await disputesOf('crash')).toEqual(known);
  });

  test('a disputed outcome opens its dispute on every write path', async () => {
    const events = ['TRANSACTION_COMPLETED', 'TRANSACTION_DISPUTED', 'CONTRACT_FULFILLED'] as const;
    const mixed = (externalId: string) => events.map((eventType) => outcome({ externalId, eventType }));
    await append(ledger(), mixed('opened'));
    await append(ledger(), [
      outcome({ externalId: 'opened', eventType: 'TRANSACTION_DISPUTED', itemKey: 'k' }),
    ]);
    await append(ledger(), [
      outcome({ externalId: 'opened', eventType: 'TRANSACTION_DISPUTED', itemKey: 'k' }),
    ]);
    await database.db.transaction((tx) =>
      ledger().appendIn(tx, reporter, mixed('opened'), { by: 'reporter' }),
    );
    const rows = await database.db.query<{ eventType: string; windowMs: number }>(
      `select event_type, (extract(epoch from respond_by - opened_at) * 1000)::integer as window_ms
       from dispute join event using (subject_id, event_id) where subject_id = $1 and opened_at = event.created_at`,
      [subjectIdOf(reporter.platformId, true, 'opened')],
    );
    const due = { eventType: 'TRANSACTION_DISPUTED', windowMs: 14 * DAY_MS };
    expect(rows).toEqual([due, due, due]);
  });

  const damages: { about: string; damage: string; says: RegExp }[] = [
    {
      about: 'a missing closing event',
      damage: 'update event set closes_event_id = null where subject_id = $1 and position = 3',
      says: /^tally .* count is 0, rebuilt 1$/,
    },
    {
      about: 'a closing event of another dispute',
      damage: `update event set closes_event_id = (select event_id from event where subject_id = $1 and position = 1)
        where subject_id = $1 and position = 3`,
      says: /^subject: event .* closes .*, which is not a contested event of its dispute$/,
    },
    {
      about: 'a dispute that ended the wrong way',
      damage: `update dispute set status = 'RESOLVED_FOR_USER' where subject_id = $1`,
      says: /^dispute .*: it ended FOR_USER, by rule AGAINST_USER$/,
    },
    {
      about: 'a dispute that is open after its end',
      damage: `update dispute set status = 'OPEN', outcome_event_id = null, resolved_at = null where subject_id = $1`,
      says: /^event .* was written for dispute .*, which does not name it$/,
    },
    {
      about: 'a window that ends later',
      damage: `update dispute set respond_by = respond_by + interval '1 day' where subject_id = $1`,
      says: /^dispute .*: respond_by is 360 h after its opening, DISPUTE_WINDOW_HOURS was 336$/,
    },
    {
      about: 'a window that ended before the dispute',
      damage: `update dispute set respond_by = resolved_at - interval '1 hour', opened_at = resolved_at - interval '337 hours'
        where subject_id = $1`,
      says: /^dispute .*: lapsed is false, and it ended after its window$/,
    },
    {
      about: 'a lapse within the window',
      damage: `update dispute set lapsed = true where subject_id = $1`,
      says: /^dispute .*: lapsed is true, and it ended within its window$/,
    },
    {
      about: 'a dispute that opened after its event',
      damage: `update dispute set opened_at = opened_at + interval '1 hour', respond_by = respond_by + interval '1 hour'
        where subject_id = $1`,
      says: /^dispute .*: opened_at is behind the event that opened it$/,
    },
    {
      about: 'a dispute that ended after its outcome',
      damage: `update dispute set resolved_at = resolved_at + interval '1 hour' where subject_id = $1`,
      says: /^dispute .*: resolved_at is behind its outcome event$/,
    },
    {
      about: 'a dispute in the hands of another platform',
      damage: 'update dispute set platform_id = gen_random_uuid() where subject_id = $1',
      says: /^dispute .*: it is of another platform or mode than the disputed event$/,
    },
    {
      about: 'a lost dispute',
      damage: 'delete from dispute where subject_id = $1',
      says: /^event .* was written for dispute .*, which does not name it$/,
    },
    {
      about: 'a dispute about an event that cannot be disputed',
      damage: `update event set event_type = 'CONTRACT_FULFILLED' where subject_id = $1 and position = 1`,
      says: /^dispute .*: it is about CONTRACT_FULFILLED$/,
    },
    {
      about: 'an outcome that weighs something else',
      damage: `update event set stake_level = 'LOW' where subject_id = $1 and position = 3`,
      says: /^dispute .*: an event written for it does not weigh what the disputed one does$/,
    },
  ];

  test.each(damages)('$about is reported', async ({ about, damage, says }) => {
    const before = await audit();
    const name = `damaged: ${about}`;
    const disputed = await breached(name);
    await end(name, disputed, await file(name, disputed));
    await recompute();
    expect(await audit()).toEqual(before);
    await database.db.execute(damage, [subject(name)]);
    const found = (await audit()).filter((line) => !before.includes(line)).map((line) => line.slice(37));
    expect(found.filter((what) => says.test(what))).not.toEqual([]);
  });

  test('disputes without any stored window are reported', async () => {
    await file('windowless', await breached('windowless'));
    await recompute();
    const before = await audit();
    await database.db.execute('create table kept_setting as select * from setting_in_force');
    await database.db.execute('alter table setting_in_force disable trigger user');
    await database.db.execute('delete from setting_in_force');
    const found = (await audit()).filter((line) => !before.includes(line));
    await database.db.execute('insert into setting_in_force select * from kept_setting');
    await database.db.execute('alter table setting_in_force enable trigger user');
    expect(found).toContainEqual(
      expect.stringMatching(
        `^${subject('windowless')} dispute .*: no DISPUTE_WINDOW_HOURS is stored for the time of its opening$`,
      ),
    );
    expect(await audit()).toEqual(before);
  });

  test('the window is that which was in force when the dispute opened, also after a change', async () => {
    const before = await audit();
    await breached('former').then((disputed) => file('former', disputed));
    pass(2 * HOUR_MS);
    await noteDisputeWindow(database.db, 2 * DAY_MS, now);
    await noteDisputeWindow(database.db, 2 * DAY_MS, now);
    // A process with the former window may run for a while.
    await breached('overlap').then((disputed) => file('overlap', disputed));
    await breached('later').then((disputed) => file('later', disputed));
    const shorten = `update dispute set respond_by = opened_at + interval '2 days' where subject_id = $1`;
    await database.db.execute(shorten, [subject('later')]);
    await recompute();
    expect(await audit()).toEqual(before);
    pass(3 * HOUR_MS);
    await breached('late').then((disputed) => file('late', disputed));
    await database.db.execute(shorten, [subject('former')]);
    await recompute();
    const found = (await audit()).filter((line) => !before.includes(line)).map((line) => line.slice(37));
    expect(found.map((line) => line.replace(/^dispute \S+ /, '')).toSorted()).toEqual([
      'respond_by is 336 h after its opening, DISPUTE_WINDOW_HOURS was 48',
      'respond_by is 48 h after its opening, DISPUTE_WINDOW_HOURS was 336',
    ]);
    expect(await database.db.query('select 1 from setting_in_force')).toHaveLength(2);
  });

  interface Disputed {
    event: OutcomeEvent;
    eventId: string;
    disputeId: string;
  }

  const ledger = () => ledgerOn(database.db, clock);
  const subject = (name: string) => subjectIdOf(reporter.platformId, false, name);

  async function breached(externalId: string, by = inTest): Promise<Disputed> {
    const event = outcome({ externalId, eventType: 'CONTRACT_BREACHED', stakeLevel: 'HIGH' });
    const answer = await append(ledger(), [event], by);
    if (answer.kind !== 'recorded') throw new Error('nothing was recorded');
    return { event, eventId: answer.outcomes[0]?.eventId ?? '', disputeId: ids.at(now) };
  }

  /** Writes the same as POST /disputes. */
  async function file(
    name: string,
    { event, eventId, disputeId }: Disputed,
    by = inTest,
  ): Promise<ContestedEvent> {
    return database.db.transaction(async (tx) => {
      const [filed] = await ledger().appendIn(tx, by, [filingEvent(event, disputeId, null)], {
        by: 'engine',
      });
      if (!filed) throw new Error('nothing was filed');
      await tx.execute(
        `insert into dispute (subject_id, dispute_id, platform_id, livemode, event_id, filed_event_id, opened_at, respond_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          subjectIdOf(by.platformId, by.livemode, name),
          disputeId,
          by.platformId,
          by.livemode,
          eventId,
          filed.eventId,
          now,
          new Date(now.getTime() + 14 * DAY_MS),
        ],
      );
      const { stakeLevel, isVerified } = event;
      return {
        eventId: filed.eventId,
        eventType: 'DISPUTE_FILED',
        stakeLevel,
        isVerified,
        platformTier: by.trustTier,
        createdAt: now,
      };
    });
  }

  /** A disputed transaction, which opens its own dispute, with the key of its tally. */
  async function disputed(externalId: string, by = inTest): Promise<[Disputed, ContestedEvent]> {
    const dates = { completedAt: new Date(now.getTime() - 3 * DAY_MS), dueDate: now };
    const event = outcome({ externalId, eventType: 'TRANSACTION_DISPUTED', ...dates });
    const answer = await append(ledger(), [event], by);
    if (answer.kind !== 'recorded') throw new Error('nothing was recorded');
    const eventId = answer.outcomes[0]?.eventId ?? '';
    const [row] = await database.db.query<{ disputeId: string }>(
      'select dispute_id from dispute where event_id = $1',
      [eventId],
    );
    const contested = {
      ...dates,
      eventId,
      eventType: event.eventType,
      stakeLevel: event.stakeLevel,
      isVerified: event.isVerified,
      platformTier: by.trustTier,
      createdAt: now,
    };
    return [{ event, eventId, disputeId: row?.disputeId ?? '' }, contested];
  }

  function endOf({ event, disputeId }: Disputed, filing: ContestedEvent): OutcomeEvent {
    const ruling = rulingOf(
      { isVerified: event.isVerified, respondBy: new Date(now.getTime() + HOUR_MS) },
      now,
    );
    return outcomeEvent(event, disputeId, ruling, filing);
  }

  /** Writes the same as a resolution. */
  async function end(name: string, disputed: Disputed, filing: ContestedEvent, by = inTest): Promise<void> {
    await database.db.transaction(async (tx) => {
      const [ended] = await ledger().appendIn(tx, by, [endOf(disputed, filing)], { by: 'engine' });
      await tx.execute(
        `update dispute set status = 'RESOLVED_AGAINST_USER', resolved_at = $3, outcome_event_id = $4
         where subject_id = $1 and dispute_id = $2`,
        [subjectIdOf(by.platformId, by.livemode, name), disputed.disputeId, now, ended?.eventId],
      );
    });
  }

  async function recompute(velocityMaxPerHour = 500): Promise<void> {
    const queued = await database.db.query<{ recordId: string }>(
      'select distinct record_id from recompute_queue',
    );
    const recordIds = queued.map((row) => row.recordId);
    await recomputeRecords({ db: database.db, clock, ids, velocityMaxPerHour }, recordIds);
  }

  async function audit(): Promise<string[]> {
    return differencesIn(database.db);
  }

  async function totalsOf(name: string): Promise<number[]> {
    const rows = await database.db.query<{ totalEvents: number }>(
      'select total_events from score_snapshot where subject_id = $1 order by snapshot_no',
      [subject(name)],
    );
    return rows.map((row) => row.totalEvents);
  }

  function talliesOf(name: string): Promise<object[]> {
    return database.db.query('select day, code, count from tally where subject_id = $1 order by 1, 2', [
      subject(name),
    ]);
  }

  function disputesOf(name: string): Promise<object[]> {
    return database.db.query('select * from dispute where subject_id = $1 order by dispute_id', [
      subject(name),
    ]);
  }

  async function frozenAt(name: string): Promise<Date | null | undefined> {
    const [row] = await database.db.query<{ frozenAt: Date | null }>(
      'select frozen_at from score where subject_id = $1',
      [subjectIdOf(reporter.platformId, true, name)],
    );
    return row?.frozenAt;
  }
});
