import { counted } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Inbox', 'Eingang'],
  what: ['What', 'Was'],
  kinds: {
    confirmations: ['Confirmations', 'Bestätigungen'],
    references: ['References', 'Referenzen'],
    campaigns: ['Campaigns', 'Kampagnen'],
    disputes: ['Disputes', 'Streitfälle'],
  },
  status: ['Status', 'Stand'],
  subject: ['Subject', 'Person'],
  counterparty: ['Counterparty', 'Gegenseite'],
  asked: ['Asked', 'Gefragt'],
  ends: ['Answer until', 'Antwort bis'],
  answered: ['Answered', 'Beantwortet'],
  opened: ['Opened', 'Eröffnet'],
  deadline: ['Deadline', 'Frist'],
  all: ['All', 'Alle'],
  event: ['Event', 'Ereignis'],
  description: ['Description', 'Beschreibung'],
  claim: ['Claim', 'Angabe'],
  id: ['Id', 'ID'],
  outcome: ['Outcome', 'Ausgang'],
  lapsed: ['because the time was over', 'weil die Zeit um war'],
  cancel: ['Withdraw the request', 'Anfrage zurückziehen'],
  cancelSure: [
    (name: string) => `Withdraw the request to ${name}?`,
    (name: string) => `Anfrage an ${name} zurückziehen?`,
  ],
  cancelLost: [
    'Its link stops working, and nobody can answer it any more. It cannot be sent again.',
    'Ihr Link gilt nicht mehr, und niemand kann sie mehr beantworten. Sie lässt sich nicht noch einmal senden.',
  ],
  cancelKept: [
    'The score does not change. You can make a new request with a new link.',
    'Der Wert ändert sich nicht. Sie können eine neue Anfrage mit neuem Link erstellen.',
  ],
  cancelled: ['Withdrawn. Its link no longer works.', 'Zurückgezogen. Ihr Link gilt nicht mehr.'],
  resolve: ['End the dispute', 'Streit beenden'],
  resolveNote: [
    'The outcome follows from the disputed event: against the subject if it is verified, else for the subject. Nobody chooses it.',
    'Der Ausgang folgt aus dem strittigen Ereignis: zulasten der Person, wenn es bestätigt ist, sonst zu ihren Gunsten. Niemand wählt ihn.',
  ],
  resolveSure: [
    (subject: string) => `End the dispute about ${subject} now?`,
    (subject: string) => `Streit über ${subject} jetzt beenden?`,
  ],
  resolveLost: [
    'This cannot be undone, and the outcome cannot be disputed a second time.',
    'Das lässt sich nicht rückgängig machen, und über das Ergebnis kann nicht noch einmal gestritten werden.',
  ],
  resolved: {
    FOR_USER: ['The dispute has ended for the subject.', 'Der Streit ist zugunsten der Person beendet.'],
    AGAINST_USER: [
      'The dispute has ended against the subject.',
      'Der Streit ist zulasten der Person beendet.',
    ],
  },
  caseTitle: ['Dispute', 'Streitfall'],
  searchDisputes: ['Search: subject, outcome, reason, reference', 'Suchen: Person, Ergebnis, Grund, Verweis'],
  stakes: {
    LOW: ['low stake', 'geringer Einsatz'],
    MEDIUM: ['medium stake', 'mittlerer Einsatz'],
    HIGH: ['high stake', 'hoher Einsatz'],
  },
  reason: ['Reason', 'Grund'],
  note: ['Reason or reference', 'Grund oder Verweis'],
  overdue: ['overdue: ended', 'überfällig: endete'],
  effect: ['What each end would do to the score', 'Was jedes Ende am Wert ändern würde'],
  endsBy: {
    resolution: ['If you end it now:', 'Wenn Sie ihn jetzt beenden:'],
    lapse: ['If nobody ends it before the deadline:', 'Wenn ihn niemand vor der Frist beendet:'],
  },
  itEnds: ['It ends', 'Er endet'],
  eitherWay: ['In any case it ends:', 'In jedem Fall endet er:'],
  endsAs: {
    FOR_USER: ['for the subject', 'zugunsten der Person'],
    AGAINST_USER: ['against the subject', 'zulasten der Person'],
  },
  frozen: [
    'The score is frozen under review. It follows when the operator has looked at it.',
    'Der Wert ist in Prüfung eingefroren. Er folgt, sobald der Betreiber ihn angesehen hat.',
  ],
  answeredBy: ['How it was answered', 'Wie geantwortet wurde'],
  byAsker: [
    'from the network or with the key that asked',
    'aus dem Netz oder mit dem Schlüssel, der gefragt hat',
  ],
  campaign: ['Campaign', 'Kampagne'],
  funnel: ['Confirmed of all', 'Bestätigt von allen'],
  confirmed: ['Confirmed', 'Bestätigt'],
  declined: ['Declined', 'Verneint'],
  waiting: ['Waiting', 'Wartet'],
  endsIn: ['ends', 'endet'],
  empty: [
    'Nothing here. Ask a counterparty on the page of a subject.',
    'Nichts hier. Fragen Sie eine Gegenseite auf der Seite einer Person.',
  ],
  emptyCampaigns: [
    'No campaign yet. Start one to ask about many past outcomes at once.',
    'Noch keine Kampagne. Beginnen Sie eine, um nach vielen früheren Ergebnissen auf einmal zu fragen.',
  ],
  newCampaign: ['New campaign', 'Neue Kampagne'],
  campaignName: ['Name of the campaign', 'Name der Kampagne'],
  list: [
    'Outcomes and counterparties, one a line, below a line with the names of the columns',
    'Ergebnisse und Gegenseiten, je eines in einer Zeile, unter einer Zeile mit den Namen der Spalten',
  ],
  columns: [
    (required: string, optional: string) => `Needed: ${required}. Understood as well: ${optional}.`,
    (required: string, optional: string) => `Nötig: ${required}. Auch verstanden: ${optional}.`,
  ],
  listFile: ['Or a CSV file', 'Oder eine CSV-Datei'],
  defaultType: ['Event type of rows that name none', 'Ereignisart von Zeilen ohne eine'],
  missingColumns: [
    (names: string) => `These columns are missing: ${names}.`,
    (names: string) => `Diese Spalten fehlen: ${names}.`,
  ],
  unusedColumns: [
    (names: string) => `Nothing is made of these columns: ${names}.`,
    (names: string) => `Aus diesen Spalten wird nichts: ${names}.`,
  ],
  tooManyRows: [
    (count: string) => `More than ${count} rows. Split the list.`,
    (count: string) => `Mehr als ${count} Zeilen. Teilen Sie die Liste.`,
  ],
  preview: ['The message to the first counterparty', 'Die Nachricht an die erste Gegenseite'],
  askAll: [
    (count: number) => `Make ${counted(count, 'request', 'requests')}`,
    (count: number) => `${counted(count, 'Anfrage', 'Anfragen')} erstellen`,
  ],
  asking: [
    (done: string, all: string) => `${done} of ${all}…`,
    (done: string, all: string) => `${done} von ${all} …`,
  ],
  askedNow: ['Requests made', 'Erstellt'],
  askedBefore: ['Asked before', 'Schon gefragt'],
  failed: ['Failed', 'Gescheitert'],
  linksOnce: [
    'The links are shown once. Save the messages and send them over your own channel: the service writes to nobody.',
    'Die Links sind nur jetzt zu sehen. Sichern Sie die Nachrichten und senden Sie sie auf Ihrem eigenen Weg: Der Dienst schreibt niemandem.',
  ],
  saveMessages: ['Save messages and links', 'Nachrichten und Links sichern'],
  emptyDisputes: [
    'No dispute here. A dispute opens on an adverse outcome, on the page of its subject.',
    'Kein Streitfall hier. Ein Streit beginnt an einem nachteiligen Ergebnis, auf der Seite der Person.',
  ],
  noMatch: ['Nothing has this status.', 'Nichts hat diesen Stand.'],
});
