import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { thinned } from '../../../src/features/records/report.js';
import { outcome, reportBatch } from '../intake/eventFixtures.js';
import { SHARING_ENV } from '../sharing/sharingFixtures.js';
import { type Alias, alias, ask, link, reportOf, scoreOf } from '../subjects/linkFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';

/** Fixed: the day does not change during a test. */
const NOON = new Date('2026-02-10T12:00:00.000Z');
const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const broken = { eventType: 'CONTRACT_BREACHED', isVerified: true };
const daysAgo = (days: number, event: object) => ({
  ...event,
  completedAt: new Date(NOON.getTime() - days * DAY_MS).toISOString(),
});
/** The part of the page in one language. */
const versionOf = (text: string, tag: string) =>
  text.split('<div class="version" lang="').find((part) => part.startsWith(`${tag}"`)) ?? '';
const english = (text: string) => versionOf(text, 'en');
const longDate = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

describe.each(breadth)('a reliability report on %s', (engine) => {
  let service: TestService;
  let count = 0;
  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { ...SHARING_ENV, VELOCITY_MAX_PER_HOUR: '90' },
      clock: { now: () => NOON },
    });
  });
  afterAll(() => service.close());

  const someone = async (...rounds: object[][]): Promise<Alias> => {
    const of = await alias(service, `reported-${++count}`, []);
    for (const round of rounds) {
      for (const event of round) await reportOf(service, of, event);
      await service.settle();
    }
    return of;
  };
  const reported = (of: Alias, query = '') => ask(service, of, 'GET', `/reliability-report${query}`);

  test('has the score, the evidence for it and its history', async () => {
    const of = await someone([fulfilled], [fulfilled, { eventType: 'REVIEW_VERIFIED' }], [broken]);
    const { status, body } = await reported(of);
    expect(status).toBe(200);
    const { generatedAt, history, course, factors, restsOn, ...rest } = body;
    const figures = await scoreOf(service, of);
    expect(rest).toMatchObject({ userId: of.userId, platformName: `Platform of ${of.userId}`, ...figures });
    expect(new Date(generatedAt).getTime()).toBeGreaterThanOrEqual(new Date(figures.computedAt).getTime());
    const points = factors.reduce(
      (sum: number, { contribution }: { contribution: number }) => sum + contribution,
      body.startingScore,
    );
    expect(points).toBeCloseTo(figures.finalScore, 8);
    expect(restsOn).toMatchObject({
      verifiedOutcomes: 3,
      verifiedByClass: { positive: 2, breach: 1, contested: 0 },
      totalOutcomes: 4,
      verificationDepth: 0.75,
      verifiedPlatforms: 1,
    });
    const all = (await ask(service, of, 'GET', '/score/history')).body.history;
    const drawn = ['finalScore', 'scoreBand', 'totalEvents', 'verifiedEvents', 'reason', 'computedAt'];
    const expected = all.map((entry: Record<string, unknown>) =>
      Object.fromEntries(drawn.map((name) => [name, entry[name]])),
    );
    expect(history).toEqual(expected);
    expect(history[0].finalScore).toBe(figures.finalScore);
    expect(body.historyThinned).toBe(false);
    const { finalScore, scoreBand, confidence } = figures;
    const day = figures.computedAt.slice(0, 10);
    expect(course).toEqual([{ day, finalScore, scoreBand, confidence, outcomes: 4 }]);
  });

  test('lists reasons in the order and words of the other reads', async () => {
    const of = await someone([fulfilled, fulfilled, broken]);
    const { body } = await reported(of);
    const explained = (await ask(service, of, 'GET', '/score/explain')).body;
    const trust = (await ask(service, of, 'GET', '/trust-summary')).body;
    expect(body.factors).toEqual(explained.factors);
    expect(body.summary).toBe(trust.summary);
    const codes = explained.reasonCodes.adverseActionReasons.map(({ code }: { code: string }) => ({ code }));
    expect(body.adverseActionReasons).toMatchObject(codes);
    expect(body.adverseActionReasons).toMatchObject(trust.risks);
    expect(body.supportingFactors).toMatchObject(trust.strengths);
    expect(body.disclosures).toEqual(explained.reasonCodes.disclosures);
  });

  test('has the same content as a printable page that runs and loads nothing', async () => {
    const of = await someone([daysAgo(3, fulfilled)], [daysAgo(1, fulfilled), broken]);
    const { body } = await reported(of, '?format=json');
    const { status, headers, text } = await reported(of, '?format=html');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+' 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    const { userId, finalScore, scoreBand, summary, disclosures } = body;
    const reasons = [...body.supportingFactors, ...body.adverseActionReasons];
    const shown = [userId, finalScore.toFixed(2), scoreBand, summary, ...disclosures];
    shown.push(...reasons.flatMap(({ title, text: words }) => [title, words]));
    for (const part of shown) expect(text).toContain(part);
    for (const { finalScore, scoreBand } of body.history) {
      expect(text).toContain(`<td>${finalScore.toFixed(2)} ${scoreBand}</td>`);
    }
    for (const { finalScore } of body.course) expect(text).toContain(`<td>${finalScore.toFixed(2)}</td>`);
    expect(text).toMatch(
      /<svg[^>]* role="img" aria-labelledby="(\S+) (\S+)">\s*<title id="\1">[^<]+<\/title>\s*<desc id="\2">From /,
    );
    expect(text).not.toMatch(/<script|<link|<img|style="|https?:\/\/(?!www\.w3\.org)/);
  });

  test('has every text in German too, in the same order and with the same figures', async () => {
    const of = await someone([daysAgo(3, fulfilled)], [daysAgo(1, fulfilled), broken]);
    const { body } = await reported(of, '?lang=de');
    const plain = (await reported(of)).body;
    const { text } = await reported(of, '?format=html');
    const german = versionOf(text, 'de');
    const inGerman = (value: number) => value.toFixed(2).replace('.', ',');
    expect(body.summary).toMatch(/^Die Bewertung ist [\d,]+ von 100, in der Stufe „/);
    expect(body.finalScore).toBe(plain.finalScore);
    expect(german).toContain(inGerman(body.finalScore));
    for (const name of ['supportingFactors', 'adverseActionReasons']) {
      expect(body[name]).toMatchObject(plain[name].map(({ code }: { code: string }) => ({ code })));
      for (const { title, text: words } of body[name]) {
        expect(german).toContain(title);
        expect(german).toContain(words);
      }
    }
    for (const { name, description } of body.factors) {
      const before = plain.factors.find((factor: { name: string }) => factor.name === name);
      expect(description).not.toBe(before.description);
      expect(german).toContain(description);
    }
    for (const sentence of [body.summary, ...body.disclosures]) expect(german).toContain(sentence);
    const withoutNames = german.replace(/<bdi>.*?<\/bdi>|\u2068.*?\u2069/g, '');
    expect(withoutNames).not.toMatch(/\b(the|score|results?|outcomes?|confirmed|of)\b(?![="-])/i);
  });

  test('opens in the language that the reader asks for or the browser prefers', async () => {
    const of = await someone([fulfilled]);
    const opened = async (query: string, accept?: string) => {
      const headers = { 'Accept-Language': accept ?? '' };
      const path = `/users/${of.userId}/reliability-report?format=html${query}`;
      const page = await service.request('GET', path, { key: of.platform.live.key, headers });
      return [page.headers.get('content-language'), /id="in-(\w+)" checked/.exec(page.text)?.[1]];
    };
    expect(await opened('')).toEqual(['en', 'en']);
    expect(await opened('', 'de-AT,en;q=0.5')).toEqual(['de', 'de']);
    expect(await opened('&lang=en', 'de')).toEqual(['en', 'en']);
    expect(await opened('&lang=de')).toEqual(['de', 'de']);
  });

  test('escapes the id of the subject', async () => {
    const of = await alias(service, `<script>alert(1)</script>"&'\u202e${++count}`, [fulfilled]);
    await service.settle();
    const { text } = await reported(of, '?format=html');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#39;');
    expect(text).not.toContain('<script');
  });

  test('with results of a single day says that there is no earlier one', async () => {
    const { text } = await reported(await someone([fulfilled]), '?format=html');
    expect(text).toMatch(/The score was [\d.]+ on \d+ \w+ \d{4}\. There is no earlier result\./);
  });

  test('of an import of ten years shows ten years and ends with the published score', async () => {
    const quarters = Array.from({ length: 40 }, (_, quarter) => daysAgo(1 + quarter * 91, fulfilled));
    const of = await someone(quarters);
    const { body } = await reported(of);
    expect(body.courseStep).toBe('month');
    expect(body.course.length).toBeGreaterThanOrEqual(117);
    expect(body.course.at(-1)).toMatchObject({ finalScore: body.finalScore, scoreBand: body.scoreBand });
    const course = (await ask(service, of, 'GET', '/score/course')).body;
    const trust = (await ask(service, of, 'GET', '/trust-summary')).body;
    expect(body.summary).toBe(trust.summary);
    expect(trust.trend).not.toBeNull();
    expect(body.course).toEqual(course.points);
    const { text } = await reported(of, '?format=html');
    const [first, last] = [body.course[0].day, body.course.at(-1).day].map(longDate);
    expect(text).toContain(`on ${first} to ${body.finalScore.toFixed(2)} on ${last}.`);
    const axis = [...english(text).matchAll(/<text class="moment start"[^>]*>([^<]+)</g)].map(
      ([, name]) => name,
    );
    expect(axis).toHaveLength(2);
    for (const name of axis) expect(name).toContain(body.course[0].day.slice(0, 4));
  });

  test('begins with the review if the score is frozen', async () => {
    const of = await someone([fulfilled]);
    const events = Array.from({ length: 95 }, () => outcome({ userId: of.userId, ...fulfilled }));
    await reportBatch(service, events, { key: of.platform.live.key });
    await service.settle();
    const { body } = await reported(of);
    expect(body.frozen).toBe(true);
    expect(body.adverseActionReasons[0].code).toBe('RECORD_UNDER_VELOCITY_REVIEW');
    expect((await reported(of, '?format=html')).text).toContain('The score is paused');
  });

  test('of a linked subject covers the whole record and names no other platform', async () => {
    const [own, other] = [await someone([fulfilled]), await someone([fulfilled])];
    await link(service, own, other);
    await service.settle();
    const { body, text } = await reported(own);
    expect(body.restsOn).toMatchObject({ totalOutcomes: 2, verifiedPlatforms: 2 });
    expect(body.history[0].reason).toBe('linked');
    expect(text).not.toContain(other.userId);
    expect((await reported(own, '?format=html')).text).toContain('Results of another platform were added');
  });

  test('is refused before the first score', async () => {
    const of = await someone([fulfilled]);
    const key = of.platform.live.key;
    await service.request('POST', '/agents', { key, body: { userId: 'unscored-agent' } });
    const unscored = await reported({ ...of, userId: 'unscored-agent' }, '?format=html');
    expect([unscored.status, unscored.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });
});

describe('a long list of published changes', () => {
  const at = (ms: number) => ({ computedAt: new Date(Date.UTC(2026, 0, 1) + ms) });
  const many = (count: number, msAt: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => at(msAt(index)));

  test('is reduced to the maximum and keeps its first and last change', () => {
    const points = many(2000, (index) => index * DAY_MS);
    const drawn = thinned(points, 60);
    expect(drawn).toHaveLength(60);
    expect([drawn[0], drawn.at(-1)]).toEqual([points[0], points.at(-1)]);
    expect(
      thinned(
        many(80, () => 0),
        60,
      ).length,
    ).toBeLessThanOrEqual(60);
  });

  test('keeps changes of quiet times and thins out a busy hour', () => {
    const quiet = many(3, (index) => index * 100 * DAY_MS);
    const busy = many(500, (index) => 300 * DAY_MS + index);
    const drawn = thinned([...quiet, ...busy], 60);
    expect(drawn.slice(0, 3)).toEqual(quiet);
    expect(drawn.at(-1)).toEqual(busy.at(-1));
    expect(drawn.length).toBeLessThanOrEqual(60);
  });

  test('of a few points is unchanged, as is an empty one', () => {
    for (const points of [many(2, () => 0), []]) expect(thinned(points, 60)).toEqual(points);
  });
});
