import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { alias, ask } from '../subjects/linkFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { decoded, ISSUER_DID, SHARING_BASE, SHARING_ENV, verify } from './sharingFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const bad = { eventType: 'CONTRACT_BREACHED', isVerified: true };
const times = (count: number, event: object) => Array.from({ length: count }, () => event);

describe.each(breadth)('open badges on %s', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await joinTestService(engine, SHARING_ENV);
  });
  afterAll(() => service.close());

  const someone = async (events: readonly object[]) => {
    const of = await alias(service, `badged-${++count}`, events);
    await service.settle();
    return of;
  };

  test('are issued for the reached band, as Open Badges 3.0 describes them', async () => {
    const of = await someone(times(12, good));
    const { status, body } = await ask(service, of, 'POST', '/open-badges');
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['credential', 'expiresAt', 'shareToken', 'type', 'verifyUrl']);
    expect(body.type).toBe('OpenBadgeCredential');
    const { header, payload } = decoded(body.credential);
    expect(Object.keys(header).sort()).toEqual(['alg', 'jwk', 'kid', 'typ']);
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'JWT', kid: expect.stringContaining(ISSUER_DID) });
    expect(Object.keys(header.jwk)).toEqual(['kty', 'crv', 'x']);
    expect(openBadgeErrors(payload)).toBeNull();

    const score = (await ask(service, of, 'GET', '/score')).body;
    const { achievement, record, ...subject } = payload.credentialSubject;
    expect(achievement.id).toBe(`${SHARING_BASE}/achievements/${score.scoreBand.toLowerCase()}`);
    expect(record).toMatchObject({ finalScore: score.finalScore, scoreBand: score.scoreBand });
    expect(subject).toMatchObject({ id: body.verifyUrl, asOf: score.computedAt });
    const { id: jti, iat: nbf } = payload;
    expect(payload).toMatchObject({
      iss: ISSUER_DID,
      sub: body.verifyUrl,
      jti,
      nbf,
      issuer: { id: ISSUER_DID },
    });

    const path = `!${achievement.id.slice(SHARING_BASE.length)}`;
    const hosted = await service.request('GET', path, { key: null });
    expect(hosted.body).toEqual({ '@context': payload['@context'].slice(0, 2), ...achievement });
    expect((await verify(service, body.shareToken)).body.scoreBand).toBe(score.scoreBand);
  });

  test('are not issued for new or bad records', async () => {
    for (const events of [[{ ...good, isVerified: false }], times(6, bad)]) {
      const of = await someone(events);
      const { status, body } = await ask(service, of, 'POST', '/open-badges');
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      // A refusal mints nothing.
      expect(await trailOf(service, of.platform.live.key, '&action=SHARE_TOKEN_MINTED')).toEqual([]);
    }
  });

  describe('the achievements', () => {
    const read = (key: string, headers: Record<string, string> = {}) =>
      service.request('GET', `!/achievements/${key}`, { key: null, headers });

    test.each([
      ['excellent', 80],
      ['good', 65],
      ['fair', 50],
      ['building', 35],
    ])('are documents for programs and pages for people: %s', async (key, minimum) => {
      const json = await read(key);
      expect(json.status).toBe(200);
      expect(json.body).toMatchObject({ id: `${SHARING_BASE}/achievements/${key}`, type: ['Achievement'] });
      expect(json.body.criteria.narrative).toContain(` ${minimum} or more`);
      const page = await read(key, {
        Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      });
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).toContain(`<h1>${json.body.name}</h1>`);
      expect(page.text).not.toContain('<script');
      for (const { headers } of [json, page]) expect(headers.get('vary')).toContain('Accept');
      expect(page.headers.get('etag')).not.toBe(json.headers.get('etag'));
      expect((await read(key, { 'If-None-Match': json.headers.get('etag') ?? '' })).status).toBe(304);
    });

    test.each(['unproven', 'high-risk', 'Good', 'constructor', 'x'])(
      'an unknown achievement is not found: %s',
      async (key) => {
        expect((await read(key)).body.code).toBe('NOT_FOUND');
      },
    );
  });
});

/**
 * What the specification of Open Badges 3.0 requires of a credential and of its payload as a JWT.
 */
const uri = { type: 'string', format: 'uri' };
const text = { type: 'string' };
const isA = (type: string) => ({ type: 'array', contains: { const: type } });
const object = (required: string[], properties: object, more = {}) => {
  return { type: 'object', required, properties, ...more };
};
const achievement = object(['id', 'type', 'name', 'description', 'criteria'], {
  id: uri,
  type: isA('Achievement'),
  name: text,
  description: text,
  achievementType: { enum: ['Badge', 'Certification', 'Achievement', 'Competency'] },
  criteria: object([], { id: uri, narrative: text }, { minProperties: 1 }),
});
const openBadge = object(
  ['@context', 'id', 'type', 'issuer', 'validFrom', 'credentialSubject', 'iss', 'jti', 'sub', 'nbf'],
  {
    '@context': {
      type: 'array',
      prefixItems: [
        { const: 'https://www.w3.org/ns/credentials/v2' },
        { const: 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json' },
      ],
      minItems: 2,
      items: uri,
    },
    id: uri,
    type: { allOf: [isA('VerifiableCredential'), isA('OpenBadgeCredential')] },
    name: text,
    issuer: object(['id', 'type'], { id: uri, type: isA('Profile'), name: text, url: uri }),
    validFrom: { type: 'string', format: 'date-time' },
    validUntil: { type: 'string', format: 'date-time' },
    credentialSubject: object(
      ['type', 'achievement'],
      { id: uri, type: isA('AchievementSubject'), achievement },
      { anyOf: [{ required: ['id'] }, { required: ['identifier'] }] },
    ),
    credentialStatus: object(['id', 'type'], { id: uri, type: text }),
  },
  { not: { anyOf: [{ required: ['vc'] }, { required: ['proof'] }] } },
);

function openBadgeErrors(payload: unknown): string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.validate(openBadge, payload) ? null : ajv.errorsText();
}
