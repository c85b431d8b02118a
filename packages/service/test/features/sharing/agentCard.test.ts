import { canonicalJson } from '@reliability/proof';
import { flattenedVerify, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { fulfilled, reportAll } from '../insight/recordFixtures.js';

describe.each(breadth)('the card of an agent on %s', (engine) => {
  const service = givenSharedService(engine);
  const post = (path: string, body?: unknown) => service.request('POST', path, { body });
  const cardOf = (token: string) => service.request('GET', `!/agents/${token}/card.json`, { key: null });
  const shared = async (userId: string) =>
    (await post(`/users/${userId}/share-token`)).body.shareToken as string;

  test('is verified with the key of the issuer, and every change of it is noticed', async () => {
    await post('/agents', { userId: 'card-bot', name: 'Card bot' });
    await reportAll(service, 'card-bot', [fulfilled]);
    await settledLog(service.db);
    const token = await shared('card-bot');
    const { status, body, text } = await cardOf(token);
    const score = (await service.request('GET', '/users/card-bot/score')).body;
    expect([status, body]).toMatchObject([
      200,
      {
        subjectType: 'AGENT',
        finalScore: score.finalScore,
        scoreBand: score.scoreBand,
        confidence: score.confidence,
      },
    ]);
    expect(body.log.checkpoint).toContain('/log');
    expect(text).not.toContain('card-bot');
    const { signatures, ...card } = body;
    const [{ protected: header, signature }] = signatures;
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const did = (await service.request('GET', '!/.well-known/did.json', { key: null })).body;
    const { publicKeyJwk } = did.verificationMethod.find(({ id }: { id: string }) => id === kid);
    const key = await importJWK(publicKeyJwk, 'EdDSA');
    const verify = (signed: object) =>
      flattenedVerify(
        {
          protected: header,
          signature,
          payload: Buffer.from(canonicalJson(signed as never)).toString('base64url'),
        },
        key,
      );
    await verify(card);
    await expect(verify({ ...card, finalScore: 99 })).rejects.toThrow();
    expect((await cardOf(token)).text).toBe(text);
  });

  test('is gone with its token, and is unknown without a score', async () => {
    await reportAll(service, 'card-gone', [fulfilled]);
    const token = await shared('card-gone');
    expect((await cardOf(token)).status).toBe(200);
    await service.request('DELETE', '/users/card-gone/share-token');
    await post('/agents', { userId: 'card-new' });
    for (const unknown of [token, await shared('card-new'), `st_${'x'.repeat(32)}`, 'nothing'])
      expect((await cardOf(unknown)).body.code).toBe('NOT_FOUND');
  });
});
