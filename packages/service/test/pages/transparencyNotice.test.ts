import { FORMULA_VERSION, model } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { outcome, report, scopedKey } from '../features/intake/eventFixtures.js';
import { addedPlatform, trailOf } from '../features/tenancy/trail.js';
import { headingOf } from './hostedFixtures.js';

const env = {
  BASE_URL: 'https://scores.example/rated',
  REVIEW_WINDOW_HOURS: '240',
  RETENTION_TEXT_DAYS: '700',
};
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe.each(breadth)('the transparency notice of a platform on %s', (engine) => {
  const service = givenService(engine, { env });
  const get = (platform: string, headers = {}) =>
    service.request('GET', `!/how/${platform}`, { key: null, headers });
  const set = (key: string, body: object) => service.request('PATCH', '/platform', { key, body });

  test('has what the formula and the settings say, dated, with the version of the formula', async () => {
    const { id, live } = await addedPlatform(service, 'Courier Co');
    const patch = { admin: true, body: { trustTier: 'GROWTH' } };
    await service.request('PATCH', `/admin/platforms/${id}`, patch);
    await report(service, outcome({ stakeLevel: 'HIGH' }), { key: live.key });
    const answer = await get(id);
    const { status, text, headers } = answer;
    expect(status).toBe(200);
    expect(headingOf(answer)).toContain('Courier Co');
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    const expected = [
      `Scoring formula ${FORMULA_VERSION}`,
      today,
      ...Object.values(model.weights).map(percent),
      'is Growth',
      percent(model.tierMultipliers.GROWTH),
      ...Object.values(model.stakeWeights).map((weight) => `${weight} times`),
      `${model.halfLifeDays} days`,
      'within 10 days',
      'after 700 days',
      'api/v1/scoring/model',
    ];
    for (const part of expected) expect(text).toContain(part);
    expect(text.match(/not in its latest 1,000 results/g)).toHaveLength(2);
    expect(text).toContain('has not named a contact here');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src /);
    expect(text).not.toMatch(/<script|style="| on\w+=|<img/);
  });

  test('is in the language of the reader, and its parts are the same in both', async () => {
    const { id } = await addedPlatform(service, 'Courier Co');
    const english = await get(id);
    const german = await get(id, { 'Accept-Language': 'de-AT' });
    expect(german.headers.get('content-language')).toBe('de');
    expect(german.headers.get('vary')).toContain('Accept-Language');
    const countOf = (text: string, tag: string) => text.split(`<${tag}`).length;
    for (const tag of ['h2', 'li', 'dt']) expect(countOf(german.text, tag)).toBe(countOf(english.text, tag));
    expect(german.text).toContain('Wer sie erhält');
  });

  test('names whom to ask, as the platform set it, and only as text', async () => {
    const { id, live } = await addedPlatform(service, '<b>Courier & Co</b>');
    const contact = 'Ida <script>alert(1)</script>, ida@courier.example';
    const privacyUrl = 'https://courier.example/privacy?a=1&b="';
    const answer = await set(live.key, { contact, privacyUrl });
    expect(answer.body).toMatchObject({ contact, privacyUrl });
    const read = await service.request('GET', '/platform', { key: live.key });
    expect(read.body).toMatchObject({ contact, privacyUrl });
    const { text } = await get(id);
    expect(text).not.toMatch(/<script|<b>/);
    expect(text).toContain('Ida &lt;script&gt;');
    expect(text).toContain('href="https://courier.example/privacy?a=1&amp;b=&quot;"');
    const [entry] = await trailOf(service, live.key, '&action=PLATFORM_UPDATED');
    expect(entry).toMatchObject({ details: { contact: { from: null, to: contact } } });
    await set(live.key, { contact: null, privacyUrl: null });
    expect((await get(id)).text).toContain('has not named a contact here');
  });

  test.each([
    ['contact', ''],
    ['contact', 'a'.repeat(501)],
    ['contact', 'two\nlines'],
    ['privacyUrl', 'http://courier.example'],
    ['privacyUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'https://user:pass@courier.example'],
    ['privacyUrl', 'https://courier.example/a b'],
    ['privacyUrl', `https://courier.example/${'a'.repeat(2048)}`],
  ])('%s refuses %j', async (name, value) => {
    const { status, body } = await set(service.liveKey, { [name]: value });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', name]);
  });

  test('only a live key with the scope admin changes it', async () => {
    const scoped = await scopedKey(service, ['scores:*']);
    expect((await set(scoped, { contact: 'x' })).status).toBe(403);
    expect((await set(service.testKey, { contact: 'x' })).status).toBe(403);
  });

  test.each([UNKNOWN, 'no-id', '%3Cscript%3E', 'x'.repeat(255)])(
    '%s has the page of an unknown one',
    async (id) => {
      const { status, text, headers } = await get(id, { 'Accept-Language': 'de' });
      expect([status, headers.get('content-language')]).toEqual([404, 'de']);
      expect(text).toContain('Unter dieser Adresse steht kein Hinweis.');
      expect(text).not.toContain('script');
    },
  );
});
