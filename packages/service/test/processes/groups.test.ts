import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  openNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  verify as verifyProof,
} from '@reliability/proof';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPLICATION_ROLE } from '#harness/applicationRole.js';
import { differencesIn, logDifferencesIn } from '#harness/differencesIn.js';
import {
  addTestGroups,
  hasCitus,
  hasPostgres,
  openTestDatabase,
  type TestDatabase,
} from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { startTestService, type TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { announce } from '#kit/db/wakes.js';
import { newPublicId, newPublicToken } from '#kit/ids.js';
import { findPlatformGroup } from '#ledger/groups/store.js';
import { grantToApplication } from '#ledger/roles/privileges.js';
import { addGroups, openGroups, openSchemas } from '../../src/shape/groups/groups.js';
import { movePlatform } from '../../src/shape/groups/movePlatform.js';
import { mint, verify } from '../features/sharing/sharingFixtures.js';
import { type Alias, alias, ask, link, reportOf, unlink } from '../features/subjects/linkFixtures.js';
import { isLetIn, newPlatform, revoke } from '../features/tenancy/keyFixtures.js';
import { settledLog } from '../ledger/log/logDeps.js';

const now = () => new Date();
const EVENT = { eventType: 'CONTRACT_FULFILLED', stakeLevel: 'HIGH' };

describe.skipIf(!hasPostgres)('a service with three ledger groups', () => {
  let database: TestDatabase;
  let service: TestService;
  let groups: Database[];
  /** The first group has two platforms: the bootstrapped one lives there, too. */
  const aliases: Alias[] = [];
  const aliasIn = (group: number) => {
    const found = aliases[group];
    if (!found) throw new Error(`there is no platform in group ${group}`);
    return found;
  };
  const others = [1, 2] as const;

  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    const missing = 3 - (await openGroups(database.db)).length;
    await addTestGroups(database.db, missing);
    await database.db.execute('update ledger_group set is_open = true');
    groups = await openGroups(database.db);
    const env = { BASE_URL: 'https://reliability.example', VELOCITY_MAX_PER_HOUR: '1000' };
    service = await startTestService('postgresql', { db: database.db, env });
    const found: Alias[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      found.push(await alias(service, `worker-${name}`, [EVENT, EVENT, EVENT]));
    }
    for (const each of found) aliases[await groupOf(each)] ??= each;
    await settled();
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  async function groupOf({ platform }: Alias): Promise<number> {
    const statement =
      'select group_id from platform p join api_key k using (platform_id) where k.key_id = $1';
    const [row] = await database.db.query<{ groupId: number }>(statement, [platform.live.id]);
    return row?.groupId ?? -1;
  }

  async function settled(): Promise<void> {
    const waiting = 'select from recompute_queue union all select from tally_outbox limit 1';
    // Twice: what one group has sent, another may not have taken up when it was asked first.
    for (const db of [...groups, ...groups]) {
      await eventually(async () => (await db.query(waiting)).length === 0);
    }
  }

  const asAnybody = (path: string) => service.request('GET', path, { key: null });
  const asOperator = (method: string, path: string, body?: object) =>
    service.request(method, path, { admin: true, ...(body && { body }) });

  test('new platforms are spread over the groups, and their rows are in their own group alone', async () => {
    const counts = await database.db.query<{ count: number }>(
      'select count(*)::integer as count from platform group by group_id order by group_id',
    );
    expect(counts.map(({ count }) => count)).toEqual([2, 2, 2]);
    for (const db of groups) {
      const own = await db.query<{ platformId: string }>(
        `select platform_id from event union select platform_id from score
         union select platform_id from activity union select platform_id from usage_daily`,
      );
      const rows = await database.db.query<{ groupId: number }>(
        'select distinct group_id from platform where platform_id = any($1::uuid[])',
        [own.map(({ platformId }) => platformId)],
      );
      expect(rows).toEqual([{ groupId: db.ledgers.own }]);
    }
  });

  test('a repeated creation of a platform gets the first answer, in whatever group it lives', async () => {
    const headers = { 'Idempotency-Key': 'one-platform-in-some-group' };
    const create = () =>
      service.request('POST', '/admin/platforms', { admin: true, headers, body: { name: 'Once' } });
    const [first, again] = [await create(), await create()];
    expect(again.body).toEqual(first.body);
    const page = await asOperator('GET', '/admin/platforms');
    expect(page.body.platforms.filter(({ name }: { name: string }) => name === 'Once')).toHaveLength(1);
  });

  test('the operator chooses the group of a new platform', async () => {
    const create = (group: number) => asOperator('POST', '/admin/platforms', { name: 'Chosen', group });
    const { status, body } = await create(2);
    expect(status).toBe(201);
    expect(await findPlatformGroup(database.db, body.platform.id)).toBe(2);
    const refused = await create(700);
    expect(refused.status).toBe(400);
    expect(refused.body.details[0]).toMatchObject({ path: 'group' });
  });

  test.runIf(hasCitus)('on a Citus cluster a platform keeps its group', async () => {
    const [first] = await database.db.query<{ id: string }>('select platform_id as id from platform limit 1');
    const moved = movePlatform(database.db, first?.id ?? '', 2, now());
    await expect(moved).rejects.toThrow('On a Citus cluster a platform keeps its group');
  });

  test.skipIf(hasCitus)(
    'a platform without a ledger moves to another group with its settings, when it is quiet',
    async () => {
      const { platform, keys } = (await asOperator('POST', '/admin/platforms', { name: 'Moving', group: 1 }))
        .body;
      const key = keys.live.key;
      const endpoint = { url: 'https://receiver.example/hook', events: ['score.updated'] };
      expect((await service.request('POST', '/webhooks', { key, body: endpoint })).status).toBe(201);
      const change = (isActive: boolean) =>
        asOperator('PATCH', `/admin/platforms/${platform.id}`, { isActive });
      const move = (minutes = 0, group = 2) =>
        movePlatform(database.db, platform.id, group, new Date(Date.now() + minutes * 60_000));

      await expect(move()).rejects.toThrow(/The platform is active/);
      await change(false);
      await expect(move()).rejects.toThrow(/less than a minute ago.*try again in \d+ s/);
      await expect(move(2, 700)).rejects.toThrow(/no ledger group 700/);
      expect(await move(2)).toBe(1);
      await expect(move(9)).rejects.toThrow(/in group 2 already/);
      await change(true);

      await eventually(async () => (await service.request('GET', '/webhooks', { key })).status === 200);
      const { webhooks } = (await service.request('GET', '/webhooks', { key })).body;
      expect(webhooks).toMatchObject([{ url: endpoint.url }]);
      const { activity } = (await service.request('GET', '/activity', { key })).body;
      expect(activity.map(({ action }: { action: string }) => action)).toContain('PLATFORM_CREATED');
      const event = { userId: 'after-the-move', ...EVENT };
      expect((await service.request('POST', '/events', { key, body: event })).status).toBe(201);
      const rowsIn = (db: Database | undefined, table: string) =>
        db?.query(`select 1 from ${table} where platform_id = $1`, [platform.id]);
      expect(await rowsIn(groups[2], 'event')).toHaveLength(1);
      for (const table of ['webhook', 'activity', 'event'])
        expect(await rowsIn(groups[1], table)).toEqual([]);
    },
  );

  test.skipIf(hasCitus)(
    'a platform with a ledger stays in its group, and the reason names its rows',
    async () => {
      const { platform, keys } = (await asOperator('POST', '/admin/platforms', { name: 'Staying', group: 1 }))
        .body;
      const body = { userId: 'staying', ...EVENT };
      expect((await service.request('POST', '/events', { key: keys.live.key, body })).status).toBe(201);
      await settled();
      await asOperator('PATCH', `/admin/platforms/${platform.id}`, { isActive: false });
      const later = new Date(Date.now() + 120_000);
      await expect(movePlatform(database.db, platform.id, 2, later)).rejects.toThrow(
        /has a ledger, which stays in its group \(rows in .*event.*subject/,
      );
      expect(await findPlatformGroup(database.db, platform.id)).toBe(1);
    },
  );

  test.each(others)(
    'group %i has a log of its own, whose checkpoints the published key signs',
    async (group) => {
      const { platform, userId } = aliasIn(group);
      const key = platform.live.key;
      const { eventId } = (await service.request('POST', '/events', { key, body: { userId, ...EVENT } }))
        .body;
      await settledLog(groups[group] as Database);
      const receipt = await service.request('GET', `/events/${eventId}/receipt`, { key });
      const identity = (await asAnybody('!/.well-known/ledger-log.json')).body;
      const log = identity.otherLogs[group - 1];
      expect(log.origin).toBe(`reliability.example/log/g${group}`);
      const note = await openedNote(receipt.body.checkpoint, log.vkey);
      expect(note.origin).toBe(log.origin);
      const checkpoint = await asAnybody(`!/log/g${group}/checkpoint`);
      expect((await openedNote(checkpoint.text, log.vkey)).size).toBeGreaterThanOrEqual(note.size);
      expect((await fetch(`${service.url}/log/g${group}/tile/0/000.p/1`)).status).toBe(200);
      const did = JSON.parse((await asAnybody('!/.well-known/did.json')).text);
      expect(did.service[group]).toMatchObject({
        serviceEndpoint: `https://reliability.example/log/g${group}`,
        vkey: log.vkey,
      });
    },
  );

  test.each([0, 2, 3, 999])('a token of group %i that nobody made is an unknown token', async (group) => {
    const answers = async (number: number) => {
      const share = newPublicToken('st_', { ledgers: { own: number } }, 24);
      const id = randomUUID();
      const asked = [
        await asAnybody(`/verify/${share}`),
        await asAnybody(
          `/confirmations/${id}/preview?token=${newPublicToken('cft_', { ledgers: { own: number } })}`,
        ),
        await asAnybody(
          `/references/${id}/preview?token=${newPublicToken('rft_', { ledgers: { own: number } })}`,
        ),
        await asAnybody(`/oid4vci/offers/${newPublicId({ ledgers: { own: number } })}`),
        await ask(service, aliasIn(1), 'POST', '/links', {
          body: { linkToken: newPublicToken('lkt_', { ledgers: { own: number } }) },
        }),
      ];
      return asked.map(({ status, body }) => [status, body.error?.code]);
    };
    const unknown = await answers(1);
    expect(unknown.map(([status]) => status)).toEqual([404, 401, 401, 404, 401]);
    expect(await answers(group)).toEqual(unknown);
  });

  test.each([
    ...['g3', 'g01', 'x1', 'g'].map((name) => `!/log/${name}/checkpoint`),
    ...['-1', '-0.5', 'x', '99000000'].map((number) => `/status-lists/${number}`),
  ])('there is no %s', async (path) => {
    expect((await asAnybody(path)).status).toBe(404);
  });

  test('a platform may not resolve a dispute of another one, whichever groups they are in', async () => {
    for (const group of [0, 1, 2]) {
      const { platform, userId } = aliasIn(group);
      const body = { userId, eventType: 'CONTRACT_BREACHED' };
      const { eventId } = (await service.request('POST', '/events', { key: platform.live.key, body })).body;
      const filed = await service.request('POST', '/disputes', { key: platform.live.key, body: { eventId } });
      expect(filed.status).toBe(201);
      for (const other of [0, 1, 2].filter((number) => number !== group)) {
        const key = aliasIn(other).platform.live.key;
        const path = `/disputes/${filed.body.id}`;
        const resolved = await service.request('POST', `${path}/resolve`, { key });
        expect(resolved).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
        expect((await service.request('GET', path, { key })).status).toBe(404);
      }
    }
  });

  test('the operator works on the platforms and subjects of every group', async () => {
    for (const group of [0, 1, 2]) {
      const { platform, userId } = aliasIn(group);
      const { id: platformId } = (await service.request('GET', '/platform', { key: platform.live.key })).body;
      const onPlatform = `/admin/platforms/${platformId}`;
      expect((await asOperator('GET', `${onPlatform}/activity`)).body.activity.length).toBeGreaterThan(0);
      expect((await asOperator('PATCH', onPlatform, { velocityExempt: true })).status).toBe(200);
      const monitor = await asOperator('POST', `${onPlatform}/monitors`, { userId, belowScore: 50 });
      expect(monitor.status).toBe(201);
      expect((await asOperator('GET', `${onPlatform}/monitors`)).body.monitors).toHaveLength(1);
      const trail = await asOperator('GET', `/admin/users/${userId}/audit-log?platformId=${platformId}`);
      expect(trail.body.activity.length).toBeGreaterThanOrEqual(3);
    }
    expect((await asOperator('POST', '/admin/sweeps/benchmarks')).status).toBe(200);
    const status = (await asAnybody('/status.json')).body;
    expect(status.checks.log.treeSize).toBeGreaterThan(15);
  });

  test('a key is not revoked without its entry in the audit trail of its group', async () => {
    const { platform } = aliasIn(1);
    const made = await service.request('POST', '/platform/keys', { key: platform.live.key, body: {} });
    const { key, id } = made.body;
    const [, schema] = await openSchemas(database.db);
    const change = async (text: string) => schema?.transaction((tx) => tx.execute(text));
    await change("alter table activity add constraint kept check (action <> 'API_KEY_REVOKED') not valid");
    const refused = await revoke(service, platform.live.key, id);
    await change('alter table activity drop constraint kept');
    expect([refused.status, await isLetIn(service, key)]).toEqual([500, true]);
    expect((await revoke(service, platform.live.key, id)).status).toBe(200);
    expect(await isLetIn(service, key)).toBe(false);
  });

  test('the last use of a key of any group is in the list at once', async () => {
    for (const group of [0, 1, 2]) {
      const { live, test: unused } = aliasIn(group).platform;
      const before = Date.now();
      expect(await isLetIn(service, unused.key)).toBe(true);
      const { keys } = (await service.request('GET', '/platform/keys', { key: live.key })).body;
      const listed = keys.find(({ id }: { id: string }) => id === unused.id);
      expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(before);
    }
  });

  describe('a record with members in three groups', () => {
    const GOOD = { ...EVENT, isVerified: true, metadata: {}, transactionValue: 10 };
    let members: Alias[];

    beforeAll(async () => {
      members = [];
      for (const group of [0, 1, 2]) {
        const { platform } = aliasIn(group);
        const member = { platform, userId: 'linked-worker' };
        for (let count = 0; count <= group; count += 1) await reportOf(service, member, GOOD);
        members.push(member);
      }
      await settled();
    });

    const first = () => members[0] as Alias;
    const each = async (path: string) => {
      const answers = [];
      for (const member of members) answers.push((await ask(service, member, 'GET', path)).body);
      return answers;
    };

    test('all groups publish one score, also of later events', async () => {
      const own = (await each('/score')).map(({ finalScore }) => finalScore);
      for (const [index, member] of members.slice(1).entries()) {
        const answer = await link(service, member, first());
        expect(answer).toMatchObject({ status: 201, body: { linked: true, platforms: index + 2 } });
      }
      await reportOf(service, first(), GOOD);
      await settled();
      const scores = await each('/score');
      expect(new Set(scores.map(({ finalScore }) => finalScore)).size).toBe(1);
      expect(own).not.toContain(scores[0].finalScore);
      for (const score of scores) expect(score).toMatchObject({ totalEvents: 7, verifiedEvents: 7 });
    });

    test('every read counts the members of all groups', async () => {
      const counted = (await each('/score'))[0].totalEvents;
      for (const { platforms } of await each('/platforms')) {
        expect(platforms).toHaveLength(3);
        const counts = platforms.map(({ eventCount }: { eventCount: number }) => eventCount);
        expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(counted);
        expect(platforms.map(({ name }: { name: string | null }) => name).filter(Boolean)).toHaveLength(1);
      }
      const same = async (path: string, ...names: string[]) => {
        const answers = (await each(path)).map((body) => names.map((name) => body[name]));
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(answers[0]).not.toContain(undefined);
      };
      const today = new Date().toISOString().slice(0, 10);
      await same('/score/explain', 'finalScore', 'factors', 'reasonCodes');
      await same(`/score/explain?asOf=${today}`, 'finalScore', 'factors');
      await same('/score/components', 'components');
      await same('/score/course', 'points');
      await same('/score/course?by=recorded', 'points');
      await same('/reliability', 'finalScore', 'verifiedEvents', 'totalEvents');
      await same('/earnings/summary', 'trailing12mVerifiedTotal', 'medianMonthly');
      await same('/risk', 'concentration');
      const [one, ...rest] = await each('/professional-record');
      const own = { userId: expect.any(String), computedAt: expect.any(String) };
      for (const record of rest) expect(record).toEqual({ ...one, ...own });
      expect((await each('/score/course'))[0].points).not.toEqual([]);
    });

    test('a shared score says how many platforms verified it', async () => {
      for (const member of members) {
        const token = await mint(service, member);
        const { body } = await verify(service, token);
        expect(body).toMatchObject({ verifiedPlatforms: 3 });
      }
    });

    test('the proof of a score reaches into the logs of all groups', async () => {
      for (const db of groups) await settledLog(db);
      const identity = (await asAnybody('!/.well-known/ledger-log.json')).body;
      const logKey = [identity, ...identity.otherLogs].map(({ vkey }) => parseVerifierKey(vkey));
      for (const member of members) {
        const { body } = await ask(service, member, 'GET', '/score/proof');
        expect(body.otherLogs).toHaveLength(2);
        const verified = await verifyProof(body, { logKey });
        expect(verified.steps.filter(({ ok }) => ok === false)).toEqual([]);
        const logs = body.members.map(({ log }: { log?: number }) => log);
        expect(logs.toSorted()).toEqual([0, 1, undefined]);
        const ofEvents: (number | undefined)[] = body.members.flatMap(
          ({ log, events }: { log?: number; events: object[] }) => events.map(() => log),
        );
        const eventProofs = body.eventProofs.with(ofEvents.indexOf(1), [Buffer.alloc(32).toString('base64')]);
        expect((await verifyProof({ ...body, eventProofs }, { logKey })).ok).toBe(false);
        // Without a subject in another group it lacks what the snapshot counts.
        const cut = {
          ...body,
          members: body.members.filter(({ log }: { log?: number }) => log !== 1),
          eventProofs: body.eventProofs.filter((_: unknown, nth: number) => ofEvents[nth] !== 1),
        };
        const failing = (await verifyProof(cut, { logKey })).steps.filter(({ ok }) => ok === false);
        expect(failing.map(({ name }) => name)).toEqual(['completeness']);
        const witnesses = [parseVerifierKey(identity.vkey)];
        const { steps } = await verifyProof(body, { logKey, witnesses });
        // Of its own log and of both others.
        expect(steps.filter(({ name }) => name === 'witnesses')).toHaveLength(3);
      }
    });

    test('a member that leaves takes its events along, in all groups', async () => {
      const counted = (await each('/score'))[0].totalEvents;
      const own = (await ask(service, first(), 'GET', '/platforms')).body.platforms[0].eventCount;
      expect((await unlink(service, first())).status).toBe(200);
      await settled();
      const [left, ...stayed] = await each('/score');
      expect(left.totalEvents).toBe(own);
      for (const score of stayed) expect(score.totalEvents).toBe(counted - own);
    });
  });

  test('a group that is added while the service runs serves the next platforms', async () => {
    const [group = -1] = await addTestGroups(database.db, 1);
    let latest = aliasIn(0);
    await eventually(async () => {
      latest = await alias(service, `newcomer-${now().getTime()}`, []);
      return (await groupOf(latest)) === group;
    });
    await eventually(async () => {
      const body = { userId: latest.userId, ...EVENT };
      return (
        (await service.request('POST', '/events', { key: latest.platform.live.key, body })).status === 201
      );
    });
    groups = await openGroups(database.db);
  });

  test('the audit finds no difference in any group', async () => {
    await settled();
    for (const db of groups) await settledLog(db);
    expect(await differencesIn(database.db, groups)).toEqual([]);
    expect(await logDifferencesIn(database.db)).toEqual([]);
  });
});

describe.skipIf(!hasPostgres)('a ledger group on which the role of the service has no rights', () => {
  test('takes no platforms, and the first group does not serve those it has, until it is granted', async () => {
    const database = await openTestDatabase('postgresql');
    const { db } = database;
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => logged.push(line) });
    const service = await startTestService('postgresql', { db, log, env: { LOG_LEVEL: 'warn' } });
    const [group = -1] = await addGroups(db, serviceMigrations, 1, now());
    await announce(db, 'groups');
    await eventually(() => logged.join('').includes(`no rights on ledger_group_${group}`));

    const body = { name: 'Chosen', group };
    const chosen = await service.request('POST', '/admin/platforms', { admin: true, body });
    expect(chosen).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    const { platformId, live } = await newPlatform(service);
    expect(await findPlatformGroup(db, platformId)).not.toBe(group);

    await db.execute('update platform set group_id = $2 where platform_id = $1', [platformId, group]);
    const report = () =>
      service.request('POST', '/events', { key: live.key, body: { userId: 'worker-1', ...EVENT } });
    expect(await report()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    const onPlatform = `/admin/platforms/${platformId}/monitors`;
    expect((await service.request('GET', onPlatform, { admin: true })).status).toBe(503);

    const schema = (await openSchemas(db))[group];
    await schema?.transaction((tx) => grantToApplication(tx, APPLICATION_ROLE));
    await announce(db, 'groups');
    await eventually(async () => (await report()).status === 201);
    const found = (await openGroups(db)).map((each) =>
      each.query('select 1 from event where platform_id = $1', [platformId]),
    );
    const counts = (await Promise.all(found)).map((rows) => rows.length);
    expect(counts).toEqual(counts.map((_, number) => (number === group ? 1 : 0)));
    await service.close();
    await database.close();
  });
});

async function openedNote(text: string, vkey: string) {
  const note = parseNote(text);
  await openNote(note, [parseVerifierKey(vkey)]);
  return parseCheckpoint(note.text);
}

test('no statement names a schema', () => {
  const folder = join(import.meta.dirname, '../../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const naming = files.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return /\b(?:from|join|into|update|table|only)\s+(?:public|ledger_group_\w+)\./i.test(text);
  });
  expect(files.length).toBeGreaterThan(500);
  expect(naming).toEqual([]);
});
