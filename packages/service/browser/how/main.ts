import {
  type Factor,
  factorNames,
  type PlatformTier,
  type ScoreBand,
  type StakeLevel,
} from '@reliability/scoring';
import { fill } from '../../src/domain/fill.js';
import { type ExampleRecord, type Outcome, outcomes, scoreOf } from '../../src/pages/how/example.js';

/*
 * The page /how: calculates the score of the example again after each change, by the formula of the service.
 */

interface Words {
  bands: Record<ScoreBand, string>;
  bandClasses: Record<ScoreBand, string>;
  evidence: Record<string, string>;
  confidence: string;
  days: string;
  today: string;
}

const form = document.querySelector<HTMLFormElement>('#example');
const result = document.querySelector<HTMLElement>('#result');
const words = document.querySelector<HTMLElement>('#words')?.dataset.words;
if (form && result && words) start(form, result, JSON.parse(words));

function start(form: HTMLFormElement, result: HTMLElement, words: Words): void {
  const { locale, max = '100' } = result.dataset;
  const points = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

  function show(): void {
    const example = exampleIn(form);
    showChoices(form, example, words);
    const score = scoreOf(example);
    for (const name of ['score', 'band'] as const) figure(name).hidden = !score;
    figure('none').hidden = score !== null;
    for (const element of result.querySelectorAll<HTMLElement>('.of, .scale, #sum'))
      element.toggleAttribute('hidden', !score);
    if (!score) return;
    const { finalScore, scoreBand, confidence, confidenceLabel, factors } = score;
    write('score', points.format(finalScore));
    write('total', points.format(finalScore));
    write('band', words.bands[scoreBand]);
    figure('band').className = `band ${words.bandClasses[scoreBand]}`;
    moveMark(result, finalScore / Number(max), words.bandClasses[scoreBand]);
    for (const name of factorNames) write(name, signed(factors[name]));
    write('evidence', words.evidence[confidenceLabel] ?? '');
    write('confidence', fill(words.confidence, { value: share.format(confidence) }));
    write('year', points.format(scoreOf(example, 365)?.finalScore ?? 0));
    write('twoYears', points.format(scoreOf(example, 730)?.finalScore ?? 0));
  }

  function signed(value: number): string {
    const sign = value === 0 ? '' : value < 0 ? '−' : '+';
    return `${sign}${points.format(Math.abs(value))}`;
  }

  function figure(name: string): HTMLElement {
    const element = result.querySelector<HTMLElement>(`[data-figure="${name}"]`);
    if (!element) throw new Error(`The page has no figure ${name}`);
    return element;
  }

  function write(name: Factor | string, text: string): void {
    const element = figure(name);
    if (element.textContent !== text) element.textContent = text;
  }

  form.addEventListener('input', show);
  // The fields have their first values after the event.
  form.addEventListener('reset', () => setTimeout(show));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  for (const element of document.querySelectorAll<HTMLElement>('.with-script')) element.hidden = false;
  for (const element of document.querySelectorAll<HTMLElement>('.without-script')) element.hidden = true;
  show();
}

function exampleIn(form: HTMLFormElement): ExampleRecord {
  const sent = new FormData(form);
  const numberIn = (name: string) => Number(sent.get(name));
  return {
    counts: Object.fromEntries(outcomes.map((name) => [name, numberIn(name)])) as Record<Outcome, number>,
    ageDays: numberIn('ageDays'),
    stakeLevel: sent.get('stakeLevel') as StakeLevel,
    platformTier: sent.get('platformTier') as PlatformTier,
  };
}

/** Beside each slider, and for screen readers, which otherwise read a bare number of days. */
function showChoices(form: HTMLFormElement, { counts, ageDays }: ExampleRecord, words: Words): void {
  const age = ageDays === 0 ? words.today : fill(words.days, { days: ageDays });
  for (const output of form.querySelectorAll('output')) {
    const [name = ''] = output.htmlFor;
    output.value = name === 'ageDays' ? age : String(counts[name as Outcome]);
  }
  form.querySelector('#ageDays')?.setAttribute('aria-valuetext', age);
}

function moveMark(result: HTMLElement, share: number, bandClass: string): void {
  const scale = result.querySelector<SVGSVGElement>('.scale');
  const x = share * (scale?.viewBox.baseVal.width ?? 0);
  scale?.querySelector('.mark')?.setAttribute('d', `M${x} 7l-4.5-6.5h9z`);
  for (const zone of scale?.querySelectorAll('.zone') ?? [])
    zone.classList.toggle('pale', !zone.classList.contains(bandClass));
}
