import { describe, expect, test } from 'vitest';
import { html } from '#kit/html.js';

describe('html', () => {
  test('escapes values in text and in attributes', () => {
    const evil = `<script>"&'`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>',
    );
  });

  test('inserts html values unchanged and joins lists', () => {
    expect(html`<ul>${['a', 'b<'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>a</li><li>b&lt;</li></ul>',
    );
  });

  test('prints nothing for absent values, but prints zero', () => {
    expect(html`${null}${undefined}${false}${0}`.text).toBe('0');
  });
});
