import { describe, expect, test } from 'vitest';
import { html } from '../../src/kit/html.js';

describe('html', () => {
  test('escapes what comes from outside, in text and in attributes', () => {
    const evil = `<script>"&'`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>',
    );
  });

  test('takes pieces as they are and joins lists', () => {
    expect(html`<ul>${['a', 'b<'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>a</li><li>b&lt;</li></ul>',
    );
  });

  test('leaves nothing for what is absent, but keeps zero', () => {
    expect(html`${null}${undefined}${false}${0}`.text).toBe('0');
  });
});
