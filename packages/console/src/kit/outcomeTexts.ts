import { catalogue } from './texts.ts';

/** Texts about an outcome: what is on record about it, a report, a request for a confirmation. */
export const outcomeTexts = catalogue({
  eventType: ['Outcome', 'Ergebnis'],
  stake: ['Stake', 'Gewicht'],
  worth: ['Worth', 'Betrag'],
  worthHint: [
    'In your own units. It counts in earnings, never in the score.',
    'In Ihren eigenen Einheiten. Er zählt bei den Einkünften, nie im Wert.',
  ],
  completedAt: ['Completed on', 'Erledigt am'],
  dueDate: ['Due on', 'Fällig am'],
  onTime: ['on time', 'pünktlich'],
  late: ['late', 'verspätet'],
  recordedAt: ['Recorded', 'Aufgezeichnet'],
  reportedBy: ['Reported with', 'Gemeldet mit'],
  key: ['key', 'Schlüssel'],
  imported: ['imported', 'importiert'],
  byService: ['the service itself', 'vom Dienst selbst'],
  verifiedBy: ['Confirmed by', 'Bestätigt von'],
  verifiedByHint: [
    'Who confirmed it, not the subject. Empty: unverified.',
    'Wer es bestätigt hat, nicht die Person selbst. Leer: unbestätigt.',
  ],
  byYourWord: ['by the word of your platform alone', 'allein nach Ihrer eigenen Angabe'],
  byNobody: ['nobody yet', 'bisher niemandem'],
  outcomeId: ['Id of the outcome', 'ID des Ergebnisses'],
  metadata: ['Sent with it', 'Dazu gesendet'],
  report: ['Report an outcome', 'Ergebnis melden'],
  send: ['Report', 'Melden'],
  reported: ['Reported. The score follows in a moment.', 'Gemeldet. Der Wert folgt gleich.'],
  wouldBeFirst: ['It would give the first score:', 'Es ergäbe den ersten Wert:'],
  wouldMove: ['It would move the score:', 'Es würde den Wert bewegen:'],
  wouldWait: [
    'The score is frozen and waits for the operator.',
    'Der Wert ist eingefroren und wartet auf den Betreiber.',
  ],
  lowersShare: [
    'A success that nobody confirmed lowers the share of confirmed work, and with it the score of a confirmed record. Ask the other side for a confirmation instead.',
    'Ein Erfolg, den niemand bestätigt hat, senkt den Anteil der bestätigten Arbeit und damit den Wert, wo er auf Bestätigtem beruht. Bitten Sie lieber die Gegenseite um Bestätigung.',
  ],
  ask: ['Ask for a confirmation', 'Um Bestätigung bitten'],
  description: ['What the other side is asked about', 'Wonach die Gegenseite gefragt wird'],
  counterparty: ['Your own name for the other side', 'Ihr eigener Name für die Gegenseite'],
  counterpartyName: ['How the page addresses them', 'Wie die Seite sie anspricht'],
  askSend: ['Make the request', 'Anfrage erstellen'],
  askDone: [
    'Send this link to the other side. It is shown once.',
    'Schicken Sie der Gegenseite diesen Link. Er wird einmal gezeigt.',
  ],
});
