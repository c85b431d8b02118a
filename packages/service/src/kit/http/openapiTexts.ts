import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../packageFile.js';

export type FieldTexts = ReturnType<typeof parseFieldTexts>;

const FIELD = /^- `([^`]+)`: (.*(?:\n {2}.*)*)/gm;

/**
 * Texts of schemas, fields and parameters for the OpenAPI document, by owner: a schema, an operation, or an
 * address up to its last placeholder. Each section of the Markdown has a heading that names one or more
 * owners, the text of the owner, and a list of its fields.
 */
export function parseFieldTexts(sources: readonly string[]) {
  const texts = new Map<string, string>();
  const sections = sources.flatMap((source) => source.split(/^## /m).slice(1));
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n');
    const body = lines.join('\n');
    const [own = ''] = body.split(/^(?:- |### )/m, 1);
    for (const owner of heading.split(', ')) {
      if (own.trim() !== '') add(owner, unwrapped(own));
      for (const [, key, text = ''] of body.matchAll(FIELD)) add(`${owner}.${key}`, unwrapped(text));
    }
  }
  const used = new Set<string>();
  return {
    of: find,
    /** The text of a field by its path: the longest key of its owner with which the path ends. */
    ofField(owner: string, path: string) {
      const names = path.split('.');
      const keys = names.map((_, start) => `${owner}.${names.slice(start).join('.')}`);
      const key = keys.find((candidate) => texts.has(candidate));
      return key && find(key);
    },
    /** The text that fields of this name have wherever nothing else describes them. */
    ofAny: (name: string) => find(`Any schema.${name}`),
    /** Owners and fields that nobody asked about: they do not exist. */
    unused: () => [...texts.keys()].filter((key) => !used.has(key)),
  };

  function add(key: string, text: string): void {
    if (texts.has(key)) throw new Error(`data/fields describes ${key} twice`);
    texts.set(key, text);
  }

  function find(key: string): string | undefined {
    used.add(key);
    return texts.get(key);
  }
}

function unwrapped(text: string): string {
  return text.trim().replace(/\n\s*/g, ' ');
}

export function readFieldTexts(): FieldTexts {
  const folder = packageFile('data/fields/');
  return parseFieldTexts(readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8')));
}

export type Examples = ReturnType<typeof examplesFrom>;

/** Examples by schema, `Schema.field`, `operation.parameter`, address, or operation, status and media type. */
export function examplesFrom(examples: Readonly<Record<string, unknown>>) {
  const used = new Set<string>();
  return {
    of(key: string): unknown {
      used.add(key);
      return Object.hasOwn(examples, key) ? examples[key] : undefined;
    },
    /** Keys that nobody asked about: they do not exist. */
    unused: () => Object.keys(examples).filter((key) => !used.has(key)),
  };
}

/** The examples of `data/`. Those of answers are recorded by a test, except the `written` ones. */
export function readExamples(): Examples {
  const read = (name: string) => JSON.parse(readFileSync(packageFile(`data/${name}.json`), 'utf8'));
  const { written, ...recorded } = read('answers');
  return examplesFrom({ ...read('requests'), ...written, ...recorded });
}
