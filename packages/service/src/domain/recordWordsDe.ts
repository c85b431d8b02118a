import { FORMULA_VERSION, KEY_FACTOR_LIMIT, model, type ReasonCode } from '@reliability/scoring';
import { bandNamesDe } from './bandNamesDe.js';
import type { RecordWords } from './recordWords.js';
import { TREND_DAYS } from './scoreCourse.js';

/** What a factor rests on, in German. The text is stored in English with the score, without its figures. */
function factorTextDe(description: string): string {
  const known = texts.find(([pattern]) => pattern.test(description));
  if (known) return description.replace(...known);
  // Unchanged if another version of the formula wrote it.
  return description.replace(
    /^(.+ (?:nothing|points))\. Unverified outcomes lift a score to ([\d.]+) at most; only verified breaches lower it below ([\d.]+)\.$/,
    (_, effect: string, ceiling: string, floor: string) =>
      `${limitEffect(effect)} Unbestätigte Ergebnisse heben eine Bewertung höchstens auf ${comma(ceiling)}. Unter ${comma(floor)} senken sie nur bestätigte Brüche.`,
  );
}

const texts: readonly (readonly [english: RegExp, german: string])[] = [
  [/^No outcomes yet, so no completion rate\.$/, 'Noch keine Ergebnisse.'],
  [
    /^(\d+) of (\d+) verified outcomes? completed; (\d+ %) by weight\.$/,
    '$1 von $2 bestätigten Ergebnissen sind fertig, nach Gewicht $3.',
  ],
  [
    /^(\d+) of (\d+) unverified outcomes? completed; (\d+ %) by weight\.$/,
    '$1 von $2 unbestätigten Ergebnissen sind fertig, nach Gewicht $3.',
  ],
  [
    /^No completed outcome has both a due date and a completion date\.$/,
    'Kein fertiges Ergebnis hat eine Frist und ein Datum der Fertigstellung.',
  ],
  [
    /^(\d+) of (\d+) completed outcomes? with both dates on time; (\d+ %) by weight\.$/,
    '$1 von $2 fertigen Ergebnissen mit Frist waren pünktlich, nach Gewicht $3.',
  ],
  [
    /^No outcome is contested and no dispute was decided against the subject\.$/,
    'Kein Ergebnis ist strittig, und kein Streit ging zu Ungunsten aus.',
  ],
  [
    /^(\d+) contested outcomes? and (\d+) disputes? decided against the subject\.$/,
    'Strittige Ergebnisse: $1. Zu Ungunsten entschieden: $2.',
  ],
  [
    /^No completed outcomes that another party could have confirmed\.$/,
    'Kein fertiges Ergebnis, das jemand anders bestätigen könnte.',
  ],
  [
    /^(\d+) of (\d+) completed outcomes? confirmed by another party; (\d+ %) by weight\.$/,
    '$1 von $2 fertigen Ergebnissen hat jemand anders bestätigt, nach Gewicht $3.',
  ],
];

function limitEffect(english: string): string {
  const points = comma(/[\d.]+/.exec(english)?.[0] ?? '');
  if (english.startsWith('The floor')) return `Die Untergrenze brachte ${points} Punkte.`;
  if (english.startsWith('The ceiling')) return `Die Obergrenze kostete ${points} Punkte.`;
  return 'Ober- und Untergrenze haben nichts verändert.';
}

function comma(number: string): string {
  return number.replace('.', ',');
}

const titles: Readonly<Record<ReasonCode, string>> = {
  CLEAN_DISPUTE_RECORD: 'Kein Streit',
  DISPUTED_OUTCOMES_ON_RECORD: 'Strittige Ergebnisse',
  ESTABLISHED_VERIFIED_HISTORY: 'Viel Bestätigtes',
  INACTIVE_RECORD: 'Keine neuen Ergebnisse',
  INDEPENDENTLY_VERIFIED_RECORD: 'Großteils von anderen bestätigt',
  LIMITED_VERIFIED_HISTORY: 'Erst wenig Bestätigtes',
  LOW_COMPLETION_RATE: 'Zu wenig fertiggestellt',
  LOW_ONTIME_RATE: 'Zu selten pünktlich',
  LOW_VERIFICATION_DEPTH: 'Wenig von anderen bestätigt',
  NO_VERIFIED_HISTORY: 'Noch nichts Bestätigtes',
  RECORD_UNDER_VELOCITY_REVIEW: 'Bewertung angehalten, wird geprüft',
  STRONG_COMPLETION_RATE: 'Fast alles fertiggestellt',
  STRONG_ONTIME_RATE: 'Fast immer pünktlich',
};

export const recordWordsDe: RecordWords = {
  score: (finalScore, band) =>
    `Die Bewertung ist ${points(finalScore)} von 100, in der Stufe „${bandNamesDe[band]}“.`,
  trend: ({ finalScore, change }) => {
    if (change === 0) return `${TREND_DAYS} Tage zuvor war sie ebenfalls ${points(finalScore)}.`;
    const direction = change > 0 ? 'gestiegen' : 'gefallen';
    return `${TREND_DAYS} Tage zuvor war sie ${points(finalScore)}. Sie ist also um ${points(Math.abs(change))} Punkte ${direction}.`;
  },
  foundation: ({ totalEvents, verifiedEvents }) =>
    totalEvents === 1
      ? `Sie beruht auf einem Eintrag, den ${verifiedEvents === 1 ? 'andere bestätigt haben' : 'niemand sonst bestätigt hat'}.`
      : `Sie beruht auf ${totalEvents} Einträgen. Andere haben ${verifiedEvents} davon bestätigt.`,
  backing: {
    high: 'Viel bestätigte Arbeit stützt sie.',
    medium: 'Eine mittlere Menge bestätigter Arbeit stützt sie.',
    low: 'Bisher stützt sie nur wenig bestätigte Arbeit.',
  },
  frozen: 'Sie ist angehalten, bis sehr viele neue Einträge geprüft sind.',
  plus: (title) => `Größtes Plus: ${title}.`,
  minus: (title) => `Größtes Minus: ${title}.`,
  title: ({ code }) => titles[code],
  meaning: ({ code }) => `${titles[code]}.`,
  reasons: {
    nothingConfirmed: 'Noch hat niemand sonst eine eingehaltene oder gebrochene Abmachung bestätigt.',
    unconfirmed: (count) => `Bisher ohne Bestätigung: ${results(count)}.`,
    shortHistory: (count) =>
      `Andere haben ${results(count)} bestätigt. Nach Größe und Alter ist das noch wenig.`,
    longHistory: (count) => `Andere haben ${results(count)} bestätigt. Nach Größe und Alter ist das viel.`,
    completed: (part, whole) => `Fertig: ${part} von ${results(whole, 'Ergebnissen')}.`,
    breachWeighs: `Eine gebrochene Abmachung wiegt ${model.breachSeverity}-mal so viel wie fertige Arbeit.`,
    onTime: (part, whole) => `Pünktlich: ${part} von ${jobs(whole)}.`,
    confirmed: (part, whole) => `Von anderen bestätigt: ${part} von ${jobs(whole)}.`,
    weighed: (rate) => `Neuere und größere Aufträge zählen mehr. Damit sind es ${rate}.`,
    disputed: (count) => `Strittig: ${results(count)}.`,
    lost: (count) => `Zu Ungunsten ausgegangen: ${count === 1 ? '1 Streit' : `${count} Streitfälle`}.`,
    noDispute: (count) => `Es gibt keinen Streit. Eingetragen: ${results(count)}.`,
    inactive: (days) => `Das letzte Ergebnis ist ${days} Tage alt. Alte Ergebnisse zählen jeden Tag weniger.`,
    underReview:
      'In kurzer Zeit kamen sehr viele Einträge. Bis sie geprüft sind, ändert sich die Bewertung nicht.',
  },
  factor: factorTextDe,
  disclosures: [
    `Die Formel ${FORMULA_VERSION} berechnet jede Bewertung nur aus eingetragenen Ergebnissen. Kein Mensch und keine KI ändert sie.`,
    'Die Gründe nennen die eingetragenen Tatsachen, die die Bewertung verändert haben. Sie sind kein Rat und keine Entscheidung.',
    'Eine Bewertung ist ein Beleg. Sie ist keine Bonitätsauskunft und kein Einkommensnachweis für eine Kreditentscheidung.',
    'Wenn Sie wegen einer Bewertung gegen eine Person handeln, sind Sie für diesen Schritt verantwortlich, und für jede Mitteilung, die das Gesetz verlangt.',
    `Gründe, die eine Bewertung senken, stehen in der Reihenfolge der Punkte, die sie kosten. Die ersten ${KEY_FACTOR_LIMIT} sind die wichtigsten. Jeder zutreffende Grund ist aufgeführt.`,
  ],
};

function results(count: number, several = 'Ergebnisse'): string {
  return count === 1 ? '1 Ergebnis' : `${count} ${several}`;
}

/** After a preposition with the dative. */
function jobs(count: number): string {
  return count === 1 ? '1 fertigen Auftrag' : `${count} fertigen Aufträgen`;
}

function points(value: number): string {
  return value.toFixed(2).replace('.', ',');
}
