import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { words } from '#harness/words.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { trailOf } from '../tenancy/trail.js';
import { ELSEWHERE, givenDeclarer } from './subjectFixtures.js';

describe.each(breadth)('the registration of agents on %s', (engine) => {
  const declarer = givenDeclarer(engine);
  const { service, platform, fresh, of, registerAgent, post, readAgent, readBusiness } = declarer;

  test('a registered agent is shown as declared, without a score, and is in the book', async () => {
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
    const { status, body } = await registerAgent({ userId, ...declared });
    expect(status).toBe(201);
    expect(body).toEqual({
      userId,
      subjectType: 'AGENT',
      ...declared,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
      declarationChangedAt: null,
    });
    const none = { deliveriesRecorded: 0, onTimeRate: null, declarationChangedAt: null };
    const deliveryRecord = expect.objectContaining(none);
    expect((await readAgent(of(userId))).body).toEqual({ ...body, score: null, deliveryRecord });
    const row = { subjectType: 'AGENT', finalScore: null, eventCount: 0 };
    expect(await declarer.inBook(userId)).toMatchObject(row);
  });

  test('an agent with only an id is run by the platform', async () => {
    expect((await registerAgent({ userId: fresh() })).body).toMatchObject({
      platformIsOperator: true,
      name: null,
      description: null,
      operator: { name: null, homepage: null, did: null },
    });
  });

  test('a repeated declaration keeps omitted values, and null removes a value', async () => {
    const userId = fresh();
    const operator = { name: 'Harbour Robotics', homepage: 'https://robots.example.com/', did: null };
    const declared = { name: 'New', description: 'Old', platformIsOperator: false };
    const first = await registerAgent({ userId, ...declared, name: 'Old', operator });
    const { body } = await registerAgent({ userId, name: 'New', operator: { homepage: null } });
    const changedAt = body.declarationChangedAt;
    expect(body).toEqual({
      userId,
      subjectType: 'AGENT',
      ...declared,
      operator: { ...operator, homepage: null },
      createdAt: first.body.createdAt,
      updatedAt: changedAt,
      declarationChangedAt: expect.stringMatching(/Z$/),
    });
    const read = (await readAgent(of(userId))).body;
    expect(read).toMatchObject({ ...body, deliveryRecord: { declarationChangedAt: changedAt } });
    for (const same of [{ userId }, { userId, ...declared }, { userId, name: ' \u200b', operator: {} }])
      expect((await registerAgent(same)).body).toEqual(body);
    const unnamed = await registerAgent({ userId, operator: { name: null } });
    expect([unnamed.status, unnamed.body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
  });

  test('each declaration is an entry of the activity log; an identical repeat is not', async () => {
    const userId = fresh();
    for (const more of [{}, { platformIsOperator: true }, ELSEWHERE, ELSEWHERE])
      await registerAgent({ userId, ...more });
    const trail = await trailOf(service, platform.live.key);
    const ofAgent = trail.filter(({ details }) => details?.userId === userId);
    const changes = {
      platformIsOperator: { from: true, to: false },
      'operator.name': { from: null, to: 'Harbour Robotics Ltd' },
    };
    const declared = { platformIsOperator: { from: null, to: true } };
    expect(ofAgent.map(({ action, details }) => [action, details])).toEqual([
      ['DECLARATION_CHANGED', { userId, declaration: 2, changes }],
      ['SUBJECT_DECLARED', { userId, declaration: 1, changes: declared }],
    ]);
  });

  test('the database refuses to change or delete a live declaration', async () => {
    const userId = fresh();
    await registerAgent({ userId });
    const ofIt = [subjectIdOf(platform.id, true, userId)];
    for (const change of ['update declaration_fact set is_own = false', 'delete from declaration_fact']) {
      const changed = service.db.execute(`${change} where subject_id = $1`, ofIt);
      await expect(changed).rejects.toThrow(/append-only/);
    }
  });

  test.each([
    [{}],
    [{ operator: null }],
    [{ operator: {} }],
    [{ operator: { name: ' \u200b\t' } }],
    [{ operator: { name: null, homepage: null, did: null } }],
    [{ operator: { homepage: 'https://robots.example.com', did: 'did:web:robots.example.com' } }],
  ])('a registration without the name of a third-party operator is refused: %j', async (more) => {
    const { status, body } = await registerAgent({ userId: fresh(), platformIsOperator: false, ...more });
    expect([status, body.code]).toEqual([400, 'OPERATOR_NOT_DECLARED']);
  });

  test.each<[path: string, more: object]>([
    ['userId', { userId: '..' }],
    ...[
      ...words`http://robots.example.com javascript:alert(1) https://user:pw@robots.example.com https://0x7f.1/
        https://[::ffff:10.0.0.1]/ https://localhost/ https://a.example.com\\@b.example.com`,
      '',
      `https://a.example.com/${'x'.repeat(2048)}`,
    ].map((homepage): [string, object] => ['operator.homepage', { operator: { homepage } }]),
    ...[...words`web:robots.example.com did:WEB:robots did:web: did:web:a%2`, 'did:web:a b'].map(
      (did): [string, object] => ['operator.did', { operator: { did } }],
    ),
  ])('a registration with an invalid %s is refused: %j', async (path, more) => {
    const { status, body } = await registerAgent({ userId: fresh(), ...more });
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });

  test.each([
    'did:web:robots.example.com%3A8443:fleet:7',
    'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    'did:example:a::b',
  ])('accepts the DID %s', async (did) => {
    expect((await registerAgent({ userId: fresh(), operator: { did } })).status).toBe(201);
  });

  test('is refused for a reserved id and for the id of a person or a business, which stay unchanged', async () => {
    const [person, firm] = [fresh(), fresh()];
    await post(person);
    await declarer.registerBusiness({ userId: firm, business: { legalName: 'Firm Ltd' } });
    for (const userId of [person, firm]) {
      const { status, body } = await registerAgent({ userId });
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      expect((await readAgent(of(userId))).body.code).toBe('NOT_FOUND');
    }
    expect((await post(person)).body.warnings).toEqual([]);
    expect((await readBusiness(of(firm))).status).toBe(200);
    expect((await registerAgent({ userId: 'test:7' })).body.code).toBe('RESERVED_EXTERNAL_ID');
    const inTest = { key: platform.test.key, body: { userId: 'test:7' } };
    expect((await service.request('POST', '/agents', inTest)).status).toBe(201);
  });
});
