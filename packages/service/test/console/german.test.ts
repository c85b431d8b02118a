import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { enumsCatalog } from '../../src/features/system/catalogues/enumsCatalog.js';

vi.stubGlobal('navigator', { languages: ['en'] });

const SOURCES = new URL('../../../console/src/', import.meta.url);
const load = (path: string): Promise<Record<string, unknown>> => import(new URL(path, SOURCES).href);
const { language } = (await load('kit/texts.ts')) as { language: { value: 'en' | 'de' } };
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /texts\.ts$/i.test(path) && path !== 'kit/texts.ts',
);
const modules = await Promise.all(files.map(async (path) => [path, await load(path)] as const));

/** Words that are the same in both languages. */
const SAME = /^(?:Agent|Installation|Median|Name|Person|Support|TEST|Team|Test|Webhooks|7 s)$/;
/** English, or a foreign word for which the console has another one. */
const FOREIGN =
  /\b(?:Admin|Backtest|Dashboard|Endpunkt|Endpunkte|Event|Feature|Level|Live|Log|Outcome|Scope|Score|Secret|Subject|Token|Trust|Umschlag|Umschläge|Wallet)s?\b/;

/** The texts of a catalogue by their names, in the present language. Values in them are 7. */
function textsOf(value: unknown, name: string): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'function') return [[name, String(value(7, 7, 7))]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${name} ${key}`));
}

test('every text of the console has a German one, without foreign words for which there is another', () => {
  const catalogues = modules.flatMap(([path, exported]) =>
    Object.entries(exported)
      .filter(([, value]) => typeof value === 'object')
      .map(([name, value]) => ({ path, name, value })),
  );
  const read = (tag: 'en' | 'de') => {
    language.value = tag;
    return catalogues.flatMap(({ path, name, value }) => textsOf(value, `${path} ${name}`));
  };
  const [english, german] = [read('en'), read('de')];
  expect(german.length).toBeGreaterThan(600);
  const untranslated = german.filter(
    ([, text], index) => text === english[index]?.[1] && /[a-z]/i.test(text) && !SAME.test(text),
  );
  expect(untranslated).toEqual([]);
  expect(german.filter(([, text]) => FOREIGN.test(text))).toEqual([]);
});

test('every value that a view shows has words', async () => {
  const { wordsFor } = (await load('kit/enumTexts.ts')) as { wordsFor(set: string, value: string): string };
  const { actionText } = (await load('views/activity/actionTexts.ts')) as {
    actionText(value: string): string;
  };
  const shown: Readonly<Record<string, readonly { value: string }[]>> = {
    eventType: enumsCatalog.eventType,
    stakeLevel: enumsCatalog.stakeLevel,
    requestStatus: [
      ...enumsCatalog.confirmationRequestStatus,
      ...enumsCatalog.disputeStatus,
      ...enumsCatalog.reviewStatus,
    ],
    reviewOutcome: enumsCatalog.reviewOutcome,
    subjectType: enumsCatalog.subjectType,
    platformTier: enumsCatalog.platformTier,
    planTier: enumsCatalog.planTier,
    importStatus: enumsCatalog.importStatus,
    component: enumsCatalog.component,
    policyMetric: enumsCatalog.policyMetric,
    answerChannel: enumsCatalog.answerChannel,
    webhookEventType: enumsCatalog.webhookEventType,
  };
  language.value = 'de';
  for (const [set, values] of Object.entries(shown))
    expect(
      values.filter(({ value }) => wordsFor(set, value) === value),
      set,
    ).toEqual([]);
  expect(enumsCatalog.activityAction.filter(({ value }) => actionText(value) === value)).toEqual([]);
});
