import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';

/** The service is served below a path, so that absolute links would be found. */
const BASE = 'https://scores.example/rated';

describe('the documentation', () => {
  const service = givenService(mainEngine, { env: { BASE_URL: BASE } });
  let pages: ReadonlyMap<string, string>;
  const files = new Set<string>();
  const read = (path: string) => service.request('GET', `!/${path}`, { key: null });
  beforeAll(async () => {
    pages = await crawl();
  });

  /** Every page that can be reached from /docs by links, by its path. */
  async function crawl(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const open = ['docs'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (found.has(path) || files.has(path)) continue;
      const { status, headers, text } = await read(path);
      expect(status, path).toBe(200);
      if (!headers.get('content-type')?.startsWith('text/html')) {
        files.add(path);
        continue;
      }
      found.set(path, text);
      open.push(...linksOf(path, text).flatMap(({ path }) => (isOfDocs(path) ? [path] : [])));
    }
    return found;
  }

  test('every link leads to a page of the service, and every fragment to an element of it', async () => {
    const document = (await read('openapi.json')).body;
    const broken = [...pages].flatMap(([from, text]) =>
      linksOf(from, text)
        .filter(({ path, fragment }) => {
          const page = pages.get(path);
          if (page === undefined) return !files.has(path) && !isOperation(document, path);
          return fragment !== '' && !idsOf(page).includes(fragment);
        })
        .map(({ href }) => `${from}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('the reference has every operation once, on the page of its resource and in the index', async () => {
    const { paths } = (await read('openapi.json')).body;
    const methods = Object.values<Record<string, { operationId: string }>>(paths).flatMap(Object.values);
    const operations: string[] = methods.map(({ operationId }) => operationId);
    const onPages = [...pages]
      .filter(([path]) => path.startsWith('docs/reference/'))
      .flatMap(([, text]) => idsOf(text));
    const inIndex = idsOf(pages.get('docs/reference') ?? '');
    // An operation that is served under two addresses is described once.
    const missing = operations.filter((id) => !onPages.includes(id) && !/AtRoot$/.test(id));
    expect(missing).toEqual([]);
    expect(new Set(onPages).size).toBeGreaterThan(operations.length);
    expect(operations.filter((id) => onPages.includes(id) && !inIndex.includes(id))).toEqual([]);
  });

  test('no page contains a script or a style, and the policy allows none', async () => {
    for (const [path, text] of pages) {
      // Examples may speak of such things; no tag may.
      const tags = text.match(/<[^>]*>/g)?.join('') ?? '';
      expect(/<style|\sstyle=|="javascript:|\son\w+=/i.exec(tags)?.[0], path).toBeUndefined();
      expect(text.match(/<script[^>]*>[^<]/), path).toBeNull();
      const policy = (await read(path)).headers.get('content-security-policy');
      expect(policy, path).toMatch(
        /^default-src 'none'; (frame-src 'self'; )?script-src 'self'; style-src 'self'; /,
      );
    }
  });

  test('no page has an id twice', () => {
    for (const [path, text] of pages) {
      const ids = idsOf(text);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect(repeated, path).toEqual([]);
    }
  });

  test('every guide is in the menu, with a title and a summary', () => {
    const files = readdirSync(new URL('../../../../../docs/guide', import.meta.url));
    const slugs = files.map((name) => name.replace('.md', ''));
    expect(slugs.filter((slug) => !pages.has(`docs/${slug}`))).toEqual([]);
    const first = pages.get('docs') ?? '';
    for (const slug of slugs)
      expect(first).toMatch(new RegExp(`<dt><a href="docs/${slug}">[^<]+</a></dt><dd>[^<]+</dd>`));
  });

  test('the menu marks the open page, and only it', () => {
    for (const [path, text] of pages) {
      const marked = [...text.matchAll(/<a href="([^"]*)" aria-current="page">/g)];
      const paths = marked.map(([, href = '']) => pathOf(path, href));
      expect(paths, path).toEqual(path === 'docs' ? [] : [path]);
    }
  });

  test('every guide is also Markdown, whose links lead to Markdown, and /llms.txt lists it', async () => {
    const { headers, text } = await read('llms.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    const listed = [...text.matchAll(/^- \[.+\]\((\S+)\): .+$/gm)].map(([, address = '']) => address);
    expect(listed).toContain(`${BASE}/docs/quickstart.md`);
    for (const address of listed) {
      const path = pathOf('docs', address);
      const answer = await read(path);
      expect(answer.status, path).toBe(200);
      if (!path.endsWith('.md')) continue;
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(answer.text).toMatch(/^# .+\n\n> .+\n/);
      const prose = answer.text.replace(/^```[\s\S]*?^```/gm, '');
      const links = [...prose.matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link);
      const relative = links.filter((link) => !/^(https?|mailto):/.test(link));
      expect(relative, path).toEqual([]);
    }
  });

  test('every section of every page can be found, and leads to where it is', async () => {
    const found = new Set<string>();
    for (const { url } of (await read('docs/search.json')).body) {
      const [path, fragment] = url.split('#');
      if (fragment !== undefined) expect(idsOf(pages.get(path) ?? ''), url).toContain(fragment);
      found.add(path);
    }
    const unlisted = [...pages.keys()].filter((path) => !found.has(path));
    expect(unlisted).toEqual(['docs', 'docs/reference']);
  });

  test('the changelog is also an Atom feed with every entry, newest first', async () => {
    const { headers, text } = await read('docs/changelog.xml');
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const { entries } = (await service.request('GET', '/changelog', { key: null })).body;
    const ids = [...text.matchAll(/<entry>[\s\S]*?<id>(.+?)<\/id>/g)].map(([, id = '']) => id);
    expect(ids).toEqual(entries.map(({ id }: { id: string }) => `${BASE}/docs/changelog#${id}`));
    expect(text).toContain(
      `<link rel="self" type="application/atom+xml" href="${BASE}/docs/changelog.xml"/>`,
    );
    // No name of an entity that only HTML has, and no bare ampersand.
    expect(text).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
  });

  test('the first view weighs less than 60 kB', async () => {
    const answers = await Promise.all(['docs', 'docs/docs.css', 'docs/docs.js'].map((path) => read(path)));
    const sizes = answers.map(({ text }) => gzipSync(text).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`first view of /docs: ${total} bytes compressed (page, style, script: ${sizes.join(', ')})`);
    expect(total).toBeLessThan(60_000);
  });

  const unknown = ['docs/nothing', 'docs/', 'docs/reference/nothing', 'docs/a/b/c', 'docs/../package.json'];

  test('an unknown page is not found: JSON for programs', async () => {
    for (const path of unknown) {
      const { status, body, headers } = await read(path);
      expect([status, body.code], path).toEqual([404, 'NOT_FOUND']);
      if (path !== 'docs/../package.json') expect(headers.get('vary'), path).toContain('Accept');
    }
  });

  test('an unknown page is a page for people, whose links lead on, and nothing of its address is markup', async () => {
    const asked = (path: string) =>
      service.request('GET', `!/${path}`, { key: null, headers: { Accept: 'text/html,*/*;q=0.8' } });
    for (const path of [
      'docs/nothing',
      'docs/reference/nothing',
      'docs/a/b/c',
      'docs/webhook',
      'docs/%3Cimg%20src=x%3E%22',
    ]) {
      const { status, headers, text } = await asked(path);
      expect([status, headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).not.toContain('<img');
      const broken = linksOf(path, text).filter(
        (link) => !link.href.startsWith('#') && !pages.has(link.path) && !files.has(link.path),
      );
      expect(broken, path).toEqual([]);
      expect(text).toContain(`<a class="begin" href="/rated/docs">`);
      expect(text).toContain('<input id="search"');
    }
    expect((await asked('docs/webhook')).text).toContain('<li><a href="/rated/docs/webhooks">');
    expect((await asked('docs/reference/nothing')).text).toContain('<li><a href="/rated/docs/reference">');
  });

  test('examples name the address of this service, in pages and in Markdown, whatever a request calls it', async () => {
    const texts = new Map(pages);
    for (const path of pages.keys()) {
      const markdown = await read(`${path}.md`);
      if (markdown.status === 200) texts.set(`${path}.md`, markdown.text);
    }
    expect(texts.size).toBeGreaterThan(pages.size + 10);
    for (const [path, text] of texts) {
      expect(text.match(/localhost:3000/), path).toBeNull();
      expect(
        text.replaceAll(BASE, '').match(/https:\/\/(?:scores|reliability)\.example(?:\.com)?\//),
        path,
      ).toBeNull();
    }
    for (const path of ['docs/quickstart', 'docs/quickstart.md'])
      expect(texts.get(path), path).toContain(` RELIABILITY_URL=${BASE}\n`);
    const forged = {
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
      Host: 'evil.example',
    };
    for (const path of ['docs/quickstart', 'docs/nothing']) {
      const headers = { ...forged, Accept: 'text/html' };
      expect((await service.request('GET', `!/${path}`, { key: null, headers })).text).not.toContain('evil');
    }
  });
});

function linksOf(from: string, text: string) {
  return [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^(https?|mailto|data):/.test(href))
    .map((href) => ({
      href,
      path: pathOf(from, href),
      fragment: decodeURIComponent(new URL(href, BASE).hash.slice(1)),
    }));
}

/** The path of a link from the root of the service. */
function pathOf(from: string, href: string): string {
  const { pathname } = new URL(href, `${BASE}/${from}`);
  return pathname.startsWith('/rated/')
    ? pathname.slice('/rated/'.length)
    : `outside of the service: ${pathname}`;
}

function isOfDocs(path: string): boolean {
  return path === 'docs' || path.startsWith('docs/');
}

function isOperation(document: { paths: object }, path: string): boolean {
  return `/${path}` in document.paths;
}

function idsOf(text: string): string[] {
  return [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
}
