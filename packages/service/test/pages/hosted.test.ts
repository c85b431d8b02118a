import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { TestAnswer } from '#harness/service.js';
import { HOUR_MS, movableClock } from '../features/tenancy/keyFixtures.js';
import {
  askConfirmation,
  askReference,
  headingOf,
  LOCAL_TIMES,
  type OpenRequest,
  open,
  post,
  statusOf,
} from './hostedFixtures.js';

const kinds = [
  {
    kind: 'confirmation',
    ask: askConfirmation,
    says: ['Rosa Okafor', 'Kitchen fitted at 12 Mill Lane', 'An agreement was kept', '4,800.5'],
    dates: ['2 November 2026, 15:42 UTC'],
    germanDate: '2. November 2026, 15:42 UTC',
  },
  {
    kind: 'reference',
    ask: askReference,
    says: ['Ingrid Falk', 'Lead carpenter', 'Mill Lane Joinery', 'Ran a team of four.'],
    dates: ['1 April 2021', '30 September 2024'],
    germanDate: '1. April 2021',
  },
] as const;

describe.each(breadth)('the hosted pages on %s', (engine) => {
  const clock = movableClock();
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const env = { BASE_URL: 'https://scores.test' };
  const service = givenService(engine, { clock, log, env });

  const opened = ({ page, token }: OpenRequest, query: Record<string, string> = {}, language = 'en') =>
    open(service, page, { token, ...query }, { 'Accept-Language': language });
  const answered = ({ page, token }: OpenRequest, decision: string, more: Record<string, string> = {}) =>
    post(service, page, { token, decision, ...more });
  const shownIn = (answer: TestAnswer) => [answer.status, headingOf(answer)];
  const scriptsIn = ({ text }: TestAnswer) => text.replace(LOCAL_TIMES, '').match(/<script/g) ?? [];

  describe.each(kinds)('for a $kind', ({ kind, ask, says, dates, germanDate }) => {
    test('show who asks, the subject and the entry, with two answers', async () => {
      const page = await opened(await ask(service));
      expect(shownIn(page)).toEqual([200, 'Is this right?']);
      for (const text of [...says, ...dates, 'worker-', 'Default']) expect(page.text).toContain(text);
      expect(page.text.match(/<button name="decision" value="(confirm|decline)">/g)).toHaveLength(2);
    });

    test('change nothing when they are opened, however often (mail scanners do)', async () => {
      const asked = await ask(service);
      for (let i = 0; i < 3; i += 1) await opened(asked, { decision: 'confirm' });
      await service.request('HEAD', `!${asked.page}?token=${asked.token}`, { key: null });
      expect(await statusOf(service, asked)).toBe('PENDING');
    });

    test.each([
      ['confirm', 'CONFIRMED', 'Thank you. It is confirmed.', '“Yes, this is right”'],
      ['decline', 'DECLINED', 'Thank you. Your no is noted.', '“No, this is not right”'],
    ])('accept a %s once and show it from then on', async (decision, status, thanks, answerText) => {
      const asked = await ask(service);
      expect(shownIn(await answered(asked, decision))).toEqual([200, thanks]);
      expect(await statusOf(service, asked)).toBe(status);
      const second = await answered(asked, decision === 'confirm' ? 'decline' : 'confirm');
      expect(shownIn(second)).toEqual([409, 'This has already been answered.']);
      expect(second.text).toContain(answerText);
      expect(shownIn(await opened(asked))).toEqual([200, 'This has already been answered.']);
      expect(await statusOf(service, asked)).toBe(status);
    });

    test('say that the time is over after the expiry, and that a question was withdrawn', async () => {
      const late = await ask(service, { expiresInHours: 1 });
      clock.aheadMs += 1.01 * HOUR_MS;
      const withdrawn = await ask(service);
      await service.request('POST', `${withdrawn.api}/cancel`);
      for (const [asked, heading] of [
        [late, 'The time to answer is over.'],
        [withdrawn, 'This question was withdrawn.'],
      ] as const) {
        expect(shownIn(await opened(asked))).toEqual([200, heading]);
        expect(shownIn(await answered(asked, 'confirm'))).toEqual([409, heading]);
      }
    });

    test('ask again if a form was sent without one of the two answers', async () => {
      const asked = await ask(service);
      for (const decisions of [[], [''], ['maybe'], ['confirm', 'decline']]) {
        const fields = decisions.map((decision): [string, string] => ['decision', decision]);
        const page = await post(service, asked.page, [['token', asked.token], ...fields]);
        expect(shownIn(page)).toEqual([400, 'Is this right?']);
        expect(page.text).toContain('Please choose one of the two answers.');
      }
      expect(await statusOf(service, asked)).toBe('PENDING');
    });

    test('answer the same to a wrong token, whether or not the request exists, in any state', async () => {
      const pending = await ask(service);
      const done = await ask(service);
      await answered(done, 'confirm');
      const base = pending.page.replace(pending.id, '');
      const requests: [string, Record<string, string>][] = [
        [pending.page, {}],
        [pending.page, { token: '' }],
        [pending.page, { token: done.token }],
        [pending.page, { token: `${pending.token} ` }],
        [done.page, { token: pending.token }],
        [`${base}01890000-0000-7000-8000-000000000000`, { token: pending.token }],
        [`${base}nothing`, { token: pending.token }],
        [`${base}%27%22%3E%3Cscript%3E`, { token: pending.token }],
        [`${base}%00`, { token: '\0' }],
      ];
      const texts = new Set<string>();
      for (const [page, query] of requests) {
        const shown = await open(service, page, query);
        const token = query.token?.replace('\0', '') ?? '';
        const posted = await post(service, page, { ...query, token, decision: 'confirm' });
        expect([...shownIn(shown), posted.status]).toEqual([401, 'This link does not work.', 401]);
        texts.add(shown.text).add(posted.text);
      }
      expect(texts.size).toBe(1);
      expect([...texts][0]).toContain('<button name="lang" value="de"');
      const twice = `!${pending.page}?token=${pending.token}&token=x`;
      expect((await service.request('GET', twice, { key: null })).status).toBe(401);
      expect(await statusOf(service, pending)).toBe('PENDING');
    });

    test('do not leak the token: no link, no address and no header contains it', async () => {
      const asked = await ask(service);
      const page = await opened(asked);
      const thanks = await answered(asked, 'confirm');
      const fields = page.text.match(/<input[^>]*>/g) ?? [];
      expect(fields.filter((field) => field.includes(asked.token))).toHaveLength(2);
      const rest = fields.reduce((text, field) => text.replace(field, ''), page.text);
      for (const text of [rest, thanks.text, JSON.stringify([...page.headers, ...thanks.headers])])
        expect(text).not.toContain(asked.token);
      const actions = [...page.text.matchAll(/action="([^"]*)"/g)].map((match) => match[1]);
      expect(actions).toEqual([asked.id, asked.id]);
    });

    test('link back to the platform after an answer, naming its host and adding nothing', async () => {
      const asked = await ask(service);
      expect((await opened(asked)).text).not.toContain('rel="noreferrer"');
      const { text } = await answered(asked, 'decline');
      const [, href, words] = /<a href="([^"]*)" rel="noreferrer">(.*?)<\/a>/.exec(text) ?? [];
      expect(words).toBe('Back to northwind.example');
      expect(href).toMatch(/^https:\/\/northwind\.example\/(orders\/A-1009\?from=mail|profile)$/);
    });

    test('accept no answers for a deactivated platform, and say so', async () => {
      const asked = await ask(service);
      const set = (isActive: boolean) =>
        service.request('PATCH', `/admin/platforms/${service.platformId}`, {
          admin: true,
          body: { isActive },
        });
      await set(false);
      const answers = [await opened(asked), await answered(asked, 'confirm')];
      const wrong = await opened({ ...asked, token: `${asked.token}x` });
      await set(true);
      for (const { status, text } of answers) {
        expect([status, text.includes('The sender of this link is closed.')]).toEqual([409, true]);
        expect(text).not.toContain('<form method="post"');
      }
      expect(wrong.text).toContain('This link does not work.');
      const { body } = await service.request('GET', asked.api);
      expect(body).toMatchObject({ status: 'PENDING', answer: null });
    });

    test('are not cached, not framed, and run no script but the one for local times', async () => {
      const asked = await ask(service);
      const wrong = { ...asked, token: '' };
      for (const answer of [await opened(asked), await opened(wrong), await answered(asked, 'confirm')]) {
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'content-type': 'text/html; charset=utf-8',
          'content-language': 'en',
          vary: 'Accept-Language, accept-encoding',
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; style-src 'sha256-[\w+/=]+';( script-src 'self';)? base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
          ),
        });
        for (const absent of ['access-control-allow-origin', 'set-cookie'])
          expect(answer.headers.get(absent), absent).toBeNull();
        expect(scriptsIn(answer)).toEqual([]);
      }
    });

    test('are in German if the browser prefers it, and in either language by parameter', async () => {
      const asked = await ask(service);
      const german = await opened(asked, {}, 'de-AT,en;q=0.8');
      expect(german.headers.get('content-language')).toBe('de');
      expect(headingOf(german)).toBe('Stimmt das?');
      const english = '<button name="lang" value="en" lang="en">English</button>';
      for (const text of ['<html lang="de">', germanDate, english]) expect(german.text).toContain(text);
      expect(headingOf(await opened(asked, { lang: 'en' }, 'de'))).toBe('Is this right?');
      const wrong = await opened({ ...asked, token: '' }, {}, 'de');
      expect(headingOf(wrong)).toBe('Dieser Link funktioniert nicht.');
      const thanks = await answered(asked, 'confirm', { lang: 'de' });
      expect(headingOf(thanks)).toBe('Danke. Es ist bestätigt.');
    });

    test('escape texts from outside, so that none breaks out of its place', async () => {
      const nasty = `</p><script>alert(1)</script>"'&<img src=x onerror=alert(1)>\u202e\u2069`;
      const askWith = (text: string) => {
        const claim = { kind: 'skill', title: text, organization: text, description: text };
        const told = kind === 'confirmation' ? { description: text } : { claim };
        return ask(service, {
          userId: `worker-${text}`,
          counterpartyRef: text,
          counterpartyName: text,
          ...told,
        });
      };
      const tagsIn = ({ text }: TestAnswer) => text.match(/<\/?[a-z]+/g);
      const [plain, asked] = [await askWith('plain'), await askWith(nasty)];
      for (const lang of ['en', 'de']) {
        const page = await opened(asked, { lang });
        expect(tagsIn(page)).toEqual(tagsIn(await opened(plain, { lang })));
        expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      }
      const thanks = await answered(asked, 'confirm');
      expect(tagsIn(thanks)).toEqual(tagsIn(await answered(plain, 'confirm')));
    });

    test('accept only a form', async () => {
      const asked = await ask(service);
      const body = { token: asked.token, decision: 'confirm' };
      const json = await service.request('POST', `!${asked.page}`, { key: null, body });
      const plain = await post(service, asked.page, body, { 'Content-Type': 'text/plain' });
      const large = await answered(asked, 'confirm', { more: 'x'.repeat(1024 * 1024) });
      expect([json.status, plain.status, large.status]).toEqual([400, 400, 413]);
      expect(headingOf(json)).toBe('That could not be read.');
      const none = await service.request('POST', `!${asked.page}`, { key: null });
      expect(shownIn(none)).toEqual([401, 'This link does not work.']);
      expect(await statusOf(service, asked)).toBe('PENDING');
    });

    test('may be framed only by the website that opened them, and report only to it', async () => {
      const asked = await ask(service);
      const frame = { embed: '1', origin: 'https://shop.example:8443' };
      const page = await opened(asked, frame);
      const policy = page.headers.get('content-security-policy');
      expect(policy).toMatch(/; script-src 'self';.*; frame-ancestors https:\/\/shop\.example:8443$/);
      expect(page.text).toContain('<input type="hidden" name="origin" value="https://shop.example:8443">');
      expect(page.text).toContain('data-opener="https://shop.example:8443" data-result=""');
      const thanks = await answered(asked, 'decline', frame);
      expect(thanks.headers.get('content-security-policy')).toBe(policy);
      expect(thanks.text).toContain('data-result="declined"');
      expect(thanks.text).not.toContain('northwind.example');
      const elsewhere = await opened(asked, { embed: '1', origin: 'https://*.example' });
      expect(elsewhere.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
      expect(scriptsIn(elsewhere)).toEqual([]);
    });
  });

  test('say so if the request is a test', async () => {
    const note = 'This is a test. Nothing real is recorded.';
    for (const [key, isTest] of [
      [service.liveKey, false],
      [service.testKey, true],
    ] as const)
      expect((await opened(await askConfirmation(service, { key }))).text.includes(note)).toBe(isTest);
  });

  test('leave no token in the log', () => {
    expect(logged.join('')).toContain('/confirm/:id');
    expect(logged.join('')).not.toMatch(/cft_|rft_/);
  });

  describe('with a limit of requests', () => {
    const limited = givenService(engine, { env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '2' } });

    test('say that there were too many', async () => {
      const { page, token } = await askConfirmation(limited);
      for (let i = 0; i < 2; i += 1) await open(limited, page, { token });
      const german = await open(limited, page, { token }, { 'Accept-Language': 'de' });
      const posted = await post(limited, page, { token, decision: 'confirm' });
      expect(shownIn(german)).toEqual([429, 'Bitte warten Sie eine Minute.']);
      expect(shownIn(posted)).toEqual([429, 'Please wait a minute.']);
      expect(Number(german.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(german.headers.get('content-security-policy')).toContain("style-src 'sha256-");
    });
  });
});
