import type { ReportTexts } from './reportTexts.js';

export const reportDe: ReportTexts = {
  kind: 'Bericht zur Zuverlässigkeit',
  title: (subject) => `Bericht zur Zuverlässigkeit: ${subject}`,
  origin: (platform, host, moment) =>
    `So heißt die Person oder Firma bei ${platform}. ${host} hat den Bericht am ${moment} erstellt.`,

  courseHeading: 'Die Bewertung im Lauf der Zeit',
  course: (first, last, lowest, highest) =>
    `Von ${first} bis ${last}. Niedrigster Wert ${lowest}, höchster ${highest}.`,
  onlyDay: (score) => `Die Bewertung war ${score}. Ein früheres Ergebnis gibt es nicht.`,
  scoreOn: (score, day) => `${score} am ${day}`,
  courseNote: 'Jedes Ergebnis zählt ab dem Tag, an dem es geschah.',
  asTable: 'Dasselbe als Tabelle',
  lastDays: { day: 'Tag', week: 'Woche bis', month: 'Monat bis' },
  score: 'Bewertung',
  band: 'Stufe',
  newResults: 'Neue Ergebnisse',

  publishedHeading: 'Die Bewertungen, wie sie veröffentlicht wurden',
  notAllShown: 'Nicht jede Änderung ist aufgeführt.',
  date: 'Datum',
  resultsConfirmed: 'Ergebnisse, bestätigt',
  reason: 'Grund',
  reasons: {
    decay: 'Ältere Ergebnisse zählen weniger',
    velocity_cleared: 'Eine Prüfung ist abgeschlossen',
    linked: 'Ergebnisse einer anderen Plattform kamen hinzu',
    unlinked: 'Ergebnisse einer anderen Plattform fielen weg',
  },

  kept: 'Bestätigt eingehaltene Abmachungen',
  broken: 'Bestätigt gebrochene Abmachungen',
  disputed: 'Bestätigte Ergebnisse im Streit',
  confirmedShare: 'Anteil der Ergebnisse, den andere bestätigt haben',
  percent: (share) => `${(share * 100).toFixed(1).replace('.', ',')} %`,
  first: 'Erstes bestätigtes Ergebnis',
  latest: 'Letztes bestätigtes Ergebnis',

  sumHeading: 'So setzt sich die Bewertung zusammen',
  start: 'Anfangswert jeder Bewertung',
  factors: {
    completion: 'Eingehaltene Abmachungen',
    timeliness: 'Pünktlichkeit',
    disputes: 'Streit',
    verification: 'Bestätigung durch andere',
    gate: 'Ober- und Untergrenze',
  },
  total: 'Die Bewertung',
  raisesHeading: 'Was die Bewertung hebt',
  raisesNothing: 'Noch nichts Besonderes.',
  lowersHeading: 'Was die Bewertung senkt',
  lowersNothing: 'Nichts Besonderes.',
  noteHeading: 'Bitte beachten',
  versions: (formula, codes, moment) =>
    `Formel ${formula}, Liste der Gründe ${codes}. Die Bewertung wurde am ${moment} berechnet.`,
};
