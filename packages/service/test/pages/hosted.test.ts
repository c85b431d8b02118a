import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import {
  askConfirmation,
  askReference,
  headingOf,
  LOCAL_TIMES,
  movableClock,
  type OpenRequest,
  open,
  post,
} from './hostedFixtures.js';

const kinds = [
  { kind: 'confirmation', ask: askConfirmation },
  { kind: 'reference', ask: askReference },
] as const;

describe.each(breadth)('the hosted pages on %s', (engine) => {
  const clock = movableClock();
  const logged: string[] = [];
  let service: TestService;
  beforeAll(async () => {
    const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
    service = await startTestService(engine, { clock, log, env: { BASE_URL: 'https://scores.test' } });
  });
  afterAll(() => service.close());

  const statusOf = async ({ api }: OpenRequest): Promise<string> => {
    const { body } = await service.request('GET', api);
    return body.status ?? body.confirmation?.status ?? body.reference?.status;
  };

  describe.each(kinds)('for a $kind', ({ kind, ask }) => {
    test('show who asks, the subject and the entry, with two answers', async () => {
      const asked = await ask(service);
      const page = await open(service, asked.page, { token: asked.token });
      expect(page.status).toBe(200);
      expect(headingOf(page)).toBe('Is this right?');
      const said =
        kind === 'confirmation'
          ? [
              'Kitchen fitted at 12 Mill Lane',
              'An agreement was kept',
              '4,800.5',
              '2 November 2026, 15:42 UTC',
            ]
          : [
              'Lead carpenter',
              'Mill Lane Joinery',
              '1 April 2021',
              '30 September 2024',
              'Ran a team of four.',
            ];
      for (const text of [
        ...said,
        'worker-',
        'Default',
        kind === 'confirmation' ? 'Rosa Okafor' : 'Ingrid Falk',
      ])
        expect(page.text).toContain(text);
      expect(page.text.match(/<button name="decision" value="(confirm|decline)">/g)).toHaveLength(2);
    });

    test('change nothing when they are opened, however often (mail scanners do)', async () => {
      const asked = await ask(service);
      for (let i = 0; i < 3; i += 1)
        await open(service, asked.page, { token: asked.token, decision: 'confirm' });
      await service.request('HEAD', `!${asked.page}?token=${asked.token}`, { key: null });
      expect(await statusOf(asked)).toBe('PENDING');
    });

    test.each([
      ['confirm', 'CONFIRMED', 'Thank you. It is confirmed.', '“Yes, this is right”'],
      ['decline', 'DECLINED', 'Thank you. Your no is noted.', '“No, this is not right”'],
    ])('accept a %s once and show it from then on', async (decision, status, thanks, answerText) => {
      const asked = await ask(service);
      const first = await post(service, asked.page, { token: asked.token, decision });
      expect([first.status, headingOf(first)]).toEqual([200, thanks]);
      expect(await statusOf(asked)).toBe(status);
      const other = decision === 'confirm' ? 'decline' : 'confirm';
      const second = await post(service, asked.page, { token: asked.token, decision: other });
      expect([second.status, headingOf(second)]).toEqual([409, 'This has already been answered.']);
      expect(second.text).toContain(answerText);
      const later = await open(service, asked.page, { token: asked.token });
      expect([later.status, headingOf(later)]).toEqual([200, 'This has already been answered.']);
      expect(await statusOf(asked)).toBe(status);
    });

    test('accept exactly one of fifty simultaneous answers', async () => {
      const asked = await ask(service);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const decision = i % 2 === 0 ? 'confirm' : 'decline';
          return untilServed(() => post(service, asked.page, { token: asked.token, decision }));
        }),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    });

    test('say that the time is over after the expiry', async () => {
      const asked = await ask(service, { expiresInHours: 1 });
      clock.moveHours(1.01);
      const page = await open(service, asked.page, { token: asked.token });
      expect([page.status, headingOf(page)]).toEqual([200, 'The time to answer is over.']);
      const late = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
      expect([late.status, headingOf(late)]).toEqual([409, 'The time to answer is over.']);
    });

    test('say that the question was withdrawn', async () => {
      const asked = await ask(service);
      await service.request('POST', `${asked.api}/cancel`);
      const page = await open(service, asked.page, { token: asked.token });
      expect([page.status, headingOf(page)]).toEqual([200, 'This question was withdrawn.']);
      const late = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
      expect([late.status, headingOf(late)]).toEqual([409, 'This question was withdrawn.']);
    });

    test('ask again if a form was sent without one of the two answers', async () => {
      const asked = await ask(service);
      const forms: [string, string][][] = [
        [],
        [['decision', '']],
        [['decision', 'maybe']],
        [
          ['decision', 'confirm'],
          ['decision', 'decline'],
        ],
      ];
      for (const fields of forms) {
        const page = await post(service, asked.page, [['token', asked.token], ...fields]);
        expect([page.status, headingOf(page)]).toEqual([400, 'Is this right?']);
        expect(page.text).toContain('Please choose one of the two answers.');
      }
      expect(await statusOf(asked)).toBe('PENDING');
    });

    test('answer the same to a wrong token, whether or not the request exists, in any state', async () => {
      const pending = await ask(service);
      const answered = await ask(service);
      await post(service, answered.page, { token: answered.token, decision: 'confirm' });
      const base = pending.page.replace(pending.id, '');
      const requests: [string, Record<string, string>][] = [
        [pending.page, {}],
        [pending.page, { token: '' }],
        [pending.page, { token: answered.token }],
        [pending.page, { token: `${pending.token} ` }],
        [answered.page, { token: pending.token }],
        [`${base}01890000-0000-7000-8000-000000000000`, { token: pending.token }],
        [`${base}nothing`, { token: pending.token }],
        [`${base}%27%22%3E%3Cscript%3E`, { token: pending.token }],
        [`${base}%00`, { token: '\0' }],
      ];
      const texts = new Set<string>();
      for (const [page, query] of requests) {
        const opened = await open(service, page, query);
        const posted = await post(service, page, {
          ...query,
          token: query.token?.replace('\0', '') ?? '',
          decision: 'confirm',
        });
        expect([opened.status, headingOf(opened), posted.status]).toEqual([
          401,
          'This link does not work.',
          401,
        ]);
        texts.add(opened.text).add(posted.text);
      }
      expect(texts.size).toBe(1);
      expect([...texts][0]).toContain('<button name="lang" value="de"');
      const twice = await service.request('GET', `!${pending.page}?token=${pending.token}&token=x`, {
        key: null,
      });
      expect(twice.status).toBe(401);
      expect(await statusOf(pending)).toBe('PENDING');
    });

    test('do not leak the token: no link, no address and no header contains it', async () => {
      const asked = await ask(service);
      const page = await open(service, asked.page, { token: asked.token });
      const thanks = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
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
      const link = 'rel="noreferrer"';
      expect((await open(service, asked.page, { token: asked.token })).text).not.toContain(link);
      const thanks = await post(service, asked.page, { token: asked.token, decision: 'decline' });
      const [, href, words] = /<a href="([^"]*)" rel="noreferrer">(.*?)<\/a>/.exec(thanks.text) ?? [];
      expect(words).toBe('Back to northwind.example');
      expect(href).toMatch(/^https:\/\/northwind\.example\/(orders\/A-1009\?from=mail|profile)$/);
    });

    test('accept no answers for a deactivated platform, and say so', async () => {
      const asked = await ask(service);
      const { id } = (await service.request('GET', '/platform')).body;
      const set = (isActive: boolean) =>
        service.request('PATCH', `/admin/platforms/${id}`, { admin: true, body: { isActive } });
      await set(false);
      const answers = [
        await open(service, asked.page, { token: asked.token }),
        await post(service, asked.page, { token: asked.token, decision: 'confirm' }),
      ];
      const wrong = await open(service, asked.page, { token: `${asked.token}x` });
      await set(true);
      for (const { status, text } of answers) {
        expect([status, text.includes('The sender of this link is closed.')]).toEqual([409, true]);
        expect(text).not.toContain('<form method="post"');
      }
      expect(wrong.text).toContain('This link does not work.');
      expect((await service.request('GET', asked.api)).body).toMatchObject({
        status: 'PENDING',
        answer: null,
      });
    });

    test('are not cached, not framed, and run no script but the one for local times', async () => {
      const asked = await ask(service);
      const answers = [
        await open(service, asked.page, { token: asked.token }),
        await open(service, asked.page),
        await post(service, asked.page, { token: asked.token, decision: 'confirm' }),
      ];
      for (const { headers, text } of answers) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(headers.get('content-language')).toBe('en');
        expect(headers.get('vary')).toBe('Accept-Language, accept-encoding');
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('set-cookie')).toBeNull();
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/=]+';( script-src 'self';)? base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
        );
        expect(text.replace(LOCAL_TIMES, '')).not.toContain('<script');
      }
    });

    test('are in German if the browser prefers it, and in either language by parameter', async () => {
      const asked = await ask(service);
      const german = await open(
        service,
        asked.page,
        { token: asked.token },
        { 'Accept-Language': 'de-AT,en;q=0.8' },
      );
      expect(german.headers.get('content-language')).toBe('de');
      expect(german.text).toContain('<html lang="de">');
      expect(headingOf(german)).toBe('Stimmt das?');
      expect(german.text).toContain(
        kind === 'confirmation' ? '2. November 2026, 15:42 UTC' : '1. April 2021',
      );
      expect(german.text).toContain('<button name="lang" value="en" lang="en">English</button>');
      const named = await open(
        service,
        asked.page,
        { token: asked.token, lang: 'en' },
        { 'Accept-Language': 'de' },
      );
      expect(headingOf(named)).toBe('Is this right?');
      const wrong = await open(service, asked.page, {}, { 'Accept-Language': 'de' });
      expect(headingOf(wrong)).toBe('Dieser Link funktioniert nicht.');
      const thanks = await post(service, asked.page, { token: asked.token, decision: 'confirm', lang: 'de' });
      expect(headingOf(thanks)).toBe('Danke. Es ist bestätigt.');
    });

    test('escape texts from outside, whatever they contain', async () => {
      const nasty = `</p><script>alert(1)</script>"'&<img src=x onerror=alert(1)>\u202e\u2069`;
      const claim = { kind: 'skill', title: nasty, organization: nasty, description: nasty };
      const asked = await ask(service, {
        userId: `worker-${nasty}`,
        counterpartyRef: nasty,
        counterpartyName: nasty,
        ...(kind === 'confirmation' ? { description: nasty } : { claim }),
      });
      for (const lang of ['en', 'de']) {
        const { text } = await open(service, asked.page, { token: asked.token, lang });
        expect(text.replace(LOCAL_TIMES, '')).not.toContain('<script');
        expect(text).not.toContain('<img');
        expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      }
      const { text } = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
      expect(text.replace(LOCAL_TIMES, '')).not.toContain('<script');
    });

    test('accept only a form', async () => {
      const asked = await ask(service);
      const body = { token: asked.token, decision: 'confirm' };
      const json = await service.request('POST', `!${asked.page}`, { key: null, body });
      const plain = await post(service, asked.page, body, { 'Content-Type': 'text/plain' });
      const large = await post(service, asked.page, { ...body, more: 'x'.repeat(1024 * 1024) });
      expect([json.status, plain.status, large.status]).toEqual([400, 400, 413]);
      expect(headingOf(json)).toBe('That could not be read.');
      const none = await service.request('POST', `!${asked.page}`, { key: null });
      expect([none.status, headingOf(none)]).toEqual([401, 'This link does not work.']);
      expect(await statusOf(asked)).toBe('PENDING');
    });

    test('may be framed only by the website that opened them, and report only to it', async () => {
      const asked = await ask(service);
      const frame = { embed: '1', origin: 'https://shop.example:8443' };
      const page = await open(service, asked.page, { token: asked.token, ...frame });
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("; script-src 'self';");
      expect(policy).toMatch(/; frame-ancestors https:\/\/shop\.example:8443$/);
      expect(page.text).toContain('<input type="hidden" name="origin" value="https://shop.example:8443">');
      expect(page.text).toContain('data-opener="https://shop.example:8443" data-result=""');
      const thanks = await post(service, asked.page, { token: asked.token, decision: 'decline', ...frame });
      expect(thanks.headers.get('content-security-policy')).toBe(policy);
      expect(thanks.text).toContain('data-result="declined"');
      expect(thanks.text).not.toContain('northwind.example');
    });

    test.each([
      ['http://shop.example'],
      ['https://shop.example/'],
      ['https://*.example'],
      ['*'],
      ['null'],
      ["https://shop.example 'self'"],
      ['https://shop.example; script-src *'],
      ['https://shop.example,https://b.example'],
      ['https://user@shop.example'],
      ['https://SHOP.example'],
      ['https://shop.example:443'],
      ['https://shop.example:99999'],
      ['http://localhost.evil.example'],
      ['javascript:alert(1)'],
      [''],
    ])('are not framed for the origin "%s"', async (origin) => {
      const asked = await ask(service);
      const page = await open(service, asked.page, { token: asked.token, embed: '1', origin });
      expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
      expect(page.text.replace(LOCAL_TIMES, '')).not.toContain('<script');
    });
  });

  test('say so if the request is a test', async () => {
    const live = await askConfirmation(service);
    const tried = await askConfirmation(service, { key: service.testKey });
    const note = 'This is a test. Nothing real is recorded.';
    expect((await open(service, live.page, { token: live.token })).text).not.toContain(note);
    expect((await open(service, tried.page, { token: tried.token })).text).toContain(note);
  });

  test('never let a text break out of its place', async () => {
    const tagsOf = async (description: string) => {
      const asked = await askConfirmation(service, { description });
      const page = await open(service, asked.page, { token: asked.token });
      return page.text.match(/<[a-z]+/g)?.length;
    };
    const usual = await tagsOf('Kitchen fitted.');
    const storable = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((text) => !text.includes('\0') && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(storable, async (text) => {
        expect(await tagsOf(text)).toBe(usual);
      }),
      { numRuns: 25 },
    );
  });

  test('leave no token in the log', () => {
    expect(logged.join('')).toContain('/confirm/:id');
    expect(logged.join('')).not.toMatch(/cft_|rft_/);
  });
});

test.each(breadth)('a page says on %s that there were too many requests', async (engine) => {
  const service = await startTestService(engine, { env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '2' } });
  try {
    const asked = await askConfirmation(service);
    for (let i = 0; i < 2; i += 1) await open(service, asked.page, { token: asked.token });
    const opened = await open(service, asked.page, { token: asked.token }, { 'Accept-Language': 'de' });
    const posted = await post(service, asked.page, { token: asked.token, decision: 'confirm' });
    expect([opened.status, headingOf(opened)]).toEqual([429, 'Bitte warten Sie eine Minute.']);
    expect([posted.status, headingOf(posted)]).toEqual([429, 'Please wait a minute.']);
    expect(Number(opened.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(opened.headers.get('content-security-policy')).toContain("style-src 'sha256-");
  } finally {
    await service.close();
  }
});
