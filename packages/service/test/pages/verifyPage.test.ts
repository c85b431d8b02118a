import { type ScoreBand, scoreBands } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { badge } from '../../src/pages/verify/badge.js';
import { bandColors, displayBands } from '../../src/pages/verify/bandColors.js';
import { mint, SHARING_BASE, SHARING_ENV, verify, withdraw } from '../features/sharing/sharingFixtures.js';
import { headingOf, LOCAL_TIMES } from './hostedFixtures.js';
import { addEvents, inBand, reportConfirmed, unscored } from './recordFixtures.js';

const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.each(breadth)('a share token on %s', (engine) => {
  const env = { ...SHARING_ENV, VELOCITY_MAX_PER_HOUR: '60' };
  const service = givenService(engine, { env, inFirstGroup: true });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    service.request(method, `!${path}`, { key: null, headers: { Accept: BROWSER, ...headers } });
  const pageOf = (token: string, headers = {}) => get(`/verify/${token}`, headers);
  const germanOf = (token: string) => pageOf(token, { 'Accept-Language': 'de' });
  const badgeOf = (token: string, query = '', headers = {}) => get(`/badge/${token}.svg${query}`, headers);
  const frozenOne = async () => {
    const { of, token } = await inBand(service, 'Fair');
    await addEvents(service, of, Array(61).fill(fulfilled));
    return token;
  };

  describe('has a page with', () => {
    test('the score, what it is based on, what it is not, and how to check it', async () => {
      const { of, token } = await inBand(service, 'Good');
      const page = await pageOf(token);
      const { body } = await verify(service, token);
      expect([page.status, headingOf(page)]).toEqual([200, 'How well were agreements kept?']);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const expected = [
        `<strong>${body.finalScore.toFixed(2)}</strong>`,
        'band-good">Good</span>',
        'Scores from 65 to below 80 are called “Good”.',
        'Calculated on ',
        'What the score is based on',
        'What the score is not',
        'not proof of income',
        'How to check it',
        `${SHARING_BASE}/verify/`,
        `href="../api/v1/verify/${token}"`,
        'href="../how"',
        'href="../.well-known/did.json"',
        'href="../api/v1/status-lists/1"',
        token,
      ];
      for (const part of expected) expect(page.text).toContain(part);
      const { platform, userId } = of;
      const secrets = [userId, platform.id, platform.live.id, subjectIdOf(platform.id, true, userId)];
      for (const secret of secrets) expect(page.text).not.toContain(secret);
    });

    test('the age of the record, and how many confirmations come from one party, which is not named', async () => {
      const { of, token } = await inBand(service, 'Unproven');
      await reportConfirmed(service, of, [...Array(18).fill('Client 12'), 'other', 'third']);
      const [english, german] = [await pageOf(token), await germanOf(token)];
      expect(english.text).toMatch(/<dt>On record since <small>since today<\/small><\/dt>/);
      expect(german.text).toMatch(/<dt>Aufgezeichnet seit <small>seit heute<\/small><\/dt>/);
      expect(english.text).toMatch(/18 of 21 confirmations come from one party<\/small><\/dt><dd>4<\/dd>/);
      expect(german.text).toContain('18 von 21 Bestätigungen kommen von einer Seite</small>');
      expect(english.text).not.toContain('Client 12');
      const { body, text } = await verify(service, token);
      expect(body.concentration).toMatchObject({
        verifiedOutcomes: 21,
        onPlatformWord: 1,
        distinctAttesters: 4,
        largestAttesterOutcomes: 18,
        largestAttesterIsPlatform: false,
        largestAttesterShare: 0.8571,
      });
      expect(text).not.toContain('lient');
    });

    test('the platform as a party of its own if it named nobody', async () => {
      const { token } = await inBand(service, 'Fair');
      expect((await pageOf(token)).text).toContain(
        '4 of 4 confirmations come from one party, the platform that reported them',
      );
    });

    test('no script but the one for local times, and nothing loaded from elsewhere', async () => {
      const { headers, text } = await pageOf((await inBand(service, 'Fair')).token);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[\w+/=]+' 'sha256-[\w+/=]+'; script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
        ),
        'x-robots-tag': 'noindex, noarchive',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).toContain('<meta name="robots" content="noindex">');
      expect(text.replace(LOCAL_TIMES, '')).not.toMatch(/<script|<link|<img|style="/);
    });

    test('a link preview that does not identify the subject', async () => {
      const { of, token } = await inBand(service, 'Good');
      const [english, german] = [await pageOf(token), await germanOf(token)];
      const preview = previewOf(english.text);
      expect(preview).toEqual({
        type: 'website',
        site_name: new URL(SHARING_BASE).host,
        title: expect.stringMatching(/^Good, [\d.]+: reliability record$/),
        description: expect.stringMatching(/\.$/),
        url: `${SHARING_BASE}/verify/${token}`,
        image: `${SHARING_BASE}/badge/${token}.svg`,
        'image:type': 'image/svg+xml',
        'image:alt': preview.title,
      });
      expect(previewOf(german.text)).toMatchObject({
        url: preview.url,
        title: expect.stringContaining('Gut'),
      });
      expect(JSON.stringify(preview)).not.toContain(of.userId);
      expect((await badgeOf(token)).headers.get('content-type')).toContain(preview['image:type']);
      await withdraw(service, of);
      expect(previewOf((await pageOf(token)).text)).toEqual({});
    });

    test('the language of the reader', async () => {
      const { token } = await inBand(service, 'Building');
      const german = await pageOf(token, { 'Accept-Language': 'de-AT, en;q=0.5' });
      expect(german.headers.get('content-language')).toBe('de');
      const parts = [
        'Im Aufbau',
        'in den Daten: „Building“',
        'Worauf die Bewertung beruht',
        ' UTC (Weltzeit)',
      ];
      for (const part of ['<html lang="de">', ...parts]) expect(german.text).toContain(part);
      const asked = await get(`/verify/${token}?lang=de`, { 'Accept-Language': 'en' });
      expect(asked.headers.get('content-language')).toBe('de');
      expect((await pageOf(token, { 'Accept-Language': 'fr' })).headers.get('content-language')).toBe('en');
    });

    test('HTML for people, and JSON for those who prefer it', async () => {
      const { token } = await inBand(service, 'Unproven');
      for (const [accept, type] of [
        ['', 'text/html'],
        ['*/*', 'text/html'],
        [BROWSER, 'text/html'],
        ['image/png', 'text/html'],
        ['application/json', 'application/json'],
        ['application/*', 'application/json'],
        ['application/json, text/html;q=0.9', 'application/json'],
        ['application/json;q=0.5, text/*;q=0.9', 'text/html'],
        ['text/html;q=0, */*', 'application/json'],
      ] as const) {
        const { status, headers } = await pageOf(token, { Accept: accept });
        expect([status, headers.get('content-type')], accept).toEqual([200, `${type}; charset=utf-8`]);
        expect(headers.get('vary')).toMatch(/^Accept, Accept-Language(, accept-encoding)?$/);
      }
    });

    test('for programs the answer of the public read', async () => {
      const { of } = await inBand(service, 'Fair');
      const token = await mint(service, of, { includeProfile: true });
      for (const query of ['', '?profile=1', '?profile=0']) {
        const asJson = await get(`/verify/${token}${query}`, { Accept: 'application/json' });
        const read = await verify(service, token, { query });
        expect([asJson.status, asJson.text]).toEqual([200, read.text]);
        expect(asJson.headers.get('etag')).toBe(read.headers.get('etag'));
      }
    });

    test('status 304 unless it has changed', async () => {
      const { of, token } = await inBand(service, 'Unproven');
      const first = await pageOf(token);
      const etag = first.headers.get('etag') ?? '';
      const cached = (headers = {}) => pageOf(token, { 'If-None-Match': etag, ...headers });
      const again = await cached();
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('vary')).toBe('Accept, Accept-Language');
      expect(first.headers.get('cache-control')).toBe('public, no-cache');
      expect((await cached({ 'Accept-Language': 'de' })).status).toBe(200);
      expect((await cached({ Accept: 'application/json' })).status).toBe(200);
      await addEvents(service, of, [fulfilled]);
      expect((await cached()).status).toBe(200);
      const head = await get(`/verify/${token}`, {}, 'HEAD');
      expect([head.status, head.text]).toEqual([200, '']);
    });

    test('since when the transparency log holds the score, and as which entry', async () => {
      const { token } = await inBand(service, 'Fair');
      const { log } = (await pageOf(token, { Accept: 'application/json' })).body;
      const { text } = await pageOf(token);
      expect(text).toMatch(
        /In the public log since <time datetime="[^"]+">\d{1,2} \w+ \d{4}, \d\d:\d\d UTC</,
      );
      expect(text).toContain(`entry ${log.leafIndex} of the public log`);
      expect((await germanOf(token)).text).toMatch(
        /Im öffentlichen Protokoll seit <time datetime="[^"]+">\d{1,2}\. /,
      );
    });

    test('the confirmed results if the subject agreed', async () => {
      const { of, token } = await inBand(service, 'Good');
      expect((await pageOf(token)).text).not.toContain('Agreements kept');
      await mint(service, of, { includeProfile: true });
      const { text } = await pageOf(token);
      expect(text).toMatch(/<dt>Agreements kept<\/dt><dd>10<\/dd>/);
      expect(text).toContain('agreed to it');
      await mint(service, of, { includeProfile: false });
      expect((await pageOf(token)).text).not.toContain('Agreements kept');
    });

    test('a note if there is no score yet', async () => {
      const { status, text } = await pageOf((await unscored(service)).token);
      expect(status).toBe(200);
      expect(text).toContain('No score yet');
      expect(text).not.toContain('What the score is based on');
    });

    test('and a badge with a note if the score is under review', async () => {
      const token = await frozenOne();
      expect((await pageOf(token)).text).toContain('The score is paused');
      expect((await badgeOf(token)).text).toMatch(/<text class="band"[^>]*>\w+, under review<\/text>/);
    });
  });

  describe('that is unknown or withdrawn has', () => {
    test.each(['st_', 'nothing', `st_${'a'.repeat(32)}`, 'x'.repeat(600), '%3Cscript%3E', 'st_a.svg'])(
      'the same page, badge and error (%s)',
      async (token) => {
        const page = await pageOf(token);
        expect([page.status, headingOf(page)]).toEqual([404, 'Nothing is shown here.']);
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(page.headers.get('vary')).toBe('Accept, Accept-Language, accept-encoding');
        expect(page.text).not.toContain('<script');
        const asJson = await pageOf(token, { Accept: 'application/json' });
        expect([asJson.status, asJson.body.code]).toEqual([404, 'NOT_FOUND']);
        expect(asJson.body.requestId).toBe(asJson.headers.get('x-request-id'));
        const image = await badgeOf(token);
        expect([image.status, image.body.code]).toEqual([404, 'NOT_FOUND']);
        expect(image.headers.get('cache-control')).toBe('no-store');
      },
    );

    test('the page in German', async () => {
      const page = await germanOf('st_nothing');
      expect([page.status, headingOf(page)]).toEqual([404, 'Hier wird nichts gezeigt.']);
      expect(page.text).toContain('<form method="get" action="?"');
      expect(page.text).toContain('<button name="lang" value="en"');
    });

    test('no page and no badge from the moment of its withdrawal, whatever copy is cached', async () => {
      const { of, token } = await inBand(service, 'Good');
      const etagOf = ({ headers }: TestAnswer) => ({ 'If-None-Match': headers.get('etag') ?? '' });
      const [page, image] = [etagOf(await pageOf(token)), etagOf(await badgeOf(token))];
      await withdraw(service, of);
      for (const answer of [
        await pageOf(token, page),
        await pageOf(token, { Accept: 'application/json' }),
        await badgeOf(token, '', image),
        await badgeOf(token, '?theme=dark'),
      ])
        expect(answer.status).toBe(404);
      expect((await badgeOf(await mint(service, of))).status).toBe(200);
    });
  });

  describe('has a badge with', () => {
    test.each(scoreBands)('the band %s', async (band: ScoreBand) => {
      const { token } = await inBand(service, band);
      const { status, headers, text } = await badgeOf(token);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/svg+xml',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=60, must-revalidate',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[\w+/=]+'$/),
      });
      const { body } = await verify(service, token);
      expect(body.scoreBand).toBe(band);
      expect(text).toContain(
        `<title id="title">Reliability: ${band}. Score ${body.finalScore.toFixed(2)} of 100, on record since ${body.registeredAt.slice(0, 10)}</title>`,
      );
      expect(text).toMatch(new RegExp(`<text class="band"[^>]*>${band}</text>`));
    });

    test('a note if there is no score yet', async () => {
      const { text } = await badgeOf((await unscored(service)).token);
      expect(text).toContain('<title id="title">Reliability: no score yet</title>');
    });

    test('a light or dark theme, or that of the viewer', async () => {
      const { token } = await inBand(service, 'Good');
      const [auto, light, dark] = await Promise.all(
        ['', '?theme=light', '?theme=dark'].map(async (query) => (await badgeOf(token, query)).text),
      );
      expect(auto).toContain('prefers-color-scheme:dark');
      for (const fixed of [light, dark]) expect(fixed).not.toContain('prefers-color-scheme');
      expect(light).toContain(bandColors.Good.light.ground);
      expect(dark).toContain(bandColors.Good.dark.ground);
      const other = await badgeOf(token, '?theme=sepia');
      expect([other.status, other.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    test('status 304 unless it has changed', async () => {
      const { of, token } = await inBand(service, 'Building');
      const etag = (await badgeOf(token)).headers.get('etag') ?? '';
      const again = await badgeOf(token, '', { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      await addEvents(service, of, [fulfilled, fulfilled, fulfilled]);
      expect((await badgeOf(token, '', { 'If-None-Match': etag })).status).toBe(200);
    });
  });
});

/** Open Graph properties of a page. */
function previewOf(text: string): Record<string, string> {
  const tags = text.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g);
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
}

describe('the colours of the bands', () => {
  const luminance = (color: string) => {
    const full = color.length === 4 ? color.replace(/[\da-f]/g, '$&$&') : color;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((start) => Number.parseInt(full.slice(start, start + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: string, other: string) => {
    const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (lighter + 0.05) / (darker + 0.05);
  };

  test.each(displayBands)('keep the text of %s readable, light and dark', (band) => {
    for (const theme of ['light', 'dark'] as const) {
      const { ground, ink } = bandColors[band][theme];
      expect(contrast(ground, ink), theme).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(['light', 'dark'] as const)('keep the label of a %s badge readable', (theme) => {
    const { svg } = badge(null, theme);
    const [, paper = ''] = /\.paper\{fill:(#\w+)/.exec(svg) ?? [];
    const [, label = ''] = /\.label,\.bar\{fill:(#\w+)/.exec(svg) ?? [];
    expect(contrast(paper, label)).toBeGreaterThanOrEqual(4.5);
  });
});
