import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { agentKit, ELSEWHERE } from './agentFixtures.js';
import { readDeclared, registerBusiness } from './subjectFixtures.js';

describe.each(breadth)('the registration of agents on %s', (engine) => {
  const agents = agentKit(engine);
  const { fresh, register, post } = agents;

  describe('registered', () => {
    test('an agent is shown as declared, without a score, and is in the book', async () => {
      const userId = fresh();
      const operator = {
        name: 'Harbour Robotics',
        homepage: 'https://robots.example.com/',
        did: 'did:web:robots.example.com',
      };
      const declared = {
        name: 'Courier bot',
        description: 'Brings parcels.',
        platformIsOperator: false,
        operator,
      };
      const { status, body } = await register({ userId, ...declared });
      expect(status).toBe(201);
      const facts = { userId, subjectType: 'AGENT', ...declared };
      expect(body).toEqual({
        ...facts,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: body.createdAt,
        declarationChangedAt: null,
      });
      const read = await readDeclared(agents.service, { platform: agents.platform, userId }, 'agents');
      expect(read.status).toBe(200);
      expect(read.body).toEqual({
        ...body,
        score: null,
        deliveryRecord: {
          deliveriesRecorded: 0,
          confirmedDeliveries: 0,
          operatorVouched: 0,
          selfAttested: 0,
          failures: 0,
          disputes: 0,
          onTimeRate: null,
          declarationChangedAt: null,
        },
      });
      const { body: book } = await agents.service.request(
        'GET',
        '/users?subjectType=AGENT&sort=externalId&limit=1000',
        {
          key: agents.platform.live.key,
        },
      );
      expect(book.users.find((row: { externalId: string }) => row.externalId === userId)).toMatchObject({
        subjectType: 'AGENT',
        finalScore: null,
        eventCount: 0,
      });
    });

    test('an agent with only an id is run by the platform', async () => {
      const userId = fresh();
      const { status, body } = await register({ userId });
      expect([status, body.platformIsOperator]).toEqual([201, true]);
      expect(body).toMatchObject({
        name: null,
        description: null,
        operator: { name: null, homepage: null, did: null },
      });
    });

    test('a repeated declaration keeps omitted values, and null removes a value', async () => {
      const userId = fresh();
      const operator = { name: 'Harbour Robotics', homepage: 'https://robots.example.com/', did: null };
      const first = await register({
        userId,
        name: 'Old',
        description: 'Old',
        platformIsOperator: false,
        operator,
      });
      const second = await register({ userId, name: 'New', operator: { homepage: null } });
      expect(second.status).toBe(201);
      const declared = { name: 'New', description: 'Old', platformIsOperator: false };
      const changedAt = second.body.declarationChangedAt;
      expect(second.body).toEqual({
        userId,
        subjectType: 'AGENT',
        ...declared,
        operator: { name: 'Harbour Robotics', homepage: null, did: null },
        createdAt: first.body.createdAt,
        updatedAt: changedAt,
        declarationChangedAt: expect.stringMatching(/Z$/),
      });
      const read = (await readDeclared(agents.service, { platform: agents.platform, userId }, 'agents')).body;
      expect(read).toMatchObject({ ...second.body, deliveryRecord: { declarationChangedAt: changedAt } });
      for (const body of [{ userId }, { userId, ...declared }, { userId, name: ' \u200b', operator: {} }]) {
        expect((await register(body)).body).toEqual(second.body);
      }
      const unnamed = await register({ userId, operator: { name: null } });
      expect([unnamed.status, unnamed.body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
    });

    test('each declaration is an entry of the activity log; an identical repeat is not', async () => {
      const userId = fresh();
      for (const more of [{}, { platformIsOperator: true }, ELSEWHERE, ELSEWHERE])
        await register({ userId, ...more });
      const { body } = await agents.service.request('GET', '/activity?limit=100', {
        key: agents.platform.live.key,
      });
      const ofAgent = body.activity.filter(
        (entry: { details: { userId?: string } }) => entry.details?.userId === userId,
      );
      expect(
        ofAgent.map(({ action, details }: { action: string; details: object }) => [action, details]),
      ).toEqual([
        [
          'DECLARATION_CHANGED',
          {
            userId,
            declaration: 2,
            changes: {
              platformIsOperator: { from: true, to: false },
              'operator.name': { from: null, to: 'Harbour Robotics Ltd' },
            },
          },
        ],
        [
          'SUBJECT_DECLARED',
          { userId, declaration: 1, changes: { platformIsOperator: { from: null, to: true } } },
        ],
      ]);
      const [row] = await agents.service.db.query<{ count: number }>(
        'select count(*)::integer as count from declaration_fact where subject_id = $1',
        [subjectIdOf(agents.platform.id, true, userId)],
      );
      expect(row?.count).toBe(2);
    });

    test('the database refuses to change or delete a live declaration', async () => {
      const userId = fresh();
      await register({ userId });
      const subjectId = subjectIdOf(agents.platform.id, true, userId);
      for (const change of ['update declaration_fact set is_own = false', 'delete from declaration_fact']) {
        await expect(
          agents.service.db.execute(`${change} where subject_id = $1`, [subjectId]),
        ).rejects.toThrow(/append-only/);
      }
    });
  });

  describe('a registration', () => {
    test.each([
      [{}],
      [{ operator: null }],
      [{ operator: {} }],
      [{ operator: { name: ' \u200b\t' } }],
      [{ operator: { name: null, homepage: null, did: null } }],
      [{ operator: { homepage: 'https://robots.example.com', did: 'did:web:robots.example.com' } }],
    ])('without the name of a third-party operator is refused: %j', async (more) => {
      const { status, body } = await register({ userId: fresh(), platformIsOperator: false, ...more });
      expect([status, body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
    });

    test.each([
      ['userId', { userId: '' }],
      ['userId', { userId: '..' }],
      ['name', { name: 'n'.repeat(256) }],
      ['description', { description: 'd'.repeat(2001) }],
      ['platformIsOperator', { platformIsOperator: 'yes' }],
      ['operator.homepage', { operator: { homepage: 'http://robots.example.com' } }],
      ['operator.homepage', { operator: { homepage: 'javascript:alert(1)' } }],
      ['operator.homepage', { operator: { homepage: '' } }],
      ['operator.homepage', { operator: { homepage: 'https://user:pw@robots.example.com' } }],
      ['operator.homepage', { operator: { homepage: 'https://127.0.0.1/' } }],
      ['operator.homepage', { operator: { homepage: 'https://0x7f.1/' } }],
      ['operator.homepage', { operator: { homepage: 'https://[::ffff:10.0.0.1]/' } }],
      ['operator.homepage', { operator: { homepage: 'https://localhost/' } }],
      ['operator.homepage', { operator: { homepage: 'https://a.example.com\\@b.example.com' } }],
      ['operator.homepage', { operator: { homepage: `https://a.example.com/${'x'.repeat(2048)}` } }],
      ['operator.did', { operator: { did: 'web:robots.example.com' } }],
      ['operator.did', { operator: { did: 'did:WEB:robots' } }],
      ['operator.did', { operator: { did: 'did:web:' } }],
      ['operator.did', { operator: { did: 'did:web:a b' } }],
      ['operator.did', { operator: { did: 'did:web:a%2' } }],
    ])('with an invalid %s is refused: %j', async (path, more) => {
      const { status, body } = await register({ userId: fresh(), ...more });
      expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
    });

    test.each([
      'did:web:robots.example.com%3A8443:fleet:7',
      'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
      'did:example:a::b',
    ])('accepts the DID %s', async (did) => {
      expect((await register({ userId: fresh(), operator: { did } })).status).toBe(201);
    });

    test('is refused for a reserved id and for the id of a person or a business, which stay unchanged', async () => {
      const [person, firm] = [fresh(), fresh()];
      await post(person);
      await registerBusiness(agents.service, agents.platform, {
        userId: firm,
        business: { legalName: 'Firm Ltd' },
      });
      for (const userId of [person, firm]) {
        const { status, body } = await register({ userId });
        expect([status, body.code]).toEqual([409, 'CONFLICT']);
        expect(
          (await readDeclared(agents.service, { platform: agents.platform, userId }, 'agents')).status,
        ).toBe(404);
      }
      expect((await post(person)).body.warnings).toEqual([]);
      expect(
        (await readDeclared(agents.service, { platform: agents.platform, userId: firm }, 'businesses'))
          .status,
      ).toBe(200);
      expect((await register({ userId: 'test:7' })).body.code).toBe('RESERVED_EXTERNAL_ID');
      const inTest = { key: agents.platform.test.key, body: { userId: 'test:7' } };
      expect((await agents.service.request('POST', '/agents', inTest)).status).toBe(201);
    });

    test('a subject without a registration is not an agent', async () => {
      const userId = fresh();
      await post(userId);
      for (const id of [userId, 'nobody']) {
        const { status, body } = await readDeclared(
          agents.service,
          { platform: agents.platform, userId: id },
          'agents',
        );
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
    });
  });
});
