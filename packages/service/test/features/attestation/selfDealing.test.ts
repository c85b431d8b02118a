import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { post } from '../../pages/hostedFixtures.js';
import { csvOf, MAPPING } from '../intake/importFixtures.js';
import { ask } from '../subjects/linkFixtures.js';
import {
  confirm,
  GOOD,
  ingested,
  readDeclared,
  registerAgent,
  registerBusiness,
} from '../subjects/subjectFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';

const OUTCOMES = 40;
const PLATFORM = 'Northwind Market';
const times = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: OUTCOMES }, (_, index) => make(index));

type Kind = 'agent' | 'business';

/** Names of insiders, in many spellings. */
const INSIDERS: Record<Kind, (userId: string) => string[]> = {
  agent: (userId) => [
    'Acme Ops',
    'mailto:Acme Ops.',
    '«Acme Ops»',
    'Αcme Οps',
    'Аcme Oрs',
    'ＡＣＭＥ\u00adＯＰＳ',
    'https://acme.example/',
    'www.acme.example',
    'did:web:acme.example#key-1',
    'Robot Seven',
    PLATFORM,
    'Nоrthwind market.',
    userId,
    ` ${userId.toUpperCase()}`,
  ],
  business: (userId) => [
    'Mill Lane Kitchens Ltd',
    '"Mill Lane Kitchens Ltd."',
    'Mill Lane',
    'Мill Lаnе',
    'mill-lane.example/kitchens',
    PLATFORM,
    userId,
  ],
};

describe.each(breadth)('a platform and a subject that it runs itself, on %s', (engine) => {
  let service: TestService;
  let platform: OwnPlatform;
  let count = 0;

  beforeAll(async () => {
    service = await startTestService(engine);
    platform = await addedPlatform(service, PLATFORM);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: object) =>
    service.request(method, path, { key: platform.live.key, body });
  const fresh = () => `own-${++count}`;
  const operator = { name: 'Acme Ops', homepage: 'https://acme.example', did: null };
  const business = {
    legalName: 'Mill Lane Kitchens Ltd',
    tradingName: 'Mill Lane',
    homepage: 'https://mill-lane.example',
  };
  async function declared(kind: Kind, isOwn: boolean): Promise<string> {
    const userId = fresh();
    const agent = { userId, name: 'Robot Seven', operator, platformIsOperator: isOwn };
    const answer =
      kind === 'agent'
        ? await registerAgent(service, platform, agent)
        : await registerBusiness(service, platform, { userId, business, platformIsController: isOwn });
    if (answer.status !== 201) throw new Error(answer.text);
    return userId;
  }
  const asking = (userId: string, counterpartyRef: string) => ({
    userId,
    eventType: 'CONTRACT_FULFILLED',
    counterpartyRef,
    description: 'A parcel, brought',
  });
  const respond = (path: string, token: string, decision = 'confirm') =>
    service.request('POST', `${path}/respond`, { key: null, body: { token, decision } });

  /** Each way to report forty verified outcomes, with a named party where the way has one. */
  const ways = {
    event: (userId: string) => Promise.all(times(() => call('POST', '/events', { userId, ...GOOD }))),
    batch: async (userId: string) => [
      await call('POST', '/events/batch', { events: times(() => ({ userId, ...GOOD })) }),
    ],
    ingest: async (userId: string, verifiedBy: string) => {
      const mapping = Object.fromEntries(
        ['userId', 'eventType', 'isVerified', 'verifiedBy'].map((name) => [name, { path: name }]),
      );
      const records = times(() => ({ userId, ...GOOD, verifiedBy }));
      return [await call('POST', '/ingest', { records, mapping })];
    },
    import: async (userId: string, client: string) => {
      const csv = csvOf(times((index) => ({ line: String(index), worker: userId, approved: 'yes', client })));
      return [await call('POST', '/imports', { csv, mapping: MAPPING })];
    },
  };
  const warnings = ([answer]: TestAnswer[]): number => {
    const { warningCount, results = [] } = answer?.body ?? {};
    if (warningCount !== undefined) return warningCount;
    const all: { code: string }[] = results.flatMap(({ warnings = [] }) => warnings);
    return all.filter(({ code }) => code === 'VERIFICATION_DOWNGRADED').length;
  };
  const scoreOf = async (userId: string) => {
    await service.settle();
    return (await ask(service, { platform, userId }, 'GET', '/score')).body;
  };
  const recordOf = async (userId: string, kind: Kind) => {
    const of = { platform, userId };
    if (kind === 'business') {
      const { body } = await readDeclared(service, of, 'businesses', '/record');
      return { all: body.outcomesRecorded, confirmed: body.confirmedOutcomes };
    }
    const { deliveryRecord } = (await readDeclared(service, of, 'agents')).body;
    return { all: deliveryRecord.deliveriesRecorded, confirmed: deliveryRecord.confirmedDeliveries };
  };
  const expectUnproven = async (userIds: readonly string[], kind: Kind) => {
    for (const userId of userIds) {
      const { scoreBand, totalEvents, verifiedEvents } = await scoreOf(userId);
      expect([userId, scoreBand, totalEvents, verifiedEvents]).toEqual([userId, 'Unproven', OUTCOMES, 0]);
      expect(await recordOf(userId, kind)).toEqual({ all: OUTCOMES, confirmed: 0 });
    }
  };

  const picksOf = (kind: Kind) => [...INSIDERS[kind]('').keys()];
  /** Reports about a new subject with the name of an insider, or of a customer; each outcome is reduced. */
  async function reduced(kind: Kind, isOwn: boolean, pick: number, way = pick % 2 ? 'import' : 'ingest') {
    const userId = await declared(kind, isOwn);
    const name = INSIDERS[kind](userId)[pick] ?? 'Customer 7';
    expect([name, warnings(await ways[way as 'ingest' | 'import'](userId, name))]).toEqual([name, OUTCOMES]);
    return userId;
  }

  test.each(['agent', 'business'] as const)(
    'only a counterparty’s answer lifts an own %s above Unproven',
    async (kind) => {
      const reported: string[] = [];
      for (const way of ['event', 'batch'] as const) {
        const userId = await declared(kind, true);
        await ways[way](userId);
        reported.push(userId);
      }
      for (const way of ['ingest', 'import'])
        reported.push(await reduced(kind, true, Number.POSITIVE_INFINITY, way));
      for (const pick of picksOf(kind)) reported.push(await reduced(kind, true, pick));
      await expectUnproven(reported, kind);
    },
  );

  test.each(['agent', 'business'] as const)(
    'insiders verify nothing about an %s that another party runs, and others do',
    async (kind) => {
      const reported: string[] = [];
      for (const pick of picksOf(kind)) reported.push(await reduced(kind, false, pick));
      await expectUnproven(reported, kind);
      const userId = await declared(kind, false);
      expect(warnings(await ways.ingest(userId, 'Customer 7'))).toBe(0);
      expect((await scoreOf(userId)).verifiedEvents).toBe(OUTCOMES);
      expect(await recordOf(userId, kind)).toEqual({ all: OUTCOMES, confirmed: OUTCOMES });
    },
  );

  test.each(['agent', 'business'] as const)(
    'an insider is never asked to confirm an %s, alone, in a batch or in a campaign',
    async (kind) => {
      for (const isOwn of [true, false]) {
        const userId = await declared(kind, isOwn);
        const asked = INSIDERS[kind](userId).map((name) => asking(userId, name));
        for (const body of asked) {
          const { status, body: refusal } = await call('POST', '/confirmations', body);
          const name = body.counterpartyRef;
          expect([name, status, refusal.code]).toEqual([name, 400, 'CONFIRMATION_SELF']);
        }
        const good = { ...asked[0], counterpartyRef: 'Customer 7' };
        const batch = await call('POST', '/confirmations/batch', { confirmations: [...asked, good] });
        expect(batch.body).toMatchObject({ createdCount: 1, failedCount: asked.length });
        const rows = [...asked, good].map((body, index) => ({ ...body, rowKey: String(index) }));
        const sent = (name: string, of: object[]) =>
          call('POST', '/activation/campaigns', { name, rows: of });
        const { status, body } = await sent(`of ${userId}`, rows);
        const codes = body.results.map(({ error }: { error?: { code: string } }) => error?.code);
        expect([status, codes]).toEqual([201, [...asked.map(() => 'CONFIRMATION_SELF'), undefined]]);
        const none = await sent(`none of ${userId}`, rows.slice(0, -1));
        expect(none.body.code).toBe('ACTIVATION_NO_VALID_ROWS');
      }
    },
  );

  test('what a counterparty confirms counts, also about an own subject', async () => {
    const userId = await declared('agent', true);
    for (let index = 0; index < 12; index += 1)
      await confirm(service, { platform, userId }, `Customer ${index}`);
    const score = await scoreOf(userId);
    expect(score.scoreBand).not.toBe('Unproven');
    expect([score.verifiedEvents, await recordOf(userId, 'agent')]).toEqual([12, { all: 12, confirmed: 12 }]);
  });

  test('about a person neither the platform nor the person is another party', async () => {
    const userId = fresh();
    const aboutPerson = async (path: string, body: object) =>
      (await ask(service, { platform, userId }, 'POST', path, { body })).body;
    const claim = { kind: 'skill', title: 'Welding' };
    const skill = { eventType: 'SKILL_VERIFIED', title: 'Welding', isVerified: true };
    const downgraded = [{ code: 'VERIFICATION_DOWNGRADED' }];
    for (const name of [PLATFORM, '"Northwind Market".', userId, `mailto:${userId}`]) {
      const { body } = await ingested(service, { platform, userId }, name);
      expect(body.results[0].warnings).toMatchObject(downgraded);
      const confirmation = await call('POST', '/confirmations', asking(userId, name));
      expect(confirmation.body.code).toBe('CONFIRMATION_SELF');
      const reference = await call('POST', '/references', { userId, claim, counterpartyRef: name });
      expect(reference.body.code).toBe('REFERENCE_SELF');
      const recorded = await aboutPerson('/qualifications', { ...skill, verifiedBy: name });
      expect(recorded).toMatchObject({ isVerified: false, warnings: downgraded });
      const document = { title: 'Receipt', eventType: 'CONTRACT_FULFILLED', isVerified: true };
      const claims = [{ ...document, counterpartyRef: name }];
      const advice = await aboutPerson('/documents/analyze', { claims });
      expect(advice.claims[0].verifiedAsSubmitted).toBe(false);
    }
  });

  test('a counterparty that is declared to run the subject cannot answer, by the API or on the page', async () => {
    const userId = await declared('agent', false);
    const asked = asking(userId, 'Harbour Ltd');
    const { confirmation, confirmationToken: token } = (await call('POST', '/confirmations', asked)).body;
    const claim = { kind: 'skill', title: 'Welding' };
    const { reference, referenceToken } = (await call('POST', '/references', { ...asked, claim })).body;
    await registerAgent(service, platform, { userId, operator: { name: 'HARBOUR ltd.' } });
    const path = `/confirmations/${confirmation.id}`;
    const answer = await respond(path, token);
    expect([answer.status, answer.body.code]).toEqual([400, 'CONFIRMATION_SELF']);
    const page = await post(service, `/confirm/${confirmation.id}`, { token, decision: 'confirm' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Someone else has to answer')]);
    const answered = await respond(`/references/${reference.id}`, referenceToken);
    expect([answered.status, answered.body.code]).toEqual([400, 'REFERENCE_SELF']);
    expect((await call('GET', path)).body.status).toBe('PENDING');
    expect((await respond(path, token, 'decline')).body).toEqual({ status: 'DECLINED' });
  });

  test('an answer at the instant of the declaration counts or is refused, and the ledger audits clean', async () => {
    for (let round = 0; round < 8; round += 1) {
      const userId = fresh();
      const asked = asking(userId, 'Harbour Ltd');
      const { confirmation, confirmationToken: token } = (await call('POST', '/confirmations', asked)).body;
      const [answered, registered, imported] = await Promise.all([
        respond(`/confirmations/${confirmation.id}`, token),
        registerAgent(service, platform, {
          userId,
          platformIsOperator: false,
          operator: { name: 'Harbour Ltd' },
        }),
        ways.import(userId, 'Harbour Ltd'),
      ]);
      expect([200, 400]).toContain(answered.status);
      expect([201, 409]).toContain(registered.status);
      expect(imported[0]?.body.createdCount).toBe(OUTCOMES);
    }
    await service.settle();
    expect(await differencesIn(service.db)).toEqual([]);
  });

  test('a former operator can confirm as soon as another one is declared', async () => {
    const userId = await declared('agent', true);
    // The first makes the process cache declarations of this platform, the second that of this subject.
    for (const _ of [1, 2]) await call('POST', '/events', { userId, ...GOOD });
    const next = { userId, operator: { name: 'Bolt Ltd', homepage: null, did: null } };
    expect((await registerAgent(service, platform, next)).status).toBe(201);
    await confirm(service, { platform, userId }, 'Acme Ops');
    expect((await scoreOf(userId)).verifiedEvents).toBe(1);
  });
});
