import { counted, formatNumber } from '../../kit/format.ts';
import { catalogue, language } from '../../kit/texts.ts';

/** What became of the rows of an import. */
interface Counts {
  createdCount: number;
  skippedCount: number;
  failedCount: number;
}

export const texts = catalogue({
  title: ['Imports', 'Importe'],
  drop: ['Drop a CSV file here', 'CSV-Datei hier ablegen'],
  choose: ['Choose a file', 'Datei wählen'],
  limit: [
    'Up to 32 MB. Nothing is recorded before you start the import.',
    'Bis 32 MB. Nichts wird aufgezeichnet, bevor Sie den Import starten.',
  ],
  tooLarge: [
    'The file is larger than 32 MB. Split it and repeat the header line in each part.',
    'Die Datei ist größer als 32 MB. Teilen Sie sie und wiederholen Sie die Kopfzeile in jedem Teil.',
  ],
  noColumns: ['The file has no header line with columns.', 'Die Datei hat keine Kopfzeile mit Spalten.'],
  earlier: ['Earlier imports', 'Frühere Importe'],
  none: [
    'No import yet. Drop a file above: you see what it would record before anything is written.',
    'Noch kein Import. Legen Sie oben eine Datei ab: Sie sehen vorher, was aufgezeichnet würde.',
  ],
  status: ['Status', 'Stand'],
  started: ['Sent', 'Gesendet'],
  rows: ['Rows', 'Zeilen'],
  created: ['Recorded', 'Aufgezeichnet'],
  skipped: ['Already there', 'Schon vorhanden'],
  failed: ['Failed', 'Fehlerhaft'],
  warnings: ['Warnings', 'Warnungen'],
  valid: ['Valid', 'Gültig'],
  file: ['The file', 'Die Datei'],
  discard: ['Another file', 'Andere Datei'],
  recognised: [
    (separator: string, encoding: string) =>
      `Recognised: columns separated by ${separator}, encoding ${encoding}. Is the table right? If not, change it here.`,
    (separator: string, encoding: string) =>
      `Erkannt: Spalten getrennt durch ${separator}, Zeichensatz ${encoding}. Stimmt die Tabelle? Sonst ändern Sie es hier.`,
  ],
  separator: ['Separator', 'Trennzeichen'],
  comma: ['comma (,)', 'Komma (,)'],
  semicolon: ['semicolon (;)', 'Strichpunkt (;)'],
  tab: ['tab', 'Tabulator'],
  encoding: ['Encoding', 'Zeichensatz'],
  firstRows: ['First rows of the file', 'Erste Zeilen der Datei'],
  mapping: ['What the columns mean', 'Was die Spalten bedeuten'],
  mappingHow: [
    'Choose a column for each field, or drag a column onto it.',
    'Wählen Sie zu jedem Feld eine Spalte, oder ziehen Sie eine Spalte darauf.',
  ],
  columns: ['Columns', 'Spalten'],
  source: ['Column', 'Spalte'],
  noSource: ['nothing', 'nichts'],
  always: [(value: string) => `always ${value}`, (value: string) => `immer ${value}`],
  transform: ['Change', 'Umwandeln'],
  asIs: ['as it is', 'unverändert'],
  required: ['required', 'nötig'],
  userId: ['Subject', 'Person'],
  eventType: ['Outcome', 'Ergebnis'],
  completedAt: ['When it ended', 'Ende am'],
  stakeLevel: ['Stake', 'Gewicht'],
  transactionValue: ['Value', 'Betrag'],
  isVerified: ['Verified', 'Bestätigt'],
  verifiedBy: ['Verified by', 'Bestätigt von'],
  dueDate: ['Was due', 'Fällig am'],
  idempotencyKey: ['Key of the row', 'Schlüssel der Zeile'],
  yes: ['yes', 'ja'],
  verifiesNothing: [
    '“Verified by” alone verifies nothing: every row is recorded as unverified. Live outcomes cannot be changed later.',
    '„Bestätigt von“ allein bestätigt nichts: Jede Zeile wird als unbestätigt aufgezeichnet. Echte Ergebnisse lassen sich später nicht ändern.',
  ],
  verifyAll: ['Every row that names somebody is verified', 'Jede Zeile, die jemanden nennt, ist bestätigt'],
  keyHint: [
    'Without a key of the row, the same file sent twice is recorded twice.',
    'Ohne Schlüssel der Zeile wird eine zweimal gesendete Datei zweimal aufgezeichnet.',
  ],
  formats: ['How dates and numbers are written', 'Schreibweise von Datum und Zahl'],
  decidedBy: [
    (value: string, row: string) => `as ${value} in row ${row} shows`,
    (value: string, row: string) => `wie ${value} in Zeile ${row} zeigt`,
  ],
  whichReading: [
    (value: string) => `${value} can be read in two ways. Which one is meant?`,
    (value: string) => `${value} lässt sich verschieden lesen. Was ist gemeint?`,
  ],
  mixed: [
    'The values are written in different ways. Choose one: rows with the others fail.',
    'Die Werte sind verschieden geschrieben. Wählen Sie eine Schreibweise: Zeilen mit anderen sind fehlerhaft.',
  ],
  chooseReading: ['Please choose', 'Bitte wählen'],
  chooseFirst: [
    (column: string) => `Say above how ${column} is to be read.`,
    (column: string) => `Sagen Sie oben, wie ${column} zu lesen ist.`,
  ],
  iso_date: ['date, year first', 'Datum, Jahr zuerst'],
  day_month_year: ['date, day first', 'Datum, Tag zuerst'],
  month_day_year: ['date, month first', 'Datum, Monat zuerst'],
  decimal_comma: ['number with a decimal comma', 'Zahl mit Dezimalkomma'],
  decimal_point: ['number with a decimal point', 'Zahl mit Dezimalpunkt'],
  cents_to_units: ['from cents', 'aus Cent'],
  lowercase: ['lower case', 'in Kleinschreibung'],
  trim: ['without spaces around', 'ohne Leerzeichen am Rand'],
  boolean: ['yes or no', 'ja oder nein'],
  meaning: ['What the outcomes mean', 'Was die Ergebnisse bedeuten'],
  meaningOf: [(value: string) => `Meaning of ${value}`, (value: string) => `Bedeutung von ${value}`],
  rowFails: ['row fails', 'Zeile ist fehlerhaft'],
  saved: ['Saved mapping', 'Gespeicherte Zuordnung'],
  chooseSaved: ['Choose…', 'Wählen…'],
  saveAs: ['Save the mapping as', 'Zuordnung speichern als'],
  save: ['Save', 'Speichern'],
  savedNow: ['The mapping is saved.', 'Die Zuordnung ist gespeichert.'],
  asEvents: ['First rows as events', 'Erste Zeilen als Ereignisse'],
  notYet: [
    'Map the subject and the outcome, and the first rows appear here as events.',
    'Ordnen Sie Person und Ergebnis zu, dann stehen hier die ersten Zeilen als Ereignisse.',
  ],
  row: ['Row', 'Zeile'],
  dryRun: ['Try the whole file', 'Ganze Datei prüfen'],
  dryRunning: ['Trying…', 'Wird geprüft…'],
  dryRunDone: ['What the import would do', 'Was der Import täte'],
  allGood: ['Every row can be recorded.', 'Jede Zeile kann aufgezeichnet werden.'],
  problems: ['What is wrong, by column', 'Was nicht stimmt, nach Spalte'],
  problem: ['What is expected', 'Was erwartet wird'],
  firstRow: ['First row', 'Erste Zeile'],
  example: ['It has', 'Dort steht'],
  wholeRow: ['the whole row', 'die ganze Zeile'],
  emptyCell: ['(empty)', '(leer)'],
  reason: ['Reason', 'Grund'],
  count: ['Rows', 'Zeilen'],
  which: ['For example in rows', 'Zum Beispiel in den Zeilen'],
  run: [
    (count: number) => `Import ${counted(count, 'row', 'rows')}`,
    (count: number) => `${counted(count, 'Zeile', 'Zeilen')} importieren`,
  ],
  runFailing: [
    (count: number, failing: number) =>
      `Import ${counted(count, 'row', 'rows')}, leave out ${formatNumber(failing)}`,
    (count: number, failing: number) =>
      `${counted(count, 'Zeile', 'Zeilen')} importieren, ${formatNumber(failing)} auslassen`,
  ],
  starting: ['Sending…', 'Wird gesendet…'],
  back: ['All imports', 'Alle Importe'],
  progress: ['Progress', 'Fortschritt'],
  done: [
    (created: number) => `Recorded: ${counted(created, 'row', 'rows')}. The scores follow within seconds.`,
    (created: number) =>
      `Aufgezeichnet: ${counted(created, 'Zeile', 'Zeilen')}. Die Werte folgen in Sekunden.`,
  ],
  mend: ['Rows that failed', 'Fehlerhafte Zeilen'],
  mendHow: [
    'Correct them here and send them again. Only corrected rows are sent.',
    'Berichtigen Sie sie hier und senden Sie sie noch einmal. Nur berichtigte Zeilen werden gesendet.',
  ],
  sentRows: [
    (rows: string) => `Corrected and sent again from this browser, by row: ${rows}.`,
    (rows: string) => `Berichtigt und von diesem Browser noch einmal gesendet, nach Zeile: ${rows}.`,
  ],
  mendedNow: [
    ({ createdCount, skippedCount, failedCount }: Counts) =>
      `Sent. Recorded: ${formatNumber(createdCount)}, already there: ${formatNumber(skippedCount)}, failed again: ${formatNumber(failedCount)}.`,
    ({ createdCount, skippedCount, failedCount }: Counts) =>
      `Gesendet. Aufgezeichnet: ${formatNumber(createdCount)}, schon vorhanden: ${formatNumber(skippedCount)}, wieder fehlerhaft: ${formatNumber(failedCount)}.`,
  ],
  toMended: ['Open the import of the corrected rows', 'Import der berichtigten Zeilen öffnen'],
  previousFailed: ['Previous failed rows', 'Vorige fehlerhafte Zeilen'],
  nextFailed: ['Next failed rows', 'Nächste fehlerhafte Zeilen'],
  notStored: [
    'cannot be shown: correct it in your file',
    'nicht darstellbar: berichtigen Sie sie in Ihrer Datei',
  ],
  needsMapping: [
    'The mapping of this import is no longer stored. Choose a saved mapping.',
    'Die Zuordnung dieses Imports ist nicht mehr gespeichert. Wählen Sie eine gespeicherte.',
  ],
  sendMended: [
    (count: number) => `Send ${counted(count, 'corrected row', 'corrected rows')}`,
    (count: number) => `${counted(count, 'berichtigte Zeile', 'berichtigte Zeilen')} senden`,
  ],
  cellOf: [
    (column: string, row: string) => `${column}, row ${row}`,
    (column: string, row: string) => `${column}, Zeile ${row}`,
  ],
  nothingFailed: ['No row failed.', 'Keine Zeile ist fehlerhaft.'],
  reasonsGone: [
    'The rows that failed are no longer stored.',
    'Die fehlerhaften Zeilen sind nicht mehr gespeichert.',
  ],
  unverified: ['unverified', 'unbestätigt'],
  verified: ['verified', 'bestätigt'],
  readOnly: [
    'You look at this platform as the operator, so you cannot import here.',
    'Sie sehen diese Plattform als Betreiber an und können hier nicht importieren.',
  ],
});

/** What the service expects in a cell, by its English words. */
const GERMAN: readonly (readonly [english: RegExp, german: string])[] = [
  [/^is required$/, 'darf nicht leer sein'],
  [/^must be a date with the day first/, 'Datum mit dem Tag zuerst, wie 03.10.2026'],
  [/^must be a date with the month first/, 'Datum mit dem Monat zuerst, wie 10/03/2026'],
  [/^must be an? (?:ISO 8601|RFC 3339)/, 'Datum mit dem Jahr zuerst, wie 2026-03-01'],
  [/^must not lie more than 5 minutes in the future/, 'darf nicht in der Zukunft liegen'],
  [/^must not lie before 1970/, 'darf nicht vor 1970 liegen'],
  [/^must be a number with a decimal comma/, 'Zahl mit Dezimalkomma, wie 1.250,50'],
  [
    /^must be a number with a decimal point/,
    'Zahl mit Dezimalpunkt; für 1.250,50 „Zahl mit Dezimalkomma“ wählen',
  ],
  [/^must be a whole number of cents/, 'ganze Zahl in Cent'],
  [/^must be (?:yes or no|true or false)/, 'ja oder nein: yes, no, true, false, 1 oder 0'],
  [/^must be in the table of the mapping/, 'muss in der Zuordnung eine Bedeutung haben'],
  [/^must be one of (.*)/s, 'muss eines davon sein: $1'],
  [/^must have at most (\d+) characters/, 'darf höchstens $1 Zeichen haben'],
  [/^must be at least (.*)/s, 'muss mindestens $1 sein'],
  [/^must be at most (.*)/s, 'darf höchstens $1 sein'],
  [/^must have (\d+) cells/, 'muss $1 Zellen haben wie die Kopfzeile'],
  [/^The row is not valid UTF-8/, 'hat Zeichen, die kein UTF-8 sind'],
  [/^The row has a quotation mark/, 'hat ein Anführungszeichen mitten in einer Zelle'],
  [/^The row has text after/, 'hat Text nach dem schließenden Anführungszeichen einer Zelle'],
];

/** What is expected, in the language of the reader as far as it is known. */
export function expectedText(english: string): string {
  const found = language.value === 'de' ? GERMAN.find(([pattern]) => pattern.test(english)) : undefined;
  const match = found?.[0].exec(english);
  return found && match ? found[1].replace('$1', match[1] ?? '') : english;
}
