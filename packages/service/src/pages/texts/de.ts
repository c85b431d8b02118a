import { checkDe } from './checkDe.js';
import { howDe } from './howDe.js';
import { offerDe } from './offerDe.js';
import { reportDe } from './reportDe.js';
import { statusDe } from './statusDe.js';
import type { Texts } from './texts.js';
import { verifyDe } from './verifyDe.js';

export const de: Texts = {
  tag: 'de',
  locale: 'de-DE',
  name: 'Deutsch',
  utc: 'UTC (Weltzeit)',
  languageLabel: 'Sprache',
  testNote: 'Dies ist ein Test. Es wird nichts Echtes eingetragen.',

  ask: {
    title: (platform) => `Stimmt das? ${platform} fragt Sie`,
    asks: (platform) => `${platform} fragt Sie`,
    greeting: 'Guten Tag,',
    greetingTo: (name) => `Guten Tag ${name},`,
    heading: 'Stimmt das?',
    confirmationLead: (platform, subject) =>
      `${platform} hält fest, wie die Arbeit mit ${subject} gelaufen ist. Sie sind dort als beteiligt angegeben. Bitte lesen Sie den Eintrag und sagen Sie, ob er stimmt.`,
    referenceLead: (platform, subject) =>
      `${subject} hat bei ${platform} die Angaben unten gemacht und Sie als Person genannt, die sie bestätigen kann. Bitte lesen Sie die Angaben und sagen Sie, ob sie stimmen.`,
    inWordsOf: (platform) => `In den Worten von ${platform}`,
    about: 'Es geht um',
    calledSoBy: (platform) => `so heißt diese Person oder Firma bei ${platform}`,
    value: 'Wert',
    valueUnit: (platform) => `eine Zahl von ${platform}, ohne Währung`,
    due: 'Fällig',
    completed: 'Erledigt',
    organization: 'Wo',
    from: 'Von',
    until: 'Bis',
    meaningHeading: 'Was Ihre Antwort bewirkt',
    yes: 'Ja, das stimmt',
    no: 'Nein, das stimmt nicht',
    yesMeans: (subject, weight) =>
      `Der Eintrag wird bei ${subject} gespeichert und gilt als bestätigt. ${YES_WEIGHS[weight]}`,
    yesMeansReference: (subject) =>
      `Die Angaben kommen in das Profil von ${subject} und gelten dort als bestätigt. Sie ändern keine Bewertung.`,
    noMeans: 'Es wird nichts eingetragen. Ein Nein schadet niemandem.',
    answerBy: (moment) => `Sie können bis ${moment} antworten.`,
    chooseOne: 'Bitte wählen Sie eine der beiden Antworten.',
    nextHeading: 'Gut zu wissen',
    next: (platform) => [
      `${platform} sieht Ihre Antwort. Sie können nur einmal antworten und die Antwort danach nicht mehr ändern.`,
      'Wenn Sie unsicher sind oder nichts sagen möchten, schließen Sie einfach diese Seite. Ohne Antwort wird nichts eingetragen.',
      'Ihre Antwort ist kein Vertrag und keine Unterschrift. Sie brauchen kein Konto. Diese Seite setzt keine Cookies.',
      `Gespeichert werden Ihre Antwort und ihr Zeitpunkt, das Netz, aus dem sie ungefähr kam, die Art des Browsers und das, was ${platform} zum Eintrag und über Sie geschrieben hat.`,
    ],
  },

  outcomes: {
    TRANSACTION_COMPLETED: 'Ein Auftrag, ein Kauf oder eine Bestellung wurde erledigt.',
    TRANSACTION_DISPUTED: 'Bei einem Auftrag, einem Kauf oder einer Bestellung gab es Streit.',
    TRANSACTION_CANCELLED: 'Ein Auftrag, ein Kauf oder eine Bestellung wurde abgesagt.',
    REVIEW_VERIFIED: 'Eine Bewertung kam von jemandem, der wirklich dabei war.',
    CONTRACT_FULFILLED: 'Eine Abmachung wurde eingehalten: Was versprochen war, wurde getan.',
    CONTRACT_CANCELLED: 'Eine Abmachung wurde abgesagt.',
    CONTRACT_BREACHED: 'Eine Abmachung wurde gebrochen: Was versprochen war, wurde nicht getan.',
  },
  claims: {
    employment: 'Hat in dieser Position gearbeitet.',
    education: 'Hat das gelernt.',
    certification: 'Hat dieses Zertifikat.',
    skill: 'Kann das.',
  },

  confirmed: (platform, subject) => ({
    title: `Danke, bestätigt: ${platform}`,
    heading: 'Danke. Es ist bestätigt.',
    paragraphs: [
      `Der Eintrag steht jetzt bei ${subject} und ist von Ihnen bestätigt. ${platform} kann Ihre Antwort sehen.`,
      DONE,
    ],
  }),
  referenceConfirmed: (platform, subject) => ({
    title: `Danke, bestätigt: ${platform}`,
    heading: 'Danke. Es ist bestätigt.',
    paragraphs: [
      `Die Angaben stehen jetzt im Profil von ${subject} und sind von Ihnen bestätigt. ${platform} kann Ihre Antwort sehen.`,
      DONE,
    ],
  }),
  declined: (platform, subject) => ({
    title: `Ihr Nein ist notiert: ${platform}`,
    heading: 'Danke. Ihr Nein ist notiert.',
    paragraphs: [
      `Bei ${subject} wurde nichts eingetragen, und Ihr Nein schadet niemandem. ${platform} kann sehen, dass Sie Nein gesagt haben.`,
      DONE,
    ],
  }),
  alreadyAnswered: (answer, moment, platform) => ({
    title: `Schon beantwortet: ${platform}`,
    heading: 'Das wurde schon beantwortet.',
    paragraphs: [
      `Die Antwort war „${answer === 'yes' ? 'Ja, das stimmt' : 'Nein, das stimmt nicht'}“${moment && `, gegeben am ${moment}`}. Sie lässt sich nicht mehr ändern.`,
      `Wenn Sie das nicht waren, sagen Sie bitte ${platform} Bescheid. Sonst müssen Sie nichts weiter tun.`,
    ],
  }),
  expired: (moment, platform) => ({
    title: `Frist abgelaufen: ${platform}`,
    heading: 'Die Frist für eine Antwort ist abgelaufen.',
    paragraphs: [
      `Sie endete am ${moment}. Es wurde nichts eingetragen, und das schadet niemandem.`,
      `Wenn es noch wichtig ist, kann ${platform} Ihnen einen neuen Link schicken.`,
    ],
  }),
  cancelled: (platform) => ({
    title: `Frage zurückgezogen: ${platform}`,
    heading: 'Diese Frage wurde zurückgezogen.',
    paragraphs: [`${platform} braucht keine Antwort mehr. Es wurde nichts eingetragen.`, DONE],
  }),
  wrongLink: {
    title: 'Dieser Link funktioniert nicht',
    heading: 'Dieser Link funktioniert nicht.',
    paragraphs: [
      'Vielleicht fehlt ein Teil, weil die Nachricht eine lange Zeile umbricht. Öffnen Sie den Link noch einmal aus der Nachricht oder kopieren Sie ihn vollständig.',
      'Wenn Sie schon geantwortet haben, müssen Sie nichts mehr tun. Wenn der Link weiterhin nicht funktioniert, bitten Sie den Absender um einen neuen.',
      'Die Frage gibt es auch dann nicht mehr, wenn die Person, um die es ging, ihre Daten löschen ließ. Dann müssen Sie nichts tun.',
    ],
  },
  noOtherParty: {
    title: 'Jemand anderes muss antworten',
    heading: 'Jemand anderes muss antworten.',
    paragraphs: [
      'Seit diese Frage verschickt wurde, sind Sie als die Person oder Firma angegeben worden, um die es geht oder die dahintersteht. Niemand kann die eigene Arbeit bestätigen.',
      'Ihre Antwort wurde nicht gespeichert. Bitte sagen Sie dem Absender des Links Bescheid.',
    ],
  },
  closed: {
    title: 'Der Absender dieses Links ist geschlossen',
    heading: 'Der Absender dieses Links ist geschlossen.',
    paragraphs: [
      'Die Plattform, die diesen Link verschickt hat, ist geschlossen und nimmt keine Antworten an. Es wurde nichts eingetragen, und das schadet niemandem.',
      'Wenn es noch wichtig ist, fragen Sie den Absender, ob der Link wieder funktionieren wird.',
    ],
  },
  tooMany: {
    title: 'Bitte eine Minute warten',
    heading: 'Bitte warten Sie eine Minute.',
    paragraphs: [
      'Aus Ihrem Netz kamen zu viele Anfragen. Öffnen Sie Ihren Link in einer Minute noch einmal. Es geht nichts verloren.',
    ],
  },
  unavailable: {
    title: 'Zurzeit nicht erreichbar',
    heading: 'Diese Seite ist zurzeit nicht erreichbar.',
    paragraphs: [
      'Bitte öffnen Sie Ihren Link in ein paar Minuten noch einmal. Wenn Sie gerade geantwortet haben, sehen Sie dann, ob Ihre Antwort angekommen ist.',
    ],
  },
  unreadable: {
    title: 'Das war nicht lesbar',
    heading: 'Das war nicht lesbar.',
    paragraphs: ['Bitte öffnen Sie Ihren Link noch einmal und wählen Sie dort eine der beiden Antworten.'],
  },
  failed: {
    title: 'Ein Fehler ist aufgetreten',
    heading: 'Bei uns ist ein Fehler aufgetreten.',
    paragraphs: [
      'Bitte öffnen Sie Ihren Link in ein paar Minuten noch einmal. Wenn Sie gerade geantwortet haben, sehen Sie dann, ob Ihre Antwort angekommen ist.',
    ],
  },
  requestId: 'Wenn Sie um Hilfe bitten, nennen Sie bitte diese Nummer:',

  verify: verifyDe,
  check: checkDe,
  how: howDe,
  status: statusDe,
  offer: offerDe,
  report: reportDe,

  backTo: (host) => `Zurück zu ${host}`,
  shownBy: (host, platform) => `${host} stellt diese Seite für ${platform} bereit.`,
};

const YES_WEIGHS = {
  for: 'Er zählt dort positiv.',
  neither: 'Er zählt dort weder positiv noch negativ.',
  against: 'Er zählt dort negativ.',
};

const DONE = 'Sie müssen nichts weiter tun. Sie können die Seite schließen.';
