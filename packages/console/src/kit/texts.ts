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

/** Texts of one view or part in each language: a text, or a function that makes one. */
export type Catalogue<Texts> = Readonly<Record<Language, Texts>>;

/** A catalogue of texts. The compiler finds what one language lacks. */
export function catalogue<const Texts extends object>(
  en: Texts,
  de: Widened<NoInfer<Texts>>,
): Catalogue<Widened<Texts>> {
  return { en: en as Widened<Texts>, de };
}

/** Any text in place of one text. */
type Widened<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<Texts[Name]>;
};

/** The texts in the language of the reader. Call it while rendering: the reader may change it. */
export function t<Texts>(texts: Catalogue<Texts>): Texts {
  return texts[language.value];
}
