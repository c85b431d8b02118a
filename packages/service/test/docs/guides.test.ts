import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asShown } from './answerShape.js';
import { readGuides } from './guideExamples.js';
import { LANGUAGES, root } from './languages.js';

const guides = readGuides();
const FOLDER = join(root, 'docs/guide');

const SUBJECTS =
  'command-line concepts confirmations console credentials first-hour going-live importing people ' +
  'quickstart recipe-agents recipe-businesses recipe-gigs recipe-marketplace reporting sdk webhooks';

test('there is a guide to each subject', () => {
  expect(guides.map(({ slug }) => slug).sort()).toEqual(SUBJECTS.split(' '));
});

describe.each(guides)('the guide $slug', ({ title, summary, text, examples }) => {
  test('has a title, a summary and short lines', () => {
    expect(title).not.toBe('');
    expect(summary).not.toBe('');
    const lines = withoutCode(text).split('\n');
    expect(lines.filter((line) => line.length > 100 && !line.startsWith('|'))).toEqual([]);
  });

  test('has no HTML', () => {
    expect(withoutCode(text).replace(/`[^`]*`/g, '')).not.toMatch(/<\/?[a-z]/i);
  });

  test('has links that lead somewhere in the repository', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => !/^(?:https:|\/)/.test(link) && !leadsSomewhere(link, text));
    expect(broken).toEqual([]);
  });

  test('sets up its examples as the other guides do', () => {
    const [setUp] = examples;
    if (!setUp) return;
    const usual = guides.find(({ slug }) => slug === 'quickstart')?.examples[0];
    for (const language of LANGUAGES) {
      const own = setUp.programs.get(language);
      if (own) expect(bare(own)).toBe(bare(usual?.programs.get(language) ?? ''));
    }
  });
});

describe('the comparison of a shown answer with a real one', () => {
  const real = { id: '01a204c0-f653-7000-802c-497205f18ae0', score: 31.82, items: [{ a: 1 }, { a: 2 }] };

  test('accepts another id and what is left out with …', () => {
    const id = '01a204c0-fb74-7000-8141-6b3727725175';
    expect(real).toEqual(asShown({ ...real, id }));
    expect(real).toEqual(asShown({ score: 31.82, items: [{ a: 1 }, '…'], '…': '…' }));
  });

  test.each([
    { id: real.id, score: 31.82 },
    { ...real, score: 31.83 },
    { ...real, name: 'x' },
    { ...real, items: [{ a: 1 }] },
    { ...real, items: [{ a: 2 }, '…'] },
    { ...real, items: [{ a: 1 }, { b: 2 }] },
    { ...real, id: 'none' },
  ])('finds a difference in %j', (shown) => {
    expect(real).not.toEqual(asShown(shown));
  });
});

function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, '');
}

/** Without the mode of its key, and what it imports of Go's library. */
function bare(program: string): string {
  return program.replace(/crd_(?:live|test)_/, 'crd_').replace(/^\t"[a-z/]+"\n/gm, '');
}

function leadsSomewhere(link: string, own: string): boolean {
  const [file = '', fragment] = link.split('#');
  const path = join(FOLDER, file);
  if (file !== '' && !existsSync(path)) return false;
  return fragment === undefined || anchorsOf(file === '' ? own : readFileSync(path, 'utf8')).has(fragment);
}

/** As GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutCode(page).matchAll(/^#+ (.+)$/gm);
  const anchorOf = (heading: string) => heading.toLowerCase().replace(/[^\w\- ]/g, '');
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading).replaceAll(' ', '-')));
}
