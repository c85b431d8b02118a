import { formatNumber } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Overview', 'Übersicht'],
  book: ['The book by band', 'Der Bestand nach Stufen'],
  subjects: ['Subjects', 'Personen'],
  changeNote: [
    'The small figures are the change over 30 days.',
    'Die kleinen Zahlen sind die Veränderung in 30 Tagen.',
  ],
  tooLarge: [
    'The bands of so large a book are counted every ten minutes: not yet.',
    'Die Stufen eines so großen Bestands werden alle zehn Minuten gezählt: noch nicht.',
  ],
  countedAt: ['The bands were counted', 'Die Stufen wurden gezählt'],
  clock: ['Which day counts', 'Welcher Tag zählt'],
  clocks: {
    outcome: ['By outcome date', 'Nach Datum des Ergebnisses'],
    recorded: ['By recording', 'Nach Eingang'],
  },
  clockNotes: {
    outcome: [
      'Each outcome counts on the day it happened, also if it was recorded later.',
      'Jedes Ergebnis zählt an dem Tag, an dem es geschah, auch wenn es später eingetragen wurde.',
    ],
    recorded: [
      'Each outcome counts on the day it was recorded; scores as they were published.',
      'Jedes Ergebnis zählt an dem Tag, an dem es eingetragen wurde; Werte wie veröffentlicht.',
    ],
  },
  imported: [
    'In the last 30 days, older outcomes were recorded too: an import, for example.',
    'In den letzten 30 Tagen wurden auch ältere eingetragen, zum Beispiel durch einen Import.',
  ],
  clockTooLarge: [
    'So large a book is read by recording: each outcome counts on the day it was recorded.',
    'Ein so großer Bestand wird nach Eingang gelesen: Jedes Ergebnis zählt am Tag der Eintragung.',
  ],
  averages: {
    outcome: ['Average of all scores each day, 30 days', 'Durchschnitt aller Werte an jedem Tag, 30 Tage'],
    recorded: [
      'Average of the scores published each day, 30 days',
      'Durchschnitt der an jedem Tag veröffentlichten Werte, 30 Tage',
    ],
  },
  outcomes: {
    outcome: [
      'Outcomes by the day they happened, 30 days',
      'Ergebnisse nach dem Tag, an dem sie geschahen, 30 Tage',
    ],
    recorded: [
      'Outcomes by the day they were recorded, 30 days',
      'Ergebnisse nach dem Tag der Eintragung, 30 Tage',
    ],
  },
  allOutcomes: ['Outcomes', 'Ergebnisse'],
  verifiedOutcomes: ['of them verified', 'davon bestätigt'],
  average: ['Average', 'Durchschnitt'],
  up: ['Rose most this week', 'In dieser Woche am meisten gestiegen'],
  down: ['Fell most this week', 'In dieser Woche am meisten gefallen'],
  nobody: ['No score moved this way.', 'Kein Wert hat sich so verändert.'],
  truncated: [
    'Of so many changes, only subjects are compared whose score moved by a point or more at once.',
    'Bei so vielen Änderungen werden nur Personen verglichen, deren Wert sich auf einmal um einen Punkt oder mehr bewegt hat.',
  ],
  disputes: ['Open disputes', 'Offene Streitfälle'],
  noDisputes: ['No dispute is open.', 'Kein Streitfall ist offen.'],
  confirmations: ['Open confirmations', 'Offene Bestätigungen'],
  noConfirmations: ['No request waits for an answer.', 'Keine Anfrage wartet auf eine Antwort.'],
  ends: ['ends', 'endet'],
  ended: ['ended', 'endete'],
  attention: ['Needs attention', 'Braucht Aufmerksamkeit'],
  nothingWaits: [
    'Nothing: no review is overdue, no dispute is about to end, and no endpoint fails.',
    'Nichts: Kein Widerspruch ist überfällig, kein Streit steht vor dem Ende, kein Empfänger ist gestört.',
  ],
  andMore: [
    (count: number) => `And ${formatNumber(count)} more.`,
    (count: number) => `Und ${formatNumber(count)} weitere.`,
  ],
  reviewOverdue: ['Review overdue: was due', 'Widerspruch überfällig: war fällig'],
  disputeOverdue: ['Dispute overdue: its time ended', 'Streit überfällig: Die Frist endete'],
  disputeEnds: ['Dispute ends', 'Streit endet'],
  failing: ['Endpoint failing', 'Empfänger gestört'],
  disabled: ['Endpoint switched off', 'Empfänger abgeschaltet'],
  errorShare: [
    (share: string, attempts: string) => `${share} of ${attempts} attempts in 24 h failed`,
    (share: string, attempts: string) => `${share} von ${attempts} Versuchen in 24 h gescheitert`,
  ],
  since: ['since', 'seit'],
  queue: ['Queue lag', 'Rückstand'],
  scoresBehind: ['Scores', 'Werte'],
  deliveriesBehind: ['Deliveries', 'Zustellungen'],
  seconds: [(count: string) => `${count} s`, (count: string) => `${count} s`],
  late: ['late', 'verspätet'],
  empty: [
    'No subject yet. A subject appears with its first outcome.',
    'Noch niemand. Eine Person erscheint mit ihrem ersten Ergebnis.',
  ],
  report: ['Report an outcome:', 'Melden Sie ein Ergebnis:'],
  import: ['Or import a file', 'Oder importieren Sie eine Datei'],
});
