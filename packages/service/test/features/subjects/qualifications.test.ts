import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { profileKit, qualification, verified } from './profileFixtures.js';

describe.each(breadth)('qualifications and projects on %s', (engine) => {
  const profiles = profileKit(engine);
  const { path, post, get, known } = profiles;

  describe('a qualification', () => {
    test('is recorded and listed as it was reported', async () => {
      const userId = await known('Qualified #1');
      const answer = await post(userId, 'qualifications', {
        eventType: 'CERTIFICATION_VERIFIED',
        title: 'Gas safety engineer',
        issuer: 'Northern Trades Board',
        issuedAt: '2025-06-01',
        expiresAt: '2028-06-01T12:00:00+02:00',
        url: 'https://register.example/engineers/20817?x="<b>',
        isVerified: true,
        verifiedBy: 'northern-trades-board',
        score: 100,
        id: UNKNOWN_ID,
        referenceId: UNKNOWN_ID,
      });
      expect(answer.status).toBe(201);
      const { warnings, ...recorded } = answer.body;
      expect(warnings).toEqual([]);
      expect(recorded).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userId,
        kind: 'certification',
        eventType: 'CERTIFICATION_VERIFIED',
        title: 'Gas safety engineer',
        issuer: 'Northern Trades Board',
        description: null,
        startDate: null,
        endDate: null,
        issuedAt: '2025-06-01T00:00:00.000Z',
        expiresAt: '2028-06-01T10:00:00.000Z',
        url: 'https://register.example/engineers/20817?x="<b>',
        isVerified: true,
        verifiedBy: 'northern-trades-board',
        referenceId: null,
        createdAt: expect.any(String),
      });
      expect(recorded.id).not.toBe(UNKNOWN_ID);
      expect((await get(userId, 'qualifications')).body).toEqual({
        qualifications: [recorded],
        nextCursor: null,
      });
    });

    test.each([
      ['EDUCATION_VERIFIED', 'education'],
      ['SKILL_VERIFIED', 'skill'],
      ['CERTIFICATION_VERIFIED', 'certification'],
      ['EMPLOYMENT_VERIFIED', 'employment'],
    ])('may be of type %s', async (eventType, kind) => {
      const userId = await known('of-each-type');
      const answer = await post(userId, 'qualifications', { eventType, title: 'x' });
      expect([answer.status, answer.body.kind, answer.body.isVerified]).toEqual([201, kind, false]);
    });

    test.each<[string, { isVerified: true; verifiedBy?: string | null }]>([
      ['nobody named', { isVerified: true }],
      ['the subject itself', { isVerified: true, verifiedBy: 'Self-Made' }],
      ['the subject in other letters', { isVerified: true, verifiedBy: ' ＳＥＬＦ－made\u200b ' }],
      ['white space alone', { isVerified: true, verifiedBy: ' \t ' }],
      ['null', { isVerified: true, verifiedBy: null }],
    ])('is downgraded with a warning if it is verified by %s', async (_, more) => {
      const userId = await known('self-made');
      const answer = await post(userId, 'qualifications', qualification(more));
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        isVerified: false,
        verifiedBy: more.verifiedBy ?? null,
        warnings: [{ code: 'VERIFICATION_DOWNGRADED', message: expect.any(String) }],
      });
    });

    test('is self-reported by default, even if a verifier is named', async () => {
      const userId = await known('not-told');
      for (const more of [{}, { verifiedBy: 'somebody' }, { isVerified: false, verifiedBy: 'somebody' }]) {
        const { body } = await post(userId, 'qualifications', qualification(more));
        expect([body.isVerified, body.warnings]).toEqual([false, []]);
      }
    });

    test.each([
      [{ eventType: 'PROJECT_LOGGED' }, 'eventType', 'invalid_value'],
      [{ eventType: 'TRANSACTION_COMPLETED' }, 'eventType', 'invalid_value'],
      [{ eventType: undefined }, 'eventType', 'required'],
      [{ title: undefined }, 'title', 'required'],
      [{ title: '' }, 'title', 'too_small'],
      [{ title: 'x'.repeat(256) }, 'title', 'too_big'],
      [{ title: 7 }, 'title', 'invalid_type'],
      [{ title: 'a\u0000b' }, 'title', 'invalid_format'],
      [{ issuer: 'x'.repeat(256) }, 'issuer', 'too_big'],
      [{ issuedAt: 'last year' }, 'issuedAt', 'invalid_format'],
      [{ issuedAt: '2025-02-30' }, 'issuedAt', 'invalid_format'],
      [{ issuedAt: '2025-06-01T10:00:00' }, 'issuedAt', 'invalid_format'],
      [{ issuedAt: 1748736000000 }, 'issuedAt', 'invalid_type'],
      [{ issuedAt: '2025-06-02', expiresAt: '2025-06-01' }, 'expiresAt', 'custom'],
      [{ url: 'javascript:alert(1)' }, 'url', 'invalid_format'],
      [{ isVerified: 'yes' }, 'isVerified', 'invalid_type'],
      [{ verifiedBy: '' }, 'verifiedBy', 'too_small'],
      [{ verifiedBy: 'x'.repeat(256) }, 'verifiedBy', 'too_big'],
    ])('is refused: %j', async (more, at, code) => {
      const userId = await known('refused');
      const answer = await post(userId, 'qualifications', qualification(more));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: at, code }] });
    });

    test('accepts texts of the maximum length, and null for unknown values', async () => {
      const userId = await known('longest');
      const long = 'ü'.repeat(255);
      const url = `https://x.example/${'a'.repeat(2048 - 18)}`;
      const full = await post(
        userId,
        'qualifications',
        verified({ title: long, issuer: long, verifiedBy: long, url }),
      );
      expect(full.body).toMatchObject({ title: long, issuer: long, verifiedBy: long, url, isVerified: true });
      const nulls = { issuer: null, issuedAt: null, expiresAt: null, url: null, isVerified: null };
      expect((await post(userId, 'qualifications', qualification(nulls))).body).toMatchObject({
        ...nulls,
        isVerified: false,
      });
    });

    test('changes no score, no total and no part of the ledger', async () => {
      const userId = await known('unmoved');
      await report(
        profiles.service,
        outcome({ userId, isVerified: true, completedAt: '2026-01-01T00:00:00Z' }),
      );
      await profiles.service.settle();
      const reads = [
        'score',
        'score/history',
        'score/explain',
        'score/components',
        'reliability',
        'timeline',
        'platforms',
        'risk',
      ];
      const everything = async () => {
        const answers = await Promise.all(reads.map((read) => get(userId, read)));
        const others = ['/users?limit=100', '/users/summary', '/events/export', '/analytics/events'];
        const book = await Promise.all(others.map((other) => profiles.service.request('GET', other)));
        return [...answers, ...book].map(({ status, body }) => [status, body]);
      };
      const before = await everything();
      for (const eventType of ['EDUCATION_VERIFIED', 'EMPLOYMENT_VERIFIED']) {
        for (let count = 0; count < 5; count += 1) {
          await post(userId, 'qualifications', verified({ eventType, title: `${count}` }));
        }
      }
      await post(userId, 'projects', { title: 'Work', url: 'https://work.example' });
      await profiles.service.settle();
      expect(await everything()).toEqual(before);
    });
  });

  describe('a project', () => {
    test('is added, listed and deleted', async () => {
      const userId = await known('projector');
      const body = {
        title: 'Kitchens of 2025',
        url: 'http://portfolio.example:8080/kitchens#top',
        description: '<script>alert(1)</script>',
        startedAt: '2025-01-15',
        completedAt: '2025-11-30T10:00:00Z',
      };
      const made = await post(userId, 'projects', body);
      expect([made.status, made.body]).toEqual([
        201,
        {
          id: expect.any(String),
          userId,
          ...body,
          startedAt: '2025-01-15T00:00:00.000Z',
          completedAt: '2025-11-30T10:00:00.000Z',
          createdAt: expect.any(String),
        },
      ]);
      expect((await get(userId, 'projects')).body).toEqual({ projects: [made.body], nextCursor: null });
      const remove = () => profiles.service.request('DELETE', path(userId, `projects/${made.body.id}`));
      const removed = await remove();
      expect([removed.status, removed.text]).toEqual([204, '']);
      const again = await remove();
      expect([again.status, again.body.code]).toEqual([404, 'NOT_FOUND']);
      expect((await get(userId, 'projects')).body.projects).toEqual([]);
    });

    test.each([
      [{ title: undefined }, 'title', 'required'],
      [{ title: '' }, 'title', 'too_small'],
      [{ url: undefined }, 'url', 'required'],
      [{ url: '' }, 'url', 'too_small'],
      [{ url: `https://x.example/${'a'.repeat(2048)}` }, 'url', 'too_big'],
      [{ url: 'javascript:alert(1)' }, 'url', 'invalid_format'],
      [{ url: 'data:text/html,x' }, 'url', 'invalid_format'],
      [{ url: 'ftp://files.example/x' }, 'url', 'invalid_format'],
      [{ url: '//portfolio.example' }, 'url', 'invalid_format'],
      [{ url: 'portfolio.example' }, 'url', 'invalid_format'],
      [{ url: 'https://me:secret@portfolio.example' }, 'url', 'invalid_format'],
      [{ url: 'https://me@portfolio.example' }, 'url', 'invalid_format'],
      [{ url: 'https://' }, 'url', 'invalid_format'],
      [{ url: ' https://portfolio.example' }, 'url', 'invalid_format'],
      [{ url: 'https://portfolio.example/a\nb' }, 'url', 'invalid_format'],
      [{ url: 'https://portfolio.example\\@evil.example' }, 'url', 'invalid_format'],
      [{ description: 'x'.repeat(2001) }, 'description', 'too_big'],
      [{ startedAt: 'soon' }, 'startedAt', 'invalid_format'],
      [{ startedAt: '2025-06-02', completedAt: '2025-06-01' }, 'completedAt', 'custom'],
    ])('is refused: %j', async (more, at, code) => {
      const userId = await known('refused');
      const answer = await post(userId, 'projects', {
        title: 'Work',
        url: 'https://work.example',
        ...more,
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: at, code }] });
    });
  });
});
