import { type Html, html } from '#kit/html.js';
import { colouredCode } from './colouredCode.js';

export interface CodeBlock {
  readonly language: string;
  readonly text: string | Html;
}

/** The languages of examples, by the names that code blocks have. */
const tabNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
};

const captions: Readonly<Record<string, string>> = {
  ...tabNames,
  sh: 'Shell',
  console: 'Terminal',
  csv: 'CSV',
  html: 'HTML',
  js: 'JavaScript',
  json: 'JSON',
  yaml: 'YAML',
};

export function isTabLanguage(language: string): boolean {
  return language in tabNames;
}

/** The same example in several languages. The script shows one at a time. */
export function codeTabs(blocks: readonly CodeBlock[]): Html {
  if (blocks.length < 2) return html`${blocks.map((block) => codeFigure(block))}`;
  return html`<div class="tabs">${blocks.map((block) => codeFigure(block, tabNames[block.language]))}</div>
`;
}

export function codeFigure({ language, text }: CodeBlock, caption = captions[language]): Html {
  const code = typeof text === 'string' ? colouredCode(text, language) : text;
  return html`<figure class="code" data-language="${language}"><figcaption><span>${caption}</span></figcaption><pre><code>${code}</code></pre></figure>
`;
}
