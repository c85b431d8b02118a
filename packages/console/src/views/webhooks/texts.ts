import { counted } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Webhooks', 'Webhooks'],
  endpoints: ['Endpoints', 'Empfänger'],
  none: [
    'No endpoint yet. Add the URL of your receiver. To receive on your own machine, without an endpoint, run:',
    'Noch kein Empfänger. Geben Sie seine Adresse an. Auf dem eigenen Rechner empfangen Sie ohne Eintrag mit:',
  ],
  add: ['Add an endpoint', 'Empfänger hinzufügen'],
  url: ['URL', 'Adresse'],
  description: ['Description', 'Beschreibung'],
  types: ['Event types', 'Ereignisarten'],
  save: ['Add', 'Hinzufügen'],
  gone: ['disabled: it answered 410 Gone', 'abgeschaltet: er hat 410 Gone geantwortet'],
  disabled: ['disabled: five days without a success', 'abgeschaltet: fünf Tage ohne Erfolg'],
  failing: ['failing', 'gestört'],
  errorShare: [
    (share: string, attempts: string) => `${share} of ${attempts} attempts in 24 h failed`,
    (share: string, attempts: string) => `${share} von ${attempts} Versuchen in 24 h fehlgeschlagen`,
  ],
  noneSince: ['no success since', 'kein Erfolg seit'],
  lastHours: ['Attempts in the last 24 hours', 'Versuche der letzten 24 Stunden'],
  strip: [
    (succeeded: string, failed: string) => `Last 24 hours: ${succeeded} attempts succeeded, ${failed} failed`,
    (succeeded: string, failed: string) =>
      `Letzte 24 Stunden: ${succeeded} Versuche erfolgreich, ${failed} fehlgeschlagen`,
  ],
  hour: [
    (succeeded: string, failed: string) => `${succeeded} succeeded, ${failed} failed`,
    (succeeded: string, failed: string) => `${succeeded} erfolgreich, ${failed} fehlgeschlagen`,
  ],
  noAttempts: ['no attempts', 'keine Versuche'],
  back: ['All endpoints', 'Alle Empfänger'],
  test: ['Send a test', 'Test senden'],
  tested: [(result: string) => `Test delivery: ${result}`, (result: string) => `Testzustellung: ${result}`],
  rotate: ['Replace the secret', 'Geheimnis ersetzen'],
  rotateNote: [
    'The receiver then needs the new secret. For 24 hours each delivery carries signatures of both, so switch within that time.',
    'Der Empfänger braucht dann das neue Geheimnis. 24 Stunden lang trägt jede Zustellung Signaturen von beiden.',
  ],
  secret: ['Signing secret', 'Geheimnis für Signaturen'],
  secretOnce: [
    'Copy it now. It is not shown again.',
    'Kopieren Sie es jetzt. Es wird nicht noch einmal gezeigt.',
  ],
  previousEnds: ['The previous secret signs until', 'Das vorige Geheimnis signiert bis'],
  recover: ['Send missed deliveries', 'Verpasstes senden'],
  recoverNote: [
    'Queues everything since then that the endpoint never accepted. Ids stay the same.',
    'Stellt alles seit diesem Zeitpunkt an, was nie angenommen wurde. Die IDs bleiben gleich.',
  ],
  since: ['Since', 'Seit'],
  recovered: [
    (count: number) => `Queued: ${counted(count, 'delivery', 'deliveries')}.`,
    (count: number) => `Vorgemerkt: ${counted(count, 'Zustellung', 'Zustellungen')}.`,
  ],
  recoveredMore: [
    (count: number) =>
      `Queued: ${counted(count, 'delivery', 'deliveries')}. Press again for the rest of the period.`,
    (count: number) =>
      `Vorgemerkt: ${counted(count, 'Zustellung', 'Zustellungen')}. Drücken Sie noch einmal für den Rest des Zeitraums.`,
  ],
  deleteOf: [(url: string) => `Delete ${url}?`, (url: string) => `${url} löschen?`],
  deleteLost: [
    'Nothing is sent to it any more, including what waits for another attempt.',
    'Es wird nichts mehr gesendet, auch nicht, was auf einen weiteren Versuch wartet.',
  ],
  deleteLog: [
    'Its delivery log can no longer be read, and its signing secret is gone.',
    'Das Protokoll der Zustellungen kann nicht mehr gelesen werden, und das Geheimnis der Signatur ist verloren.',
  ],
  pauseInstead: [
    'To stop it for a while, pause it: what it misses can be sent later.',
    'Für eine Pause halten Sie ihn an: Was er verpasst, kann später gesendet werden.',
  ],
  deliveries: ['Deliveries', 'Zustellungen'],
  noMatch: ['No attempt matches.', 'Kein Versuch passt.'],
  noDeliveries: [
    'No delivery yet. Send a test, or report an outcome.',
    'Noch keine Zustellung. Senden Sie einen Test, oder melden Sie ein Ergebnis.',
  ],
  result: ['Result', 'Ausgang'],
  succeeded: ['succeeded', 'erfolgreich'],
  failed: ['failed', 'fehlgeschlagen'],
  type: ['Type', 'Art'],
  anyType: ['Any type', 'Jede Art'],
  attempt: ['Attempt', 'Versuch'],
  attemptOf: [(number: string) => `Attempt ${number}`, (number: string) => `Versuch ${number}`],
  subject: ['Subject', 'Person'],
  search: ['Search: subject, id, error, answer', 'Suchen: Person, ID, Fehler, Antwort'],
  at: ['Sent', 'Gesendet'],
  took: ['Took', 'Dauer'],
  delivery: ['Delivery', 'Zustellung'],
  replay: ['Send again', 'Noch einmal senden'],
  replayed: [
    (result: string) => `Sent again: ${result}`,
    (result: string) => `Noch einmal gesendet: ${result}`,
  ],
  request: ['Request', 'Anfrage'],
  response: ['Answer', 'Antwort'],
  noAnswer: ['No answer', 'Keine Antwort'],
  emptyBody: ['no text', 'kein Text'],
  next: ['Next attempt', 'Nächster Versuch'],
  envelope: ['Envelope', 'Nachricht'],
  check: ['Check the signature', 'Signatur prüfen'],
  checkNote: [
    'Paste the secret of the time when it was sent. It stays in this page and is not sent anywhere.',
    'Fügen Sie das damals gültige Geheimnis ein. Es bleibt auf dieser Seite und wird nicht gesendet.',
  ],
  checkButton: ['Check', 'Prüfen'],
  all: [
    'All three signatures fit: this secret and the published key signed exactly this body.',
    'Alle drei Signaturen passen: Geheimnis und veröffentlichter Schlüssel haben genau diesen Text signiert.',
  ],
  secretOnly: [
    'The signatures with the secret fit. The one with the published key could not be confirmed.',
    'Die Signaturen mit dem Geheimnis passen. Die mit dem veröffentlichten Schlüssel ließ sich nicht bestätigen.',
  ],
  noneFits: [
    'The signatures do not fit this secret. Was it replaced since?',
    'Die Signaturen passen nicht zu diesem Geheimnis. Wurde es inzwischen ersetzt?',
  ],
  needsHttps: [
    'Browsers check signatures only on https and on localhost.',
    'Browser prüfen Signaturen nur über https und auf localhost.',
  ],
  tail: ['Live stream', 'Laufende Nachrichten'],
  tailNote: [
    'Every envelope of this mode as it is written, before and beside the deliveries.',
    'Jede Nachricht dieses Modus, sobald sie geschrieben ist, unabhängig von den Zustellungen.',
  ],
  start: ['Watch', 'Zusehen'],
  stop: ['Stop', 'Anhalten'],
  open: ['Connected. New envelopes appear here.', 'Verbunden. Neue Nachrichten erscheinen hier.'],
  connecting: ['Connecting…', 'Verbindung wird aufgebaut…'],
  broken: [
    'The stream has ended. It may be full: each platform has a limit of open streams.',
    'Die Verbindung ist beendet. Jede Plattform darf nur eine Zahl davon offen haben.',
  ],
  notHere: [
    'The stream is not available while you look at a platform as the operator.',
    'Die Nachrichten stehen nicht bereit, während Sie eine Plattform als Betreiber ansehen.',
  ],
});
