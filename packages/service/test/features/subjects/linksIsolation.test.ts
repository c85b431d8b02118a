import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { routeTable } from '#harness/routeTable.js';
import { API_PREFIX, operationsOf } from '#kit/http/route.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { fulfilled as good } from '../insight/recordFixtures.js';
import { exportAll } from '../intake/eventFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { type Alias, alias, ask, link, reportOf, unlink } from './linkFixtures.js';
import { verified } from './profileFixtures.js';

const MARK = 'marked-by-the-other-platform';
const theirs = { ...good, transactionValue: 314_159.25, metadata: { note: MARK } };

/** Everything a platform can read with a key alone, or about a subject of its own. */
const reads = operationsOf(routeTable())
  .filter(({ method, route }) => method === 'GET' && route.access.kind === 'key')
  .map(({ path }) => path.slice(API_PREFIX.length))
  .filter((path) => /^[^{]*$|\/users\/\{id\}[^{]*$/.test(path))
  .concat(['/events/export', '/users', '/activity'].map((path) => `${path}?format=csv`));

describe.each(breadth)('what linked platforms see of each other on %s', (engine) => {
  const service = givenSharedService(engine);
  let own: Alias;
  let other: Alias;
  /** What names or tells of the other platform, its subject and what it reported. */
  let secrets: string[];

  beforeAll(async () => {
    own = await alias(service, 'alias-of-own', [good, good]);
    other = await alias(service, 'alias-of-the-other', [theirs, theirs, theirs]);
    await ask(service, other, 'POST', '/qualifications', { body: verified({ title: MARK }) });
    await ask(service, other, 'POST', '/projects', { body: { title: MARK, url: 'https://work.example' } });
    for (const next of [
      () => link(service, own, other),
      () => reportOf(service, own, good),
      () => reportOf(service, other, theirs),
    ]) {
      await service.settle();
      await next();
    }
    await service.settle();
    const events = await exportAll(service, { key: other.platform.live.key });
    const [row] = await service.db.query<{ recordId: string }>(
      'select record_id from subject where external_id = $1',
      [own.userId],
    );
    secrets = [
      MARK,
      '314159',
      other.userId,
      other.platform.id,
      other.platform.live.id,
      `Platform of ${other.userId}`,
      subjectIdOf(other.platform.id, true, other.userId),
      row?.recordId ?? '',
      ...events.map(({ id }) => id),
    ];
    expect(secrets).toHaveLength(12);
    await settledLog(service.db); // a proof that is not there yet would hide what it contains
  });

  test.each(reads)('GET %s contains nothing of the other platform', async (path) => {
    const target = path.replace('{id}', own.userId);
    const answer = await service.request('GET', target, { key: own.platform.live.key });
    expect(answer.status).toBeLessThan(path.includes('csv') ? 300 : 500);
    expectNothingIn(answer.text);
  });

  test('the export and the book count its own events, the score those of the record', async () => {
    const key = own.platform.live.key;
    expect(await exportAll(service, { key })).toHaveLength(3);
    const { users } = (await service.request('GET', '/users', { key })).body;
    expect(users).toMatchObject([
      { externalId: own.userId, eventCount: 3, verifiedEventCount: 3, verificationDepth: 1 },
    ]);
    expect((await ask(service, own, 'GET', '/score')).body.totalEvents).toBe(7);
    const profile = (await ask(service, own, 'GET', '/verified-profile')).body;
    expect(profile).toMatchObject({ total: { verified: 0, selfReported: 0 }, projects: 0 });
    const { meta } = (await ask(service, own, 'GET', '/career-export')).body;
    expect(meta['x-reliability'].score.totalEvents).toBe(7);
    const body = { userIds: [own.userId, other.userId] };
    const { scores } = (await service.request('POST', '/users/scores', { key, body })).body;
    expect(scores).toMatchObject([{ found: true }, { found: false, finalScore: null }]);
  });

  test('a change names its own events only', async () => {
    const change = (await ask(service, own, 'GET', '/score/delta')).body;
    expect(change.events).toEqual([]);
    const ofOther = (await ask(service, other, 'GET', '/score/delta')).body;
    expect(ofOther.events).toHaveLength(1);
    const whenever = { computedAt: expect.any(String) }; // each ledger group computes for itself
    const { previous, current } = change;
    expect({ ...ofOther, userId: '', events: [] }).toEqual({
      ...change,
      userId: '',
      events: [],
      previous: { ...previous, ...whenever },
      current: { ...current, ...whenever },
    });
  });

  test('each platform finds the link in its own trail, about its own subject', async () => {
    for (const { platform, userId } of [own, other]) {
      const [line] = await trailOf(service, platform.live.key, '&action=SUBJECT_LINKED');
      expect(line).toMatchObject({
        actor: userId === own.userId ? `key:${platform.live.id}` : 'service',
        target: subjectIdOf(platform.id, true, userId),
        details: { userId, platforms: 2 },
      });
    }
    expect(await trailOf(service, other.platform.test.key, '&action=SUBJECT_LINKED')).toEqual([]);
  });

  test('the audit log of a subject, which the operator reads, is of that subject alone', async () => {
    const path = `/admin/users/${own.userId}/audit-log?platformId=${own.platform.id}`;
    const answer = await service.request('GET', path, { admin: true });
    expect(answer.status).toBe(200);
    expect(answer.body.activity).toHaveLength(4);
    expectNothingIn(answer.text);
  });

  test('each platform is told of the shared score under its own id, and of nothing else', async () => {
    const bodies = await service.db.query<{ body: string }>(
      'select body from envelope where platform_id = $1 order by envelope_id',
      [own.platform.id],
    );
    for (const { body } of bodies) expectNothingIn(body);
    const emitted = bodies.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'score.updated');
    expect(emitted.at(-1).data).toMatchObject({
      user: { externalId: own.userId },
      totalEvents: 7,
      reason: null,
    });
    expect(emitted.map(({ data }) => data.reason)).toContain('linked');
  });

  test('after the link is undone the history stays, and nothing more comes from the other side', async () => {
    const before = (await ask(service, own, 'GET', '/score/history')).body.history;
    await unlink(service, other);
    await service.settle();
    const [latest, ...past] = (await ask(service, own, 'GET', '/score/history')).body.history;
    expect(past).toEqual(before);
    expect(latest).toMatchObject({ reason: 'unlinked', totalEvents: 3 });
    await reportOf(service, other, theirs);
    await service.settle();
    expect((await ask(service, own, 'GET', '/score/history')).body.history[0]).toEqual(latest);
    const [line] = await trailOf(service, own.platform.live.key, '&action=SUBJECT_UNLINKED');
    expect(line).toMatchObject({ actor: 'service', details: { userId: own.userId, platforms: 1 } });
    const { text } = await service.request('GET', '/activity', { key: own.platform.live.key });
    expectNothingIn(text);
  });

  function expectNothingIn(text: string): void {
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
