import { signal } from '@preact/signals';
import { readSetting, writeSetting } from './settings.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const known = (tag: string | null | undefined): Language | undefined =>
  languages.find((language) => tag?.toLowerCase().startsWith(language));

/** The language of every text. Default: the browser's. */
export const language = signal<Language>(
  known(readSetting('language')) ?? navigator.languages.map(known).find((found) => found) ?? 'en',
);

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  writeSetting('language', chosen);
}

type Text = string | ((...given: never[]) => string);

/** Texts by name, each in the order of `languages`. */
interface Given {
  readonly [name: string]: readonly [en: Text, de: Text] | Given;
}
type Chosen<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends readonly [infer En extends Text, infer De extends Text]
    ? En extends string
      ? string
      : En | De
    : Chosen<Texts[Name]>;
};

/**
 * The texts of one view or part. Each is read in the language of the reader: what renders it is rendered
 * again when the reader changes it, so keep none outside of a component.
 */
export function catalogue<const Texts extends Given>(given: Texts): Chosen<Texts> {
  const texts = {};
  for (const [name, text] of Object.entries(given)) {
    const inner = isPair(text) ? null : catalogue(text);
    const get = () => (isPair(text) ? text[languages.indexOf(language.value)] : inner);
    Object.defineProperty(texts, name, { enumerable: true, get });
  }
  return texts as Chosen<Texts>;
}

function isPair(text: Given[string]): text is readonly [Text, Text] {
  return Array.isArray(text);
}
