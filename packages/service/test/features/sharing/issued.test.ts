import { verifyCredential } from 'did-jwt-vc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { type Alias, ask, figuresOf } from '../subjects/linkFixtures.js';
import { business, ingested } from '../subjects/subjectFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import {
  decoded,
  ISSUER_DID,
  isRevoked,
  mint,
  resolverOf,
  SHARING_ENV,
  verify,
  withdraw,
} from './sharingFixtures.js';

const HOUR_S = 3600;

/** Issues a credential about the subject. */
type Issue = (service: TestService, of: Alias, query?: string) => Promise<TestAnswer>;

const posted =
  (path: string): Issue =>
  (service, of, query = '') =>
    ask(service, of, 'POST', `${path}?${query}`);
const shared =
  (end: string): Issue =>
  async (service, of, query = '') =>
    service.request('GET', `/verify/${await mint(service, of)}/${end}?${query}`, { key: null });
const forms = ['', 'format=vc1'];

const operations: [type: string, forms: string[], issue: Issue][] = [
  ['ServiceEarningsCredential', forms, posted('/earnings/credential')],
  ['ServiceProfessionalRecordCredential', forms, posted('/professional-record/credential')],
  ['ServiceDeliveryReceiptCredential', forms, shared('delivery-receipts')],
  ['ServiceBusinessRecordCredential', forms, shared('business-record')],
  ['OpenBadgeCredential', [''], posted('/open-badges')],
];

describe.each(breadth)('an operation that issues credentials, on %s', (engine) => {
  let service: TestService;
  let count = 0;
  const clock = { at: new Date(), now: () => clock.at };

  beforeAll(async () => {
    service = await startTestService(engine, { env: SHARING_ENV, clock });
  });
  afterAll(() => service.close());

  async function someone(): Promise<Alias> {
    const of = await business(service, `attested-${++count}`);
    await Promise.all([1, 2, 3, 4, 5].map((number) => ingested(service, of, `Customer ${number}`)));
    await service.settle();
    await settledLog(service.db); // from then on the credential has its place in the log
    return of;
  }

  test.each(operations)(
    '%s: verifies in another library in each form, names nobody, and is the same within its hour',
    async (type, queries, issue) => {
      const of = await someone();
      const score = await figuresOf(service, of);
      const { platform, userId } = of;
      for (const query of queries) {
        const { status, body } = await issue(service, of, query);
        expect([status < 300, body.type]).toEqual([true, type]);
        const policies = { format: query !== '' };
        const checked = await verifyCredential(body.credential, resolverOf(service), { policies });
        expect(checked.issuer).toBe(ISSUER_DID);
        const { payload } = decoded(body.credential);
        const attested = payload.vc ?? payload;
        expect(attested.type).toEqual(['VerifiableCredential', type]);
        expect(attested.credentialSubject).toMatchObject({
          id: body.verifyUrl,
          formulaVersion: '5.3',
          asOf: expect.stringMatching(/Z$/),
          record: expect.any(Object),
        });
        expect(payload.exp - payload.iat).toBe(24 * HOUR_S + HOUR_S);
        expect(Date.parse(body.expiresAt)).toBe(payload.exp * 1000);
        for (const secret of [userId, platform.id, subjectIdOf(platform.id, true, userId)]) {
          expect(JSON.stringify(payload)).not.toContain(secret);
        }
        expect((await issue(service, of, query)).body.credential).toBe(body.credential);
      }
      const { payload } = decoded((await issue(service, of, 'ttl=7776000')).body.credential);
      expect(payload.exp - payload.iat).toBe(7_776_000 + HOUR_S);
      await service.settle();
      expect(await figuresOf(service, of)).toEqual(score);
    },
  );

  test.each(operations)(
    '%s: mints a share token if there is none, uses it from then on, and is revoked with it',
    async (_, __, issue) => {
      const of = await someone();
      const [{ body }, again] = [await issue(service, of), await issue(service, of, 'ttl=60')];
      const token = await mint(service, of);
      expect(body.shareToken ?? body.token).toBe(token);
      expect(body.verifyUrl).toMatch(new RegExp(`/verify/${token}$`));
      const { key } = of.platform.live;
      expect(await trailOf(service, key, '&action=SHARE_TOKEN_MINTED')).toHaveLength(1);
      expect((await verify(service, token)).status).toBe(200);
      const issued: string[] = [body.credential, again.body.credential];
      for (const credential of issued) expect(await isRevoked(service, credential)).toBe(false);
      await withdraw(service, of);
      for (const credential of issued) expect(await isRevoked(service, credential)).toBe(true);
      const next = (await issue(service, of)).body.credential;
      expect([await isRevoked(service, next), await isRevoked(service, body.credential)]).toEqual([
        false,
        true,
      ]);
    },
  );
});
