import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language, root } from './languages.js';

const FOLDER = join(root, 'docs/guide');

export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  /** Without the front matter. */
  readonly text: string;
  readonly examples: readonly Example[];
  /** Blocks whose name is in their first comment, or ends the paragraph before them. */
  readonly files: readonly { name: string; text: string }[];
}

/** Neighbouring code blocks that do the same in several languages. */
export interface Example {
  readonly programs: ReadonlyMap<Language, string>;
  /** The JSON block right behind them: the answer of their last request. */
  readonly answer: unknown;
}

export function readGuides(): Guide[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const page = readFileSync(join(FOLDER, name), 'utf8');
      const [, title = '', summary = '', text = ''] =
        /^---\ntitle: (.+)\nsummary: (.+)\n---\n\n([\s\S]*)$/.exec(page) ?? [];
      const files = blocksIn(text).flatMap(({ file, text }) => (file ? [{ name: file, text }] : []));
      return { slug: name.replace(/\.md$/, ''), title, summary, text, examples: examplesIn(text), files };
    });
}

interface Block {
  readonly language: string;
  readonly text: string;
  readonly followsBlock: boolean;
  readonly file: string | undefined;
}

function examplesIn(page: string): Example[] {
  const examples: { programs: Map<Language, string>; answer: unknown }[] = [];
  for (const { language, text, followsBlock } of blocksIn(page).filter(({ file }) => !file)) {
    const current = followsBlock ? examples.at(-1) : undefined;
    if (LANGUAGES.includes(language as Language)) {
      if (current && current.answer === undefined) {
        if (current.programs.has(language as Language)) throw new Error(`two ${language} blocks in one set`);
        current.programs.set(language as Language, text);
      } else examples.push({ programs: new Map([[language as Language, text]]), answer: undefined });
    } else if (language === 'json' && current && current.answer === undefined) {
      current.answer = JSON.parse(text);
    }
  }
  return examples;
}

const NAMED_BEFORE = /`([\w-]+\.\w+)`:$/;
const NAMED_WITHIN = /^(?:\/\/|#) ([\w-]+\.\w+)\n/;

function blocksIn(page: string): Block[] {
  let end = -1;
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, language = '', text = ''] = match;
    const between = page.slice(Math.max(end, 0), match.index).trim();
    const followsBlock = end >= 0 && between === '';
    end = match.index + whole.length;
    const file = NAMED_BEFORE.exec(between) ?? NAMED_WITHIN.exec(text);
    return { language, text, followsBlock, file: file?.[1] };
  });
}

/** The comment in a page's first Go block that the later blocks replace. */
const GO_PLACE = /^\t\/\/ The examples of this page go here\.\n/m;

/**
 * All examples of a page in one language as one program. Before each it asks for the example's
 * marker. The first example sets up the others; in a shell its variables are those of the test.
 */
export function programOf(
  examples: readonly Example[],
  language: Language,
  markerUrl: (number: number) => string,
): string {
  const [setUp, ...others] = examples.map(({ programs }) => programs.get(language) ?? '');
  const marked = others.map((text, index) => `${MARKERS[language](markerUrl(index + 1))}\n${text}`);
  if (language === 'sh') return marked.join('\n');
  if (language !== 'go') return [setUp, ...marked].join('\n');
  if (setUp === undefined || !GO_PLACE.test(setUp)) {
    throw new Error('the first Go block of a page has no place for the others');
  }
  const main = setUp.replace(GO_PLACE, () => marked.map((text) => text.replace(/^(?=.)/gm, '\t')).join('\n'));
  return main.includes('\t"net/http"\n') ? main : main.replace('import (\n', 'import (\n\t"net/http"\n');
}

const MARKERS: Readonly<Record<Language, (url: string) => string>> = {
  sh: (url) => `curl -sS '${url}'`,
  ts: (url) => `await fetch('${url}');`,
  python: (url) => `import urllib.request\nurllib.request.urlopen('${url}').close()`,
  go: (url) => `http.Get("${url}")`,
};
