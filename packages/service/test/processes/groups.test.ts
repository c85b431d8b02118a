import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openNote, parseCheckpoint, parseNote, parseVerifierKey } from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/kit/db/database.js';
import { auditLedger } from '../../src/ledger/audit/auditLedger.js';
import { openGroups } from '../../src/ledger/groups/groups.js';
import { auditLog } from '../../src/ledger/log/audit/auditLog.js';
import { answered, made, previewed } from '../features/attestation/confirmationFixtures.js';
import { mint, verify } from '../features/credentials/sharingFixtures.js';
import { accessFor, askCredential } from '../features/credentials/walletFixtures.js';
import { type Alias, alias, ask, link } from '../features/subjects/linkFixtures.js';
import { isLetIn, revoke } from '../features/tenancy/keyFixtures.js';
import { addTestGroups, hasPostgres, openTestDatabase, type TestDatabase } from '../harness/engines.js';
import { eventually } from '../harness/eventually.js';
import { startTestService, type TestService } from '../harness/service.js';
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
    for (const db of groups) {
      await eventually(async () => (await db.query('select 1 from recompute_queue limit 1')).length === 0);
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
      const rows = await db.query<{ groupId: number }>(
        `select distinct group_id from platform p where platform_id in (
           select platform_id from event union all select platform_id from score
           union all select platform_id from activity union all select platform_id from usage_daily
         )`,
      );
      expect(rows).toEqual([{ groupId: db.group }]);
    }
  });

  test('every platform reads its own scores, exports and activity', async () => {
    const scores = [];
    for (const each of aliases) scores.push((await ask(service, each, 'GET', '/score')).body.finalScore);
    expect(new Set(scores).size).toBe(1);
    for (const each of aliases) {
      const key = each.platform.live.key;
      expect((await service.request('GET', '/users', { key })).body.users).toHaveLength(1);
      expect((await service.request('GET', '/events/export', { key })).body.events).toHaveLength(3);
      const { activity } = (await service.request('GET', '/activity', { key })).body;
      expect(activity.map(({ action }: { action: string }) => action)).toContain('PLATFORM_CREATED');
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

  test.each(others)('the public reads of a share token find group %i', async (group) => {
    const token = await mint(service, aliasIn(group));
    expect((await verify(service, token)).status).toBe(200);
    expect((await asAnybody(`!/verify/${token}`)).status).toBe(200);
    expect((await asAnybody(`!/badge/${token}.svg`)).status).toBe(200);
    expect((await verify(service, `${token}x`)).status).toBe(404);
    const access = await accessFor(service, aliasIn(group));
    expect((await askCredential(service, access, {})).status).toBe(400);
    expect((await askCredential(service, `${access}x`, {})).status).toBe(401);
    const [list] = (await groups[group]?.query<{ listNo: number }>('select list_no from status_list')) ?? [];
    expect((await asAnybody(`/status-lists/${list?.listNo}`)).status).toBe(200);
    expect((await asAnybody(`/status-lists/${Number(list?.listNo) + 1}`)).status).toBe(404);
  });

  test.each(others)('a counterparty answers a request of group %i with its token', async (group) => {
    const { platform, userId } = aliasIn(group);
    const asked = await made(service, { userId }, { key: platform.live.key });
    expect((await previewed(service, asked)).status).toBe(200);
    expect((await previewed(service, { ...asked, confirmationToken: 'cft_unknown' })).status).toBe(401);
    const page = `!/confirm/${asked.confirmation.id}?token=${asked.confirmationToken}`;
    expect((await asAnybody(page)).status).toBe(200);
    expect((await answered(service, asked, 'confirm')).status).toBe(200);
  });

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

  test('there is no log of a group that does not exist', async () => {
    for (const name of ['g3', 'g01', 'x1', 'g']) {
      expect((await asAnybody(`!/log/${name}/checkpoint`)).status).toBe(404);
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

  test('a revoked key of any group is refused from the next request on', async () => {
    for (const group of [0, 1, 2]) {
      const { platform } = aliasIn(group);
      const { key, id } = (
        await service.request('POST', '/platform/keys', { key: platform.live.key, body: {} })
      ).body;
      expect(await isLetIn(service, key)).toBe(true);
      expect((await revoke(service, platform.live.key, id)).status).toBe(200);
      expect(await isLetIn(service, key)).toBe(false);
    }
  });

  test('a link between two groups is refused with a reason', async () => {
    const refused = await link(service, aliasIn(1), aliasIn(2));
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(refused.body.error).toContain('another ledger group');
  });

  test('an import of a platform in another group is recorded and scored', async () => {
    const { platform } = aliasIn(1);
    const key = platform.live.key;
    const csv = `userId,eventType\n${Array.from({ length: 20 }, (_, n) => `imported-${n},CONTRACT_FULFILLED`).join('\n')}\n`;
    const mapping = { userId: { path: 'userId' }, eventType: { path: 'eventType' } };
    const started = await service.request('POST', '/imports', { key, body: { csv, mapping } });
    expect(started.status).toBe(202);
    await eventually(
      async () => (await ask(service, { platform, userId: 'imported-19' }, 'GET', '/score')).status === 200,
    );
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
    for (const db of groups) {
      await settledLog(db);
      const differences: unknown[] = [];
      await auditLedger(db, { onDifference: (found) => differences.push(found), onProgress: () => {} });
      await auditLog(db, {
        now: now(),
        onDifference: (found) => differences.push(found),
        onProgress: () => {},
      });
      expect(differences).toEqual([]);
    }
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
