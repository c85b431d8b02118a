import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { partyKeyOf } from '#domain/sameParty.js';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { createOutcomeLoader } from '#ledger/profile/outcomeRecords.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { NOBODY_ERASED } from '../../ledger/deps.js';
import { type Alias, ask, link, reportOf } from '../subjects/linkFixtures.js';
import { ingested, registerAgent, registerBusiness } from '../subjects/subjectFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { csvOf, sendImport } from './importFixtures.js';

const NAMES = ['Acme', 'аcmе', '"Acme".', 'Bolt Ltd', 'Customer', 'CUSTOMER', 'Market 0', 'Market 1', 'self'];
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ way: fc.constant('event'), isVerified: fc.boolean(), isContested: fc.boolean() }),
  fc.record({ way: fc.constantFrom('ingest', 'import', 'confirm'), name }),
  fc.record({ way: fc.constant('declare'), isOwn: fc.option(fc.boolean(), { nil: undefined }), name }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const kinds = ['person', 'agent', 'business'] as const;
type Kind = (typeof kinds)[number];
const plan = fc.record({
  kind: fc.constantFrom(...kinds),
  isLinked: fc.boolean(),
  steps: fc.array(fc.tuple(fc.nat(1), step), { minLength: 1, maxLength: 14 }),
});

describe.each(engines)('score and record, on %s', (engine) => {
  let platforms: OwnPlatform[];
  let count = 0;

  const service = givenService(engine);
  beforeAll(async () => {
    platforms = [await addedPlatform(service, 'Market 0'), await addedPlatform(service, 'Market 1')];
  });

  function declare(kind: Kind, { platform, userId }: Alias, isOwn: boolean | undefined, by: string) {
    if (kind === 'agent') {
      return registerAgent(service, platform, { userId, platformIsOperator: isOwn, operator: { name: by } });
    }
    const body = { userId, platformIsController: isOwn, business: { legalName: by } };
    return kind === 'business' ? registerBusiness(service, platform, body) : null;
  }

  async function confirm({ platform, userId }: Alias, counterpartyRef: string): Promise<void> {
    const body = { userId, eventType: 'CONTRACT_FULFILLED', counterpartyRef, description: 'A job' };
    const asked = await service.request('POST', '/confirmations', { key: platform.live.key, body });
    if (asked.status !== 201) return expect(asked.body.code).toBe('CONFIRMATION_SELF');
    const { confirmation, confirmationToken: token } = asked.body;
    const answer = { key: null, body: { token, decision: 'confirm' } };
    const { status } = await service.request('POST', `/confirmations/${confirmation.id}/respond`, answer);
    expect(status).toBe(200);
  }

  async function take(kind: Kind, of: Alias, done: Step): Promise<void> {
    const name = 'name' in done ? done.name : '';
    const named = name === 'self' ? ` ${of.userId.toUpperCase()}.` : name;
    if ('isVerified' in done) {
      const eventType = done.isContested ? 'TRANSACTION_DISPUTED' : 'CONTRACT_FULFILLED';
      const metadata = { verifiedBy: 'nobody', counterpartyRef: 'nobody' };
      await reportOf(service, of, { eventType, isVerified: done.isVerified, metadata });
    } else if (done.way === 'declare')
      await declare(kind, of, 'isOwn' in done ? done.isOwn : undefined, named);
    else if (done.way === 'ingest') await ingested(service, of, named);
    else if (done.way === 'confirm') await confirm(of, named);
    else {
      const csv = csvOf([{ line: '1', worker: of.userId, approved: 'yes', client: named }]);
      await sendImport(service, csv, { key: of.platform.live.key });
    }
  }

  test('an outcome is confirmed in the record exactly when the score counts it as verified, for every way to report it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ kind, isLinked, steps }) => {
        count += 1;
        const aliases = platforms.map((platform, index) => ({ platform, userId: `of-${count}-${index}` }));
        for (const of of aliases) {
          await declare(kind, of, false, 'Acme');
          await reportOf(service, of, { eventType: 'CONTRACT_CANCELLED', isVerified: false });
        }
        const [first, second] = aliases as [Alias, Alias];
        if (isLinked) expect((await link(service, first, second)).status).toBe(201);
        for (const [which, done] of steps) await take(kind, which === 0 ? first : second, done);
        await service.settle();
        const load = createOutcomeLoader(service.db, NOBODY_ERASED);
        for (const of of aliases) {
          const subjectId = subjectIdOf(of.platform.id, true, of.userId);
          const score = (await ask(service, of, 'GET', '/score')).body;
          const record = (await load(subjectId))?.record.business;
          expect(record?.confirmedOutcomes).toBe(score.verifiedEvents);
          expect(record?.outcomesRecorded).toBe(score.totalEvents);
          const members = isLinked ? aliases : [of];
          const attesters = await service.db.query<{ attester: string }>(
            'select distinct attester from event_text where attester is not null and subject_id = any($1::uuid[])',
            [members.map(({ platform, userId }) => subjectIdOf(platform.id, true, userId))],
          );
          const keys = new Set(attesters.map(({ attester }) => partyKeyOf(attester)));
          expect(record?.distinctConfirmingCounterparties).toBe(keys.size);
          for (const never of ['nobody', `market${aliases.indexOf(of)}`])
            if (!isLinked) expect(keys.has(never)).toBe(false);
        }
      }),
      { numRuns: engine === 'pglite' ? 20 : 40, endOnFailure: true },
    );
    expect(await differencesIn(service.db)).toEqual([]);
  });
});
