import { bandNamesDe } from '../../domain/bandNamesDe.js';
import type { VerifyTexts } from './verifyTexts.js';

export const verifyDe: VerifyTexts = {
  title: (band, score) => `${band}, ${score}: Zuverlässigkeitsnachweis`,
  unscoredTitle: 'Noch keine Bewertung: Zuverlässigkeitsnachweis',
  kind: 'Zuverlässigkeitsnachweis',
  heading: 'Wie gut wurden Abmachungen eingehalten?',
  lead: 'Jemand hat Ihnen diesen Link gegeben. Die Seite zeigt, wie Abmachungen ausgegangen sind und welche Bewertung sich daraus zurzeit ergibt.',
  of: 'von 100',
  bands: bandNamesDe,
  apiNameOf: (band) => `in den Daten: „${band}“`,
  bandRange: (band, from, below) =>
    below === null
      ? `Werte ab ${from} heißen „${band}“.`
      : from === 0
        ? `Werte unter ${below} heißen „${band}“.`
        : `Werte von ${from} bis unter ${below} heißen „${band}“.`,
  unscored: 'Noch keine Bewertung',
  unscoredNote: 'Es ist noch nichts aufgezeichnet. Deshalb gibt es noch keine Bewertung.',
  frozen:
    'In kurzer Zeit kamen sehr viele Einträge. Bis sie geprüft sind, ändert sich die Bewertung nicht. Sie ist deshalb vielleicht nicht aktuell.',
  computed: (moment) => `Berechnet am ${moment}`,
  loggedSince: (moment) => `Im öffentlichen Protokoll seit ${moment}`,
  notLoggedYet: 'Noch nicht im öffentlichen Protokoll. Neue Bewertungen kommen nach Sekunden hinein.',

  restsHeading: 'Worauf die Bewertung beruht',
  totalEvents: 'Aufgezeichnete Ergebnisse',
  verifiedEvents: 'Von anderen bestätigt',
  verifiedNote: 'nicht von der Person oder Firma selbst, um die es geht',
  parties: 'So viele haben bestätigt',
  largest: (ofLargest, all, isPlatform) =>
    `${ofLargest} von ${all} Bestätigungen kommen von einer Seite${isPlatform ? ', der Plattform, die sie gemeldet hat' : ''}`,
  verifiedPlatforms: 'Plattformen mit bestätigten Ergebnissen',
  evidence: 'Menge der Belege',
  evidenceOf: { low: 'Wenig', medium: 'Mittel', high: 'Viel' },
  confidence: (value) => `Sicherheit ${value} auf einer Skala von 0 bis 1`,
  registered: 'Aufgezeichnet seit',
  tenure: (days, count) => (days === 0 ? 'seit heute' : days === 1 ? 'seit 1 Tag' : `seit ${count} Tagen`),

  recordHeading: 'Die bestätigten Ergebnisse',
  recordNote: 'Wird gezeigt, weil die Person oder Firma, um die es geht, zugestimmt hat.',
  kept: 'Abmachungen eingehalten',
  broken: 'Abmachungen gebrochen',
  disputed: 'Im Streit',
  first: 'Erstes Ergebnis',
  last: 'Letztes Ergebnis',

  whoseHeading: 'Um wen geht es?',
  whose: [
    'Diese Seite nennt absichtlich keinen Namen. Um wen es geht, kann Ihnen nur die Person sagen, von der Sie den Link haben.',
    'Wenn Sie sichergehen möchten, lassen Sie sich den Link von einem Konto oder einer Adresse schicken, die Sie kennen.',
    'Der Link kann jederzeit zurückgezogen werden. Dann gibt es diese Seite nicht mehr.',
  ],
  notHeading: 'Was die Bewertung nicht ist',
  not: [
    'Sie ist keine Entscheidung und kein Rat. Was Sie daraus machen und wie Sie es begründen, liegt bei Ihnen.',
    'Sie ist keine Bonitätsauskunft und kein Einkommensnachweis.',
    'Sie zeigt, wie Abmachungen bisher ausgegangen sind. Für die nächste verspricht sie nichts.',
  ],

  checkHeading: 'So prüfen Sie die Angaben',
  address: (start) =>
    `Die Adresse dieser Seite beginnt mit ${start}. Eine Seite mit einer anderen Adresse oder ein Bild davon beweist nichts.`,
  now: 'Die Zahlen waren beim Öffnen dieser Seite aktuell. Laden Sie die Seite neu, um die neuesten zu sehen.',
  formula: (version) => [
    'Kein Mensch und keine KI legt eine Bewertung fest. Die ',
    `öffentliche Formel ${version}`,
    ' berechnet sie nur aus den aufgezeichneten Ergebnissen.',
  ],
  data: ['Für Programme gibt es ', 'dieselben Zahlen als Daten', '.'],
  check: ['Haben Sie auch einen signierten Nachweis oder einen Beleg bekommen? ', 'Hier prüfen', '.'],
  keys: ['Programme prüfen ihn mit ', 'unseren öffentlichen Schlüsseln', '.'],
  status: (list, entry) => [
    'Ob er zurückgezogen wurde, steht in der ',
    `Statusliste ${list}`,
    `, Eintrag ${entry}.`,
  ],
  logged: (leaf) => [
    `Die Bewertung ist Eintrag ${leaf} im öffentlichen Protokoll. Niemand kann sie dort unbemerkt ändern: Jeder `,
    'unterschriebene Stand',
    ' umfasst alle Einträge davor.',
  ],
  token: 'Kennung dieses Nachweises',

  nothing: {
    title: 'Hier wird nichts gezeigt',
    heading: 'Hier wird nichts gezeigt.',
    paragraphs: [
      'Vielleicht wurde der Link zurückgezogen, oder ein Teil davon fehlt.',
      'Bitten Sie um einen neuen Link oder kopieren Sie ihn vollständig. Ob es hier je etwas gab, verrät diese Seite nicht.',
    ],
  },
};
