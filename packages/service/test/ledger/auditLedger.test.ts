import { beforeAll, describe, expect, test } from 'vitest';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { DAY_MS } from '#domain/timestamp.js';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, append, ledgerOn, outcome, recomputeQueued, reporter } from './deps.js';

describe.each(engines)('the audit of the ledger on %s', (engine) => {
  const own = ownDatabase(engine);
  /** Test events can be changed. */
  const inTest: Reporter = { ...reporter, livemode: false, trustTier: 'GROWTH' };
  let now = new Date('2026-01-05T10:00:00.000Z');
  const clock = { now: () => now };
  beforeAll(() => addPlatform(own.db));

  const subject = (name: string) => subjectIdOf(reporter.platformId, false, name);
  const report = (externalId: string, events: readonly Partial<OutcomeEvent>[]) =>
    append(
      ledgerOn(own.db, clock),
      events.map((event) => outcome({ isVerified: false, ...event, externalId })),
      inTest,
    );
  const recompute = () => recomputeQueued(own.db, clock);
  const fulfilled = (isVerified = false) => ({ isVerified, completedAt: now });
  const breached = { eventType: 'CONTRACT_BREACHED', stakeLevel: 'HIGH' } as const;

  async function audit() {
    const found: string[] = [];
    const onDifference = (what: string, subjectId?: string) => found.push(`${subjectId} ${what}`);
    return { summary: await auditLedger(own.db, { now, onDifference }), found };
  }

  test('the audit finds nothing in an intact ledger after any number of recomputes', async () => {
    for (let day = 0; day < 5; day += 1) {
      await report('clean-a', [fulfilled(true), breached]);
      await report('clean-b', [
        fulfilled(),
        { eventType: 'TRANSACTION_DISPUTED', isVerified: true },
        { eventType: 'CONTRACT_CANCELLED' },
      ]);
      if (day % 2 === 0) await recompute();
      now = new Date(now.getTime() + 30 * DAY_MS);
    }
    await recompute();
    const { summary, found } = await audit();
    expect(found).toEqual([]);
    expect(summary).toMatchObject({ subjects: 2, events: 25, differences: 0 });
    expect(summary.snapshots).toBeGreaterThanOrEqual(6);
  });

  test('the audit does not report events that wait for their recompute', async () => {
    await report('waiting', [fulfilled()]);
    await recompute();
    await report('waiting', [breached, fulfilled()]);
    await report('never-computed', [fulfilled()]);
    expect((await audit()).found).toEqual([]);
  });

  test.each([
    ['tally', 'count = count + 1', /^tally .* count is 3, rebuilt 2$/],
    ['score', 'final_score = final_score + 1', /^score: final_score is .*, in the latest snapshot/],
    ['score', 'own_verified_events = 9', /^score: own_verified_events is 9, rebuilt 2$/],
    ['score', `external_id = 'somebody-else'`, /^score: external_id is not that of the subject$/],
    ['score', 'frozen_at = computed_at', /^score: frozen_at is .*, by its facts it is not frozen$/],
    [
      'score',
      'platform_id = gen_random_uuid()',
      /^score: it is of another platform or mode than its subject$/,
    ],
    [
      'score',
      `detail = jsonb_set(detail::jsonb, '{record,breaches}', '7')`,
      /^score: detail.record does not follow/,
    ],
    ['score_snapshot', `confidence = 0.5, factors = '{}'`, /^snapshot 1: confidence is 0.5, rebuilt /],
    [
      'score_snapshot',
      'positions = json_build_object(subject_id, 7)',
      /rests on position 7 .* holds 2 events/,
    ],
    ['score_snapshot', `formula_version = '9.9'`, /^snapshot 1: formula 9.9 is not known$/],
    ['score_snapshot', 'as_of = as_of - 1000', /^snapshot 1: as_of is 20.{8}, it was computed on 20.{8}$/],
    [
      'score_snapshot',
      `as_of = as_of - 1000, computed_at = computed_at - interval '1000 days'`,
      /^snapshot 1: it is dated before an event that it counts$/,
    ],
    ['score_snapshot', 'previous_score = 99', /: previous_score is 99, the snapshot before has none$/],
    ['score_snapshot', 'platform_id = gen_random_uuid()', /^snapshot 1: it is of another platform or mode/],
    ['event', 'is_verified = (position = 1)', /^snapshot 1: final_score is .*, rebuilt /],
    [
      'subject',
      `last_activity_at = last_activity_at - interval '1 day'`,
      /^subject: last_activity_at is .*, rebuilt /,
    ],
    ['subject', `external_id = 'somebody-else'`, /^subject: its id does not follow/],
    ['subject', 'event_count = 3', /^score: it counts 2 of 3 events, and no recompute is queued$/],
    ['subject', `subject_type = 'AGENT'`, /^subject: subject_type is AGENT, with 0 declarations$/],
  ])('%s with %s is reported, with the subject', (table, change, says) =>
    expectReported(`${table}: ${change}`, `update ${table} set ${change} where subject_id = $1`, says),
  );

  const declares = (type: string, facts: string, declaredAt: string) => `with declared as (
      update subject set subject_type = '${type}', declaration_no = 1 where subject_id = $1
    )
    insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
    select subject_id, 1, platform_id, livemode, false, ${facts}, 0, ${declaredAt}
    from event where subject_id = $1 and position = 1`;
  /** A share token that was withdrawn or not, and the rows of its status list. */
  const shares = (index: number, withdrawnAt: 'now()' | 'null', bits: string) => `with listed as (
      insert into status_entry (list_no, entry_index, revoked_at) ${bits}
    )
    insert into share_token (subject_id, token_id, token_hash, sealed_token, include_profile, status_list,
      status_index, created_at, withdrawn_at)
    values ($1, gen_random_uuid(), '', ${withdrawnAt === 'null' ? "''" : 'null'}, false, 1, ${index}, now(), ${withdrawnAt})`;
  const damages: Record<string, [damage: string, says: RegExp]> = {
    'a lost tally': ['delete from tally where subject_id = $1', /^tally .* count is 0, rebuilt 2$/],
    'a lost score': ['delete from score where subject_id = $1', /^score: it is missing/],
    'a deleted event': [
      'delete from event where subject_id = $1 and position = 1',
      /^subject: event .* has position 2, but 1 is expected$/,
    ],
    'a subject that was known for longer': [
      `with shown as (
          update score set registered_at = registered_at - interval '3 years' where subject_id = $1
        )
        update subject set registered_at = registered_at - interval '3 years' where subject_id = $1`,
      /^subject: registered_at is .*, its first fact is of another time$/,
    ],
    'a declaration that applies to earlier events': [
      declares(
        'AGENT',
        `'{"name": null, "description": null, "operator": {"name": "Acme", "homepage": null, "did": null}}'`,
        `created_at + interval '1 day'`,
      ),
      /^declaration 1 is after event .*, and applies to it$/,
    ],
    'a declaration without its facts': [
      declares('ORGANIZATION', 'null', 'created_at'),
      /^declaration 1: its facts are not those of ORGANIZATION$/,
    ],
    'a credential that is valid again': [shares(0, 'now()', 'select 1, 0, null'), /is not revoked, and/],
    'a revoked credential': [shares(1, 'null', 'select 1, 1, now()'), /is revoked, and its share token/],
    'a lost entry of a status list': [shares(2, 'now()', 'select 1, 2, null where false'), / is missing$/],
    'a lost subject': [
      'delete from subject where subject_id = $1',
      /^(event|tally|score|score_snapshot): rows without a subject$/,
    ],
  };

  test.each(Object.entries(damages))('%s is reported, with the subject', (about, [damage, says]) =>
    expectReported(about, damage, says),
  );

  async function expectReported(about: string, damage: string, says: RegExp): Promise<void> {
    const before = await audit();
    const id = subject(`damaged: ${about}`);
    await report(`damaged: ${about}`, [fulfilled(true), fulfilled(true)]);
    await recompute();
    await own.db.execute(damage, [id]);
    const { found, summary } = await audit();
    const fresh = found.filter((line) => !before.found.includes(line));
    expect(fresh.map((line) => line.slice(0, 36))).toEqual(fresh.map(() => id));
    expect(fresh.map((line) => line.slice(37))).toContainEqual(expect.stringMatching(says));
    // The last line counts those that are not listed.
    const unlisted = Number(/ and (\d+) more$/.exec(fresh.at(-1) ?? '')?.[1] ?? 1) - 1;
    expect(summary.differences).toBe(before.summary.differences + fresh.length + unlisted);
  }

  test('the audit reads a long ledger in pages', async () => {
    for (let round = 0; round < 12; round += 1) {
      await report('long', Array(950).fill(fulfilled(round % 2 === 0)));
      await recompute();
    }
    const { found, summary } = await audit();
    expect(found.filter((line) => line.startsWith(subject('long')))).toEqual([]);
    expect(summary.events).toBeGreaterThanOrEqual(11_400);
  });
});
