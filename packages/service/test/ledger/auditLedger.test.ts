import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import type { Engine } from '#harness/engines.js';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { createIdSource } from '#kit/ids.js';
import type { AuditSummary } from '#ledger/audit/auditLedger.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, ledgerOn, outcome as verified } from './deps.js';

const DAY_MS = 86_400_000;

describe.each(engines)('the audit of the ledger on %s', (engine) => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench(engine);
  });

  afterAll(() => bench.close());

  test('the audit finds nothing in an intact ledger after any number of recomputes', async () => {
    for (let day = 0; day < 5; day += 1) {
      await bench.report('clean-a', [fulfilled({ isVerified: true }), breached()]);
      await bench.report('clean-b', [fulfilled(), disputed({ isVerified: true }), cancelled()]);
      if (day % 2 === 0) await bench.recomputeAll();
      bench.pass(30 * DAY_MS);
    }
    await bench.recomputeAll();
    const { summary, found } = await bench.audit();
    expect(found).toEqual([]);
    expect(summary).toMatchObject({ subjects: 2, events: 25, differences: 0 });
    expect(summary.snapshots).toBeGreaterThanOrEqual(6);
  });

  test('the audit does not report events that wait for their recompute', async () => {
    await bench.report('waiting', [fulfilled()]);
    await bench.recomputeAll();
    await bench.report('waiting', [breached(), fulfilled()]);
    await bench.report('never-computed', [fulfilled()]);
    expect((await bench.audit()).found).toEqual([]);
  });

  const damages: { about: string; damage: string; says: RegExp }[] = [
    {
      about: 'a tally',
      damage: 'update tally set count = count + 1 where subject_id = $1',
      says: /^tally .* count is 3, rebuilt 2$/,
    },
    {
      about: 'a lost tally',
      damage: 'delete from tally where subject_id = $1',
      says: /^tally .* count is 0, rebuilt 2$/,
    },
    {
      about: 'a score',
      damage: 'update score set final_score = final_score + 1 where subject_id = $1',
      says: /^score: final_score is .*, in the latest snapshot/,
    },
    {
      about: 'a count of the book',
      damage: 'update score set own_verified_events = 9 where subject_id = $1',
      says: /^score: own_verified_events is 9, rebuilt 2$/,
    },
    {
      about: 'a lost score',
      damage: 'delete from score where subject_id = $1',
      says: /^score: it is missing/,
    },
    {
      about: 'a snapshot',
      damage: `update score_snapshot set confidence = 0.5, factors = '{"completion": 1}' where subject_id = $1`,
      says: /^snapshot 1: confidence is 0.5, rebuilt /,
    },
    {
      about: 'the position of a snapshot',
      damage: `update score_snapshot set positions = json_build_object($1::text, 7) where subject_id = $1::uuid`,
      says: /^snapshot 1: it rests on position 7 of .* the ledger holds 2 events/,
    },
    {
      about: 'a deleted event',
      damage: 'delete from event where subject_id = $1 and position = 1',
      says: /^subject: event .* has position 2, but 1 is expected$/,
    },
    {
      about: 'a changed event',
      damage: 'update event set is_verified = false where subject_id = $1 and position = 2',
      says: /^snapshot 1: final_score is .*, rebuilt /,
    },
    {
      about: 'a last activity',
      damage: `update subject set last_activity_at = last_activity_at - interval '1 day' where subject_id = $1`,
      says: /^subject: last_activity_at is .*, rebuilt /,
    },
    {
      about: 'a subject that was known for longer',
      damage: `with shown as (
          update score set registered_at = registered_at - interval '3 years' where subject_id = $1
        )
        update subject set registered_at = registered_at - interval '3 years' where subject_id = $1`,
      says: /^subject: registered_at is .*, its first fact is of another time$/,
    },
    {
      about: 'another external id',
      damage: `update subject set external_id = 'somebody-else' where subject_id = $1`,
      says: /^subject: its id does not follow/,
    },
    {
      about: 'the explanation of a score',
      damage: `update score set detail = jsonb_set(detail::jsonb, '{record,breaches}', '7')::json where subject_id = $1`,
      says: /^score: detail.record does not follow from the ledger$/,
    },
    {
      about: 'an exchanged id of a score',
      damage: `update score set external_id = 'somebody-else' where subject_id = $1`,
      says: /^score: external_id is not that of the subject$/,
    },
    {
      about: 'a freeze in silence',
      damage: 'update score set frozen_at = computed_at where subject_id = $1',
      says: /^score: frozen_at is .*, by its facts it is not frozen$/,
    },
    {
      about: 'a score by another formula',
      damage: `update score_snapshot set formula_version = '9.9' where subject_id = $1`,
      says: /^snapshot 1: formula 9.9 is not known$/,
    },
    {
      about: 'an event that no recompute will count',
      damage: 'update subject set event_count = 3 where subject_id = $1',
      says: /^score: it counts 2 of 3 events, and no recompute is queued$/,
    },
    {
      about: 'a score of another day',
      damage: 'update score_snapshot set as_of = as_of - 1000 where subject_id = $1',
      says: /^snapshot 1: as_of is 20\d\d-\d\d-\d\d, it was computed on 20\d\d-\d\d-\d\d$/,
    },
    {
      about: 'a score from before its events',
      damage: `update score_snapshot set as_of = as_of - 1000, computed_at = computed_at - interval '1000 days' where subject_id = $1`,
      says: /^snapshot 1: it is dated before an event that it counts$/,
    },
    {
      about: 'a score before the first',
      damage: 'update score_snapshot set previous_score = 99 where subject_id = $1',
      says: /^snapshot 1: previous_score is 99, the snapshot before has none$/,
    },
    {
      about: 'a snapshot in the figures of another platform',
      damage: 'update score_snapshot set platform_id = gen_random_uuid() where subject_id = $1',
      says: /^snapshot 1: it is of another platform or mode than its subject$/,
    },
    {
      about: 'a score in the list of another platform',
      damage: 'update score set platform_id = gen_random_uuid() where subject_id = $1',
      says: /^score: it is of another platform or mode than its subject$/,
    },
    {
      about: 'a kind of subject',
      damage: `update subject set subject_type = 'AGENT' where subject_id = $1`,
      says: /^subject: subject_type is AGENT, with 0 declarations$/,
    },
    {
      about: 'a declaration that applies to earlier events',
      damage: `with declared as (
          update subject set subject_type = 'AGENT', declaration_no = 1 where subject_id = $1
        )
        insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
        select subject_id, 1, platform_id, livemode, false,
          '{"name": null, "description": null, "operator": {"name": "Acme", "homepage": null, "did": null}}',
          0, created_at + interval '1 day'
        from event where subject_id = $1 and position = 1`,
      says: /^declaration 1 is after event .*, and applies to it$/,
    },
    {
      about: 'a declaration without its facts',
      damage: `with declared as (
          update subject set subject_type = 'ORGANIZATION', declaration_no = 1 where subject_id = $1
        )
        insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
        select subject_id, 1, platform_id, livemode, false, null, 0, created_at
        from event where subject_id = $1 and position = 1`,
      says: /^declaration 1: its facts are not those of ORGANIZATION$/,
    },
    ...[
      { about: 'a credential that is valid again', token: 'now()', bit: 'null', says: /is not revoked, and/ },
      { about: 'a revoked credential', token: 'null', bit: 'now()', says: /is revoked, and its share token/ },
      { about: 'a lost entry of a status list', token: 'now()', bit: '', says: / is missing$/ },
    ].map(({ about, token, bit, says }, index) => ({
      about,
      damage: `with listed as (
          insert into status_entry (list_no, entry_index, revoked_at) select 1, ${index}, ${bit || 'null'}
          where ${bit !== ''}
        )
        insert into share_token (subject_id, token_id, token_hash, sealed_token, include_profile, status_list,
          status_index, created_at, withdrawn_at)
        values ($1, gen_random_uuid(), '', ${token === 'null' ? "''" : 'null'}, false, 1, ${index}, now(), ${token})`,
      says,
    })),
    {
      about: 'a lost subject',
      damage: 'delete from subject where subject_id = $1',
      says: /^(event|tally|score|score_snapshot): rows without a subject$/,
    },
  ];

  test.each(damages)('$about is reported, with the subject', async ({ about, damage, says }) => {
    const before = await bench.audit();
    const name = `damaged: ${about}`;
    await bench.report(name, [fulfilled({ isVerified: true }), fulfilled({ isVerified: true })]);
    await bench.recomputeAll();
    await bench.db.execute(damage, [bench.subject(name)]);
    const { found, summary } = await bench.audit();
    const fresh = found.filter((line) => !before.found.includes(line));
    expect(fresh.map((line) => line.slice(0, 36))).toEqual(fresh.map(() => bench.subject(name)));
    expect(fresh.map((line) => line.slice(37)).filter((what) => says.test(what))).not.toEqual([]);
    // The last line counts those that are not listed.
    const unlisted = Number(/ and (\d+) more$/.exec(fresh.at(-1) ?? '')?.[1] ?? 1) - 1;
    expect(summary.differences).toBe(before.summary.differences + fresh.length + unlisted);
  });

  test('the audit reads a long ledger in pages', async () => {
    for (let round = 0; round < 12; round += 1) {
      await bench.report(
        'long',
        Array.from({ length: 950 }, () => fulfilled({ isVerified: round % 2 === 0 })),
      );
      await bench.recomputeAll();
    }
    const { found, summary } = await bench.audit();
    expect(found.filter((line) => line.startsWith(bench.subject('long')))).toEqual([]);
    expect(summary.events).toBeGreaterThanOrEqual(11_400);
  });
});

interface Bench {
  db: TestDatabase['db'];
  subject(name: string): string;
  report(name: string, events: readonly OutcomeEvent[]): Promise<void>;
  recomputeAll(): Promise<void>;
  pass(ms: number): void;
  audit(): Promise<{ summary: AuditSummary; found: string[] }>;
  close(): Promise<void>;
}

/** The ledger and the recompute without a web server, in test mode: its events can be changed. */
async function openBench(engine: Engine): Promise<Bench> {
  const database = await openTestDatabase(engine);
  const { db } = database;
  const platformId = randomUUID();
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  const ids = createIdSource();
  const ledger = ledgerOn(db, clock);
  await addPlatform(db, platformId);
  const subject = (name: string) => subjectIdOf(platformId, false, name);
  const recompute = async (recordIds: readonly string[]) => {
    await recomputeRecords({ db, clock, ids, velocityMaxPerHour: 500 }, recordIds);
  };
  return {
    db,
    subject,
    async report(name, events) {
      await ledger.append({
        reporter: { platformId, livemode: false, trustTier: 'GROWTH' },
        evidence: { by: 'reporter' },
        events: events.map((event) => ({
          ...event,
          externalId: name,
          completedAt: event.completedAt && now,
        })),
        claim: null,
        remember: () => ({ status: 201, answer: null }),
      });
    },
    async recomputeAll() {
      const queued = await db.query<{ recordId: string }>('select distinct record_id from recompute_queue');
      await recompute(queued.map((row) => row.recordId));
    },
    pass(ms) {
      now = new Date(now.getTime() + ms);
    },
    async audit() {
      const found: string[] = [];
      const summary = await auditLedger(db, {
        now,
        onDifference: (what, subjectId) => found.push(`${subjectId} ${what}`),
      });
      return { summary, found };
    },
    close: () => database.close(),
  };
}

type Given = Partial<OutcomeEvent>;
const outcome = (given: Given) => verified({ isVerified: false, ...given });
const fulfilled = (given: Given = {}) =>
  outcome({ eventType: 'CONTRACT_FULFILLED', completedAt: new Date(), ...given });
const breached = (given: Given = {}) =>
  outcome({ eventType: 'CONTRACT_BREACHED', stakeLevel: 'HIGH', ...given });
const disputed = (given: Given = {}) => outcome({ eventType: 'TRANSACTION_DISPUTED', ...given });
const cancelled = (given: Given = {}) => outcome({ eventType: 'CONTRACT_CANCELLED', ...given });
