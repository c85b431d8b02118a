import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Site, Visitor } from './site.js';

/**
 * An attack on the pages that people open by a link and without a key. Returns what got through, and
 * who sent the requests.
 */
export type PageAttack = (site: Site) => Promise<{ through: number; visitors: readonly Visitor[] }>;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** One after the other, as a script sends them. How many of the answers are a success. */
async function succeeded(requests: readonly (() => Promise<{ status: number }>)[]): Promise<number> {
  let count = 0;
  for (const request of requests) if ((await request()).status < 300) count += 1;
  return count;
}

const SCRIPT = `"><script>alert('x')</script>`;
const FORMULA = '=HYPERLINK("https://evil.example","Open")';

const guess = () => `rl_${randomBytes(32).toString('base64url')}`;
const ODD = ['', 'x', 'rl_', '%00', '..%2f..%2fadmin', "'%20or%20''='", 'rl_%25', 'a'.repeat(5000)];

export const pageAttacks: Readonly<Record<string, PageAttack>> = {
  'guessed links': async (site) => {
    const visitor = site.visitor();
    const tokens = [...many(100, guess), ...ODD];
    const through = await succeeded(
      tokens.map((token) => () => visitor.visit(`${site.url}/record/${token}`)),
    );
    return { through, visitors: [visitor] };
  },
  'a link with one character changed': async (site) => {
    const visitor = site.visitor();
    const { url } = await (await site.platform('Changed')).link('changed');
    const [token = ''] = url.split('/').slice(-1);
    const changed = many(
      token.length,
      (at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
    );
    const urls = [...changed, token.slice(0, -1), `${token}A`, token.toUpperCase()].map(
      (other) => url.slice(0, -token.length) + other,
    );
    return { through: await succeeded(urls.map((other) => () => visitor.visit(other))), visitors: [visitor] };
  },
  'links that ended, told from those that never were': async (site) => {
    const dead = await deadLinks(site);
    const visitors = dead.map(() => site.visitor());
    const pages = await Promise.all(dead.map((url, index) => (visitors[index] as Visitor).visit(url)));
    const known = pages.map(({ status, headers, text }) =>
      JSON.stringify([
        status,
        [...headers].filter(([name]) => !VARIES.test(name)),
        text.replace(/"requestId":"[\w-]*"/, ''),
      ]),
    );
    return { through: known.filter((page) => page !== known[0]).length, visitors };
  },
  'the same, by the time of the answer': async (site) => {
    const dead = await deadLinks(site);
    const times = dead.map((): number[] => []);
    const visitors: Visitor[] = [];
    for (let round = 0; round < 60; round += 1) {
      for (const [index, url] of dead.entries()) {
        const visitor = site.visitor();
        const startedMs = performance.now();
        await visitor.visit(url);
        times[index]?.push(performance.now() - startedMs);
        visitors.push(visitor);
      }
    }
    const medians = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0);
    const [unknown = 0] = medians;
    return { through: medians.filter((ms) => ms > 1.5 * unknown || 1.5 * ms < unknown).length, visitors };
  },
  'another person’s outcomes and reviews, through an own link': async (site) => {
    const [own, other] = [await site.platform('Own'), await site.platform('Other')];
    const visitor = site.visitor();
    const [mine, colleague, stranger] = [
      await own.link('mine'),
      await own.link('colleague'),
      await other.link('mine'),
    ];
    const review = await site.visitor().review(colleague.url, { text: 'Mine alone' });
    const through = await succeeded([
      ...[colleague.eventId, stranger.eventId].map(
        (eventId) => () => visitor.object(mine.url, { eventId, text: 'x' }),
      ),
      () => visitor.send(`${mine.url}/reviews/${review}/withdraw`, {}),
    ]);
    return { through, visitors: [visitor] };
  },
  'script in every text': async (site) => {
    const { pages, visitor } = await textsOf(site, SCRIPT);
    const shown = pages.filter(({ headers }) => headers.get('content-type')?.includes('html'));
    // In German, too, the page shows the texts: otherwise it proves nothing.
    if (shown.filter(({ text }) => text.includes('alert(')).length < 2)
      throw new Error('no page shows the texts');
    return {
      through: shown.filter(({ text }) => text.includes('<script>alert')).length,
      visitors: [visitor],
    };
  },
  'formulas in the file for spreadsheets': async (site) => {
    const { pages, visitor } = await textsOf(site, FORMULA);
    const files = pages.filter(({ headers }) => headers.get('content-type')?.includes('csv'));
    if (!files.some(({ text }) => text.includes('=HYPERLINK'))) throw new Error('no file has the texts');
    const through = files.filter(({ text }) => /(?:^|[,;\n])"?=HYPERLINK/.test(text)).length;
    return { through, visitors: [visitor] };
  },
  'objections that are too long, or none': async (site) => {
    const visitor = site.visitor();
    const { url } = await (await site.platform('Long')).link('long');
    const texts = ['', '   ', 'x'.repeat(2001), 'x'.repeat(100_000), null, {}];
    return {
      through: await succeeded(texts.map((text) => () => visitor.object(url, { text }))),
      visitors: [visitor],
    };
  },
  'a flood of objections': async (site) => {
    const { url } = await (await site.platform('Flood')).link('flood');
    const visitor = site.visitor();
    const through = await succeeded(
      many(100, (index) => () => visitor.object(url, { text: `Objection ${index}` })),
    );
    return { through, visitors: [visitor] };
  },
  'a flood of objections from many addresses': async (site) => {
    const { url } = await (await site.platform('Flood')).link('flood');
    const visitors = many(100, () => site.visitor());
    const through = await succeeded(
      visitors.map((visitor, index) => () => visitor.object(url, { text: `Objection ${index}` })),
    );
    return { through, visitors };
  },
};

/** Differ between two equal requests. */
const VARIES = /^(?:date|x-request-id|ratelimit|x-ratelimit)/i;

/** A link that never was, one that is none, one that was withdrawn, and one of an erased subject. */
async function deadLinks(site: Site): Promise<string[]> {
  const { call, link } = await site.platform('Ended');
  const [withdrawn, erased] = [await link('withdrawn'), await link('erased')];
  await call('DELETE', `/users/withdrawn/record-links/${withdrawn.recordLinkId}`, z.unknown());
  await call('POST', '/users/erased/erasure', z.unknown());
  return [`${site.url}/record/${guess()}`, `${site.url}/record/x`, withdrawn.url, erased.url];
}

/** Every page and file of people, after a text was written wherever somebody can write one. */
async function textsOf(site: Site, text: string) {
  const { id, call, link, report } = await site.platform(`Texts ${text}`);
  const { url, eventId } = await link('texts');
  await call('PATCH', '/users/texts', z.unknown(), { body: { displayName: text } });
  await call('PATCH', '/platform', z.unknown(), { body: { contact: text } });
  await report('texts', { metadata: { note: text }, isVerified: true });
  const asked = {
    userId: 'texts',
    eventType: 'CONTRACT_FULFILLED',
    counterpartyRef: text,
    counterpartyName: text,
  };
  const Asked = z.object({ confirmation: z.object({ id: z.uuid() }), confirmationToken: z.string() });
  const { confirmation, confirmationToken: token } = await call('POST', '/confirmations', Asked, {
    body: { ...asked, description: text },
  });
  await call('POST', `/confirmations/${confirmation.id}/respond`, z.unknown(), {
    body: { token, decision: 'confirm' },
  });
  const visitor = site.visitor();
  const review = await visitor.review(url, { eventId, text });
  const body = { outcome: 'UPHELD', text, reviewer: text };
  await call('POST', `/reviews/${review}/answer`, z.unknown(), { body });
  await visitor.object(url, { text });
  const pages = [];
  for (const place of [
    url,
    `${url}?lang=de`,
    `${url}/data.csv`,
    `${site.url}/how/${id}`,
    `${site.url}/how/${id}?lang=de`,
  ])
    pages.push(await visitor.visit(place, { headers: { accept: 'text/html, text/csv' } }));
  return { pages, visitor };
}
