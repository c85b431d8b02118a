import type { VerifyTexts } from './verifyTexts.js';

export const verifyDe: VerifyTexts = {
  title: (band, score) => `${band}, ${score}: Nachweis der Zuverlässigkeit`,
  unscoredTitle: 'Noch keine Bewertung: Nachweis der Zuverlässigkeit',
  kind: 'Nachweis der Zuverlässigkeit',
  heading: 'Wie gut wurden Abmachungen eingehalten?',
  lead: 'Jemand hat Ihnen diesen Link gezeigt: zu einer Aufzeichnung von Abmachungen und wie sie ausgingen. Unten steht, was sie zurzeit ergibt.',
  of: 'von 100',
  bands: {
    Excellent: 'Ausgezeichnet',
    Good: 'Gut',
    Fair: 'Ordentlich',
    Building: 'Im Aufbau',
    Unproven: 'Noch unbelegt',
    'High Risk': 'Hohes Risiko',
  },
  calledThere: (band) => `in den Daten „${band}“`,
  bandRange: (band, from, below) =>
    below === null
      ? `Werte ab ${from} heißen „${band}“.`
      : from === 0
        ? `Werte unter ${below} heißen „${band}“.`
        : `Werte von ${from} bis unter ${below} heißen „${band}“.`,
  unscored: 'Noch keine Bewertung',
  unscoredNote: 'Es ist noch nichts aufgezeichnet, woraus sich eine Bewertung errechnen ließe.',
  frozen:
    'In kurzer Zeit kamen sehr viele Einträge. Bis sie geprüft sind, bleibt die Bewertung stehen und ist vielleicht nicht mehr aktuell.',
  computed: (moment) => `Errechnet am ${moment}`,

  restsHeading: 'Worauf sie beruht',
  totalEvents: 'Aufgezeichnete Ergebnisse',
  verifiedEvents: 'Von anderen bestätigt',
  verifiedNote: 'also nicht von der Person oder Firma selbst, um die es geht',
  verifiedPlatforms: 'Plattformen mit bestätigten Ergebnissen',
  evidence: 'Menge der Belege',
  evidenceOf: { low: 'Wenig', medium: 'Mittel', high: 'Viel' },
  confidence: (value) => `Sicherheit ${value} auf einer Skala von 0 bis 1`,

  recordHeading: 'Die bestätigten Ergebnisse',
  recordNote: 'Wird gezeigt, weil die Person oder Firma, um die es geht, zugestimmt hat.',
  kept: 'Abmachungen eingehalten',
  broken: 'Abmachungen gebrochen',
  disputed: 'Im Streit',
  first: 'Das erste',
  last: 'Das letzte',

  whoseHeading: 'Um wen geht es?',
  whose: [
    'Diese Seite nennt mit Absicht keinen Namen. Um wen es geht, kann nur sagen, wer Ihnen den Link gegeben hat.',
    'Um sicher zu sein, lassen Sie sich den Link von einem Konto oder einer Adresse schicken, die Sie kennen.',
    'Der Link kann jederzeit zurückgezogen werden. Dann ist diese Seite weg.',
  ],
  notHeading: 'Was sie nicht ist',
  not: [
    'Sie ist keine Entscheidung und kein Rat. Was Sie daraus machen, liegt bei Ihnen, und ebenso, wie Sie es begründen.',
    'Sie ist keine Auskunft einer Auskunftei und kein Nachweis über Einkommen.',
    'Sie sagt, wie Abmachungen bisher ausgingen. Für die nächste verspricht sie nichts.',
  ],

  checkHeading: 'So prüfen Sie es',
  address: (start) =>
    `Die Adresse dieser Seite beginnt mit ${start}. Eine Seite unter anderer Adresse oder ein Bild davon beweist nichts.`,
  now: 'Die Zahlen gelten in diesem Augenblick. Laden Sie die Seite neu, und Sie haben die neuesten.',
  formula: (version) => [
    'Kein Mensch und keine KI legt eine Bewertung fest. Formel ',
    `${version}, die öffentlich ist,`,
    ' errechnet sie allein aus den aufgezeichneten Ergebnissen.',
  ],
  data: ['Programme lesen ', 'dieselben Zahlen als Daten', '.'],
  keys: [
    'Haben Sie auch einen signierten Nachweis bekommen? Geprüft wird er mit ',
    'unseren öffentlichen Schlüsseln',
    '.',
  ],
  status: (list, entry) => [
    'Ob er zurückgezogen ist, steht in der ',
    `Statusliste ${list}`,
    `, unter Eintrag ${entry}.`,
  ],
  token: 'Kennung dieses Nachweises',

  nothing: {
    title: 'Hier wird nichts gezeigt',
    heading: 'Hier wird nichts gezeigt.',
    paragraphs: [
      'Vielleicht wurde der Link von der Person oder Firma zurückgezogen, um die es geht, oder ein Stück davon fehlt.',
      'Bitten Sie um einen neuen Link, oder kopieren Sie den ganzen. Ob es hier je etwas gab, sagt diese Seite nicht.',
    ],
  },
};
