import { type StepTexts, stepTexts, stepTextsDe } from '@reliability/proof';
import de from '../../data/checkScript.de.json' with { type: 'json' };
import en from '../../data/checkScript.en.json' with { type: 'json' };
import { bandNamesDe } from '../../src/domain/bandNamesDe.js';

/** Every text of the checks in one language. Readers do not know the service: short sentences, everyday words. */
export type Texts = typeof en & {
  /** What the verifier says about its steps. */
  verifier: StepTexts;
  /** Of bands that have another name than in the credential. */
  bands: Readonly<Record<string, string>>;
};

export function textsIn(lang: string): Texts {
  return lang === 'de'
    ? { ...de, verifier: stepTextsDe, bands: bandNamesDe }
    : { ...en, verifier: stepTexts, bands: {} };
}

export function bandOf(band: unknown, { bands }: Texts): string {
  return bands[String(band)] ?? String(band);
}

export function momentOf(moment: Date, { locale }: Texts): string {
  if (Number.isNaN(moment.getTime())) return '?';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(moment)} UTC`;
}

export function numberOf(value: number, { locale }: Texts): string {
  return new Intl.NumberFormat(locale).format(value);
}
