import { dayOf, score, type Tally } from '@reliability/scoring';
import { beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { answered, made } from '../features/attestation/confirmationFixtures.js';
import {
  ANSWER,
  answerReview,
  object,
  objected,
  recordToken,
} from '../features/attestation/reviewFixtures.js';
import { outcome, report, reportBatch } from '../features/intake/eventFixtures.js';
import { SHARING_BASE, SHARING_ENV } from '../features/sharing/sharingFixtures.js';
import { alias, link } from '../features/subjects/linkFixtures.js';
import { trailOf } from '../features/tenancy/trail.js';

const DONE = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const MAX_BYTES = 20_000;

describe.each(breadth)('the page of a record link on %s', (engine) => {
  const service = givenService(engine, { env: SHARING_ENV });
  let token: string;
  let breachId: string;

  const get = (path: string, headers: Record<string, string> = {}) =>
    service.request('GET', `!/record/${path}`, { key: null, headers: { Accept: 'text/html', ...headers } });
  const asData = async (path: string, headers = {}) =>
    (await get(path, { Accept: 'application/json', ...headers })).body;
  const send = (path: string, fields: Record<string, string>) =>
    service.request('POST', `!/record/${path}`, {
      key: null,
      body: String(new URLSearchParams(fields)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    });
  /** A subject with these events, and its token. */
  const someone = async (userId: string, events: readonly object[]) => {
    await reportBatch(
      service,
      events.map((event) => ({ userId, ...event })),
    );
    await service.settle();
    return recordToken(service, userId);
  };

  beforeAll(async () => {
    const confirmed = await made(service, {
      userId: 'ana',
      counterpartyRef: 'acct-99-internal',
      counterpartyName: 'Café Sol',
      description: 'Delivered on foot.',
      metadata: { note: 'pays late' },
    });
    await answered(service, confirmed, 'confirm');
    token = await someone('ana', [...Array(3).fill(DONE), { eventType: 'TRANSACTION_COMPLETED' }]);
    const breach = {
      userId: 'ana',
      eventType: 'CONTRACT_BREACHED',
      isVerified: true,
      metadata: { secret: 'x17y' },
    };
    breachId = (await report(service, breach)).body.eventId;
    await service.settle();
  });

  test('shows the score, how it adds up, what helps, and every result with who reported and confirmed it', async () => {
    const { status, text, headers } = await get(token);
    const read = (await service.request('GET', '/users/ana/score')).body;
    expect(status).toBe(200);
    const expected = [
      `<strong>${read.finalScore.toFixed(2)}</strong>`,
      'How the score adds up',
      'What lowers the score',
      'What would raise it most',
      'Confirmed by <bdi>Café Sol</bdi>.',
      'Nobody else has confirmed it.',
      '\u2068Default\u2069 reported each of them, unless it says otherwise.',
      'An agreement was broken: what was promised was not done.',
      'maxlength="2000"',
      `href="${token}/data.json"`,
      `href="${token}/data.csv"`,
      'Get a link to share',
    ];
    for (const part of expected) expect(text).toContain(part);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, noarchive',
      'content-language': 'en',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-\S+ 'sha256-\S+; base-uri/,
      ),
    });
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).not.toMatch(/<script|<link|<img|style="| on\w+=/);
  });

  test('names no counterparty beyond the name that the platform gave, and no private note', async () => {
    const texts = await Promise.all([get(token), get(token, { Accept: 'application/json' })]);
    for (const { text } of texts) {
      expect(text).toContain('Café Sol');
      for (const secret of ['acct-99-internal', 'Delivered on foot', 'pays late', 'x17y']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  test('is data if JSON is preferred, with the members of the contract', async () => {
    const body = await asData(token);
    expect(Object.keys(body)).toEqual([
      ...['platform', 'userId', 'score', 'course', 'factors', 'reasons', 'outcomes', 'suggestions'],
      ...['reviews', 'nextCursor'],
    ]);
    expect(body).toMatchObject({ platform: { id: service.platformId, name: 'Default' }, userId: 'ana' });
    expect(body.outcomes).toHaveLength(6);
    expect(body.outcomes[0]).toEqual({
      eventId: breachId,
      eventType: 'CONTRACT_BREACHED',
      at: expect.any(String),
      stakeLevel: 'MEDIUM',
      isVerified: true,
      reportedBy: 'Default',
      confirmedBy: null,
      disputeId: null,
      reviewId: null,
    });
    const { score: figures, factors } = body;
    const sum = factors.reduce(
      (total: number, { contribution }: { contribution: number }) => total + contribution,
      20,
    );
    expect(sum).toBeCloseTo(figures.finalScore, 8);
  });

  test('says what a result is worth: what the formula gives with it, less what it gives without it', async () => {
    const own = await someone('worth', [DONE, { eventType: 'CONTRACT_BREACHED', isVerified: true }]);
    const day = dayOf(new Date());
    const of = (eventType: Tally['eventType']): Tally => ({
      ...{ day, eventType, platformTier: 'STARTER', stakeLevel: 'MEDIUM' },
      ...{ isVerified: true, timeliness: 'untimed', count: 1 },
    });
    const [good, bad] = [of('CONTRACT_FULFILLED'), of('CONTRACT_BREACHED')];
    const finalOf = (...tallies: Tally[]) => score(tallies, day)?.finalScore ?? 20;
    const shown = [...(await get(own)).text.matchAll(/<b>([+−][\d.]+)<\/b>/g)].map(([, points]) =>
      Number(points?.replace('−', '-')),
    );
    expect(shown[0]).toBeCloseTo(finalOf(good, bad) - finalOf(good), 8);
    expect(shown[1]).toBeCloseTo(finalOf(good, bad) - finalOf(bad), 8);
  });

  test('lists each result once over its pages, whatever is reported meanwhile', async () => {
    const own = await someone('paged', Array(25).fill(DONE));
    const seen: string[] = [];
    let address: string | undefined = own;
    while (address !== undefined) {
      const { text } = await get(address);
      seen.push(...[...text.matchAll(/event=([0-9a-f-]{36})#object/g)].map(([, id]) => id ?? ''));
      const [, next] = /href="(\?lang=en&amp;page=[\w-]+)">Older/.exec(text) ?? [];
      address = next && own + next.replace('&amp;', '&');
      await report(service, outcome({ userId: 'paged' }));
    }
    // Four pages, behind each of which a result is reported.
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
    const first = await asData(`${own}?limit=20`);
    const second = await asData(`${own}?limit=20&cursor=${first.nextCursor}`);
    expect(first.outcomes).toHaveLength(20);
    expect(second.outcomes).toHaveLength(9);
    expect((await get(`${own}?cursor=e30`, { Accept: 'application/json' })).body.code).toBe('BAD_REQUEST');
    expect((await get(`${own}?page=e30`)).status).toBe(400);
  });

  test('is in the language of the link, of the browser, or of the choice', async () => {
    const { body } = await service.request('POST', '/users/ana/record-links', { body: { language: 'de' } });
    const german = body.url.split('/').at(-1);
    const languageOf = async (path: string, accepted: string) =>
      (await get(path, { 'Accept-Language': accepted })).headers.get('content-language');
    expect(await languageOf(german, 'en')).toBe('de');
    expect(await languageOf(`${german}?lang=en`, 'de')).toBe('en');
    expect(await languageOf(token, 'de-AT')).toBe('de');
    const page = await get(german);
    expect(page.text).toContain('Ihre Bewertung');
    expect(page.text).toContain('<button name="lang" value="en" lang="en">English</button>');
    expect((await asData(german)).reasons.adverseActionReasons[0].title).not.toMatch(
      /^[A-Z][a-z]+ completion/,
    );
  });

  test.each(['en', 'de'])(`is at most ${MAX_BYTES} bytes for a usual record (%s)`, async (language) => {
    const DAY_MS = 86_400_000;
    const events = Array.from({ length: 60 }, (_, index) => ({
      ...DONE,
      eventType: index % 9 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
      completedAt: new Date(Date.now() - (index * 5 + 1) * DAY_MS).toISOString(),
      dueDate: new Date(Date.now() - index * 5 * DAY_MS).toISOString(),
    }));
    const own = await someone(`usual-${language}`, events);
    const { eventId } = (await asData(own)).outcomes[0];
    await objected(service, own, { eventId });
    const { text } = await get(`${own}?lang=${language}`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('shows a dispute with its end, and a subject without a score', async () => {
    const { body } = await service.request('POST', '/disputes', { body: { eventId: breachId } });
    await service.settle();
    expect((await get(token)).text).toMatch(/In dispute until \d+ \w+ \d{4} at the latest\./);
    const [filed, breach] = (await asData(token)).outcomes;
    expect([filed.eventType, filed.reportedBy, filed.disputeId]).toEqual(['DISPUTE_FILED', null, body.id]);
    expect(breach.disputeId).toBe(body.id);
    await service.request('POST', '/agents', { body: { userId: 'blank' } });
    const blank = await recordToken(service, 'blank');
    expect((await get(blank)).text).toContain('Nothing has been recorded yet.');
    expect(await asData(blank)).toMatchObject({
      score: null,
      course: [],
      factors: [],
      outcomes: [],
      suggestions: [],
    });
  });

  test('shows linked records in one line, without their platform, ids or details', async () => {
    const [host, joining] = [
      await alias(service, 'host-7', [DONE]),
      await alias(service, 'joined-8', [DONE, DONE]),
    ];
    await service.settle();
    await link(service, joining, host);
    await service.settle();
    const own = await recordToken(service, 'host-7', host.platform.live.key);
    const [page, data] = [await get(own), await get(own, { Accept: 'application/json' })];
    expect(page.text).toMatch(
      /2 results at other platforms, since \d+ \w+ \d{4} <small>.*?<dd>\+[\d.]+ points<\/dd>/,
    );
    for (const text of [page.text, data.text]) {
      for (const secret of ['joined-8', joining.platform.id]) expect(text).not.toContain(secret);
    }
    expect(data.body.outcomes).toHaveLength(1);
  });

  describe('its forms', () => {
    test('send an objection, which the page shows until its answer, and with it', async () => {
      const own = await someone('forms', [DONE]);
      const { eventId } = (await asData(own)).outcomes[0];
      const form = await get(`${own}?event=${eventId}`);
      expect(form.text).toContain(`<input type="hidden" name="eventId" value="${eventId}">`);
      const sent = await send(`${own}/reviews?lang=de`, { eventId, text: 'Line one\r\nline two' });
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `../${own}?lang=de#reviews`]);
      const [review] = (await asData(own)).reviews;
      expect(review).toMatchObject({ eventId, text: 'Line one\nline two', status: 'OPEN' });
      const open = (await get(own)).text;
      expect(open).toContain('Default has to answer by'.replace('Default', '\u2068Default\u2069'));
      expect(open).toContain(`href="#r-${review.id}">Your objection</a>`);
      await answerReview(service, review.id);
      const answeredPage = (await get(own)).text;
      expect(answeredPage).toContain(`<bdi>${ANSWER.reviewer}</bdi> answered on`);
      expect(answeredPage).toContain(ANSWER.text);
      expect(answeredPage).not.toContain('Take it back');
    });

    test('keep the text of an objection that is refused', async () => {
      const own = await someone('twice', [DONE]);
      const { eventId } = (await asData(own)).outcomes[0];
      await send(`${own}/reviews`, { eventId, text: 'First.' });
      const again = await send(`${own}/reviews`, { eventId, text: 'Second <b>.' });
      expect(again.status).toBe(409);
      expect(again.text).toContain('role="alert"');
      expect(again.text).toContain('>Second &lt;b&gt;.</textarea>');
      const empty = await send(`${own}/reviews`, { text: '' });
      expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('1 to 2,000 characters')]);
    });

    test('take an objection back', async () => {
      const own = await someone('back', [DONE]);
      const { id } = await objected(service, own);
      const sent = await send(`${own}/reviews/${id}/withdraw?lang=en`, {});
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `../../../${own}?lang=en#reviews`]);
      expect((await get(own)).text).toContain('You took it back.');
      const other = await someone('not-back', [DONE]);
      expect((await send(`${other}/reviews/${id}/withdraw`, {})).status).toBe(404);
    });

    test('share the score as the platform can, say what that shows, and stop it', async () => {
      const own = await someone('shares', [DONE]);
      const started = await send(`${own}/share?lang=en`, { action: 'start' });
      expect([started.status, started.headers.get('location')]).toEqual([303, `../${own}?lang=en#share`]);
      const { text } = await get(own);
      const [url = ''] = /https:\/\/svc\.example\/verify\/st_[\w-]{32}/.exec(text) ?? [];
      expect(url.startsWith(SHARING_BASE)).toBe(true);
      const { body } = await service.request('POST', '/users/shares/share-token');
      expect(body.verifyUrl).toBe(url);
      const [entry] = await trailOf(service, service.liveKey, '&action=SHARE_TOKEN_MINTED');
      expect(entry).toMatchObject({ actor: 'subject', details: { userId: 'shares' } });
      expect(text).toContain('It shows no name, no platform and no single result.');
      await send(`${own}/share`, { action: 'stop' });
      expect((await service.request('GET', `/verify/${body.shareToken}`, { key: null })).status).toBe(404);
      expect((await get(own)).text).toContain('Get a link to share');
    });

    test('do not share test subjects', async () => {
      await report(service, outcome({ userId: 'unshared' }), { key: service.testKey });
      const own = await recordToken(service, 'unshared', service.testKey);
      expect((await get(own)).text).not.toContain('/share');
      expect((await send(`${own}/share`, { action: 'start' })).status).toBe(403);
    });
  });

  test('shows texts of others as texts, and names without their order marks', async () => {
    const evil = '<img src=x onerror=alert(1)>"\u202egnp.exe';
    const long = 'W'.repeat(200);
    const asked = await made(service, { userId: 'texts', counterpartyName: evil });
    await answered(service, asked, 'confirm');
    const key = (
      await service.request('POST', '/admin/platforms', { admin: true, body: { name: `A ${evil}` } })
    ).body.keys.live.key;
    const mine = await someone('texts', [DONE]);
    await report(service, outcome({ userId: evil }), { key });
    await report(service, outcome({ userId: long }), { key });
    const review = await objected(service, mine, {
      text: `</blockquote><script>x()</script>${evil}\n${long}`,
    });
    await answerReview(service, review.id, { outcome: 'PARTLY', text: evil, reviewer: '<b>\u202eEve' });
    for (const own of [mine, await recordToken(service, evil, key), await recordToken(service, long, key)]) {
      const { text } = await get(own);
      expect(text).not.toMatch(/<img|<script|<b>\u202e/);
      // Isolated by elements or marks: nothing around them is reordered.
      for (const { index } of text.matchAll(/\u202e/g)) {
        const before = text.slice(Math.max(0, index - 200), index);
        expect(before).toMatch(/<bdi>[^<]*$|dir="auto">[^<]*$/);
      }
    }
  });

  test('counts the requests of one link over all addresses', async () => {
    const own = await someone('flood', [DONE]);
    const statuses: number[] = [];
    for (let index = 0; index < 32; index += 1) {
      statuses.push((await object(service, own, { text: 'x', eventId: breachId })).status);
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    const last = await object(service, own, { text: 'x' });
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await get(own)).status).toBe(200);
    expect((await get(own, { 'Accept-Language': 'de' })).text).not.toContain('Bitte warten');
  });
});
