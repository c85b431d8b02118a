import type { StatusTexts } from './statusTexts.js';

export const statusDe: StatusTexts = {
  title: 'Status',
  kind: 'Status',
  headings: {
    operational: 'Alles funktioniert.',
    degraded: 'Etwas verzögert sich.',
    outage: 'Der Dienst ist nicht erreichbar.',
  },
  leads: {
    operational:
      'Neue Ergebnisse werden eingetragen, Bewertungen sind aktuell, und Nachrichten werden verschickt.',
    degraded:
      'Neue Ergebnisse werden eingetragen, und nichts geht verloren. Was unten markiert ist, dauert länger als sonst.',
    outage:
      'Die Datenbank antwortet nicht. Nichts, was eingetragen wurde, ist verloren. Bitte versuchen Sie es später noch einmal.',
  },
  partsHeading: 'Die Teile',
  parts: {
    answers: ['Anfragen', 'Ergebnisse werden eingetragen, und Bewertungen sind lesbar'],
    scores: ['Bewertungen', 'neue Ergebnisse ändern die Bewertung'],
    messages: ['Nachrichten', 'Plattformen erfahren von Änderungen'],
    log: ['Öffentliches Protokoll', 'neue Einträge werden signiert'],
  },
  states: { ok: 'Funktioniert', late: 'Verzögert', failed: 'Nicht erreichbar', unknown: 'Unbekannt' },
  uptimeHeading: 'Wie es war',
  day: 'In den letzten 24 Stunden',
  week: 'In den letzten 7 Tagen',
  uptimeNote: 'Anteil der Minuten, in denen alles funktionierte',
  unknown: 'noch nicht bekannt',
  checked: (moment) => `Geprüft am ${moment}.`,
  again: 'Neu prüfen',
  data: ['Programme lesen ', 'dasselbe als Daten', '.'],
};
