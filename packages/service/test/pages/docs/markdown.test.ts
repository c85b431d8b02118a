import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/pages/docs/markdown.js';

const links = {
  resolve: (target: string) => (target.startsWith('gone') ? undefined : `to/${target}`),
  ofCode: (code: string) => (code === 'POST /events' ? 'ref#post' : undefined),
};
const htmlOf = (text: string) => renderMarkdown(text, links).content.text;
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

describe('the Markdown of guides', () => {
  test('neighbouring examples in several languages become one set', () => {
    const html = htmlOf(
      `Before\n\n${fence('sh', 'curl')}\n${fence('ts', 'a < b')}\n${fence('go', 'x')}\n${fence('json', '{}')}\n\n${fence('sh', 'ls')}`,
    );
    expect(html.match(/class="tabs"/g)).toHaveLength(1);
    const [, set = ''] = /<div class="tabs">([\s\S]*?)<\/div>/.exec(html) ?? [];
    expect(set.match(/data-language="\w+"/g)).toEqual([
      'data-language="sh"',
      'data-language="ts"',
      'data-language="go"',
    ]);
    expect(set).toContain('a &lt; b');
    const twice = [fence('sh', '1'), fence('ts', '2'), fence('sh', '3'), fence('ts', '4')].join('\n');
    expect(htmlOf(twice).match(/class="tabs"/g)).toHaveLength(2);
  });

  test('HTML is shown as text', () => {
    const html = htmlOf('<script>alert(1)</script>\n\nA <img src=x onerror=alert(1)> b ![alt](x.png)');
    expect(html).not.toMatch(/<(script|img)/);
    expect(html).toContain('&lt;img src=x');
  });

  test('headings have the ids that GitHub gives them, each once', () => {
    const { sections } = renderMarkdown(
      "## What `x` isn't, and why\n\nText\n\n## A\n\n### A\n\n## Über",
      links,
    );
    expect(sections.map(({ id, level }) => `${level} ${id}`)).toEqual([
      '1 ',
      '2 what-x-isnt-and-why',
      '2 a',
      '3 a-1',
      '2 über',
    ]);
    expect(sections[1]?.text).toBe('Text');
  });

  test('links lead where the page says, and a link without a target is text', () => {
    expect(htmlOf('[a `b`](c.md#d)')).toContain('<a href="to/c.md#d">a <code>b</code></a>');
    expect(htmlOf('[a](gone.md)')).toBe('<p>a</p>\n');
  });

  test('code that names an operation leads to it, but not within a link or a heading', () => {
    expect(htmlOf('Use `POST /events`')).toContain('<a href="ref#post"><code>POST /events</code></a>');
    expect(htmlOf('[`POST /events`](x)')).not.toContain('ref#post');
    expect(htmlOf('## `POST /events`')).not.toContain('ref#post');
  });

  test('a cell of a table knows its column, for narrow screens', () => {
    expect(htmlOf('| A | B |\n|---|---|\n| 1 | `2` |')).toContain('<td data-label="B"><code>2</code></td>');
  });
});
