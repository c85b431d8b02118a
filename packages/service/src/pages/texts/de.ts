import type { Texts } from './texts.js';
import { verifyDe } from './verifyDe.js';

export const de: Texts = {
  tag: 'de',
  locale: 'de-DE',
  name: 'Deutsch',
  utc: 'UTC (Weltzeit)',
  languageLabel: 'Sprache',
  testNote: 'Dies ist ein Test. Es wird nichts Echtes vermerkt.',

  ask: {
    title: (platform) => `Stimmt das? ${platform} fragt Sie`,
    asks: (platform) => `${platform} fragt Sie`,
    greeting: 'Guten Tag,',
    greetingTo: (name) => `Guten Tag ${name},`,
    heading: 'Stimmt das?',
    confirmationLead: (platform, subject) =>
      `${platform} hält fest, wie die Arbeit mit ${subject} verlaufen ist, und nennt Sie als Beteiligte oder Beteiligten. Bitte lesen Sie den Eintrag und sagen Sie, ob er stimmt.`,
    referenceLead: (platform, subject) =>
      `${subject} hat ${platform} mitgeteilt, was unten steht, und nennt Sie als jemanden, der es weiß. Bitte lesen Sie es und sagen Sie, ob es stimmt.`,
    inWordsOf: (platform) => `In den Worten von ${platform}`,
    about: 'Es geht um',
    calledSoBy: (platform) => `so nennt ${platform} diese Person oder Firma`,
    value: 'Wert',
    valueUnit: (platform) => `eine eigene Zahl von ${platform}, keine Währung`,
    due: 'Fällig',
    completed: 'Erledigt',
    organization: 'Wo',
    from: 'Von',
    until: 'Bis',
    meaningHeading: 'Was Ihre Antwort bewirkt',
    yes: 'Ja, das stimmt',
    no: 'Nein, das stimmt nicht',
    yesMeans: (subject, weight) =>
      `Der Eintrag wird bei ${subject} als von anderer Seite bestätigt vermerkt. ${YES_WEIGHS[weight]}`,
    yesMeansReference: (subject) =>
      `Der Eintrag kommt als von anderer Seite bestätigt in das Profil von ${subject}. Eine Bewertung ändert er nicht.`,
    noMeans: 'Es wird nichts vermerkt. Ein Nein schadet niemandem.',
    answerBy: (moment) => `Sie können bis ${moment} antworten.`,
    chooseOne: 'Bitte wählen Sie eine der beiden Antworten.',
    nextHeading: 'Gut zu wissen',
    next: (platform) => [
      `${platform} erfährt Ihre Antwort. Sie können einmal antworten und es danach nicht mehr ändern.`,
      'Wenn Sie unsicher sind oder nichts sagen möchten, schließen Sie die Seite einfach. Ohne Antwort wird nichts vermerkt.',
      'Ihre Antwort ist kein Vertrag und keine Unterschrift. Sie brauchen kein Konto, und diese Seite setzt keine Cookies.',
      `Aufbewahrt werden Ihre Antwort und ihr Zeitpunkt, ungefähr aus welchem Netz sie kam, die Art des Browsers und was ${platform} selbst dazu und über Sie geschrieben hat.`,
    ],
  },

  outcomes: {
    TRANSACTION_COMPLETED: 'Ein Auftrag, ein Kauf oder eine Bestellung wurde erledigt.',
    TRANSACTION_DISPUTED: 'Über einen Auftrag, einen Kauf oder eine Bestellung gab es Streit.',
    TRANSACTION_CANCELLED: 'Ein Auftrag, ein Kauf oder eine Bestellung wurde abgesagt.',
    REVIEW_VERIFIED: 'Eine Bewertung kam von jemandem, der wirklich dabei war.',
    CONTRACT_FULFILLED: 'Eine Abmachung wurde eingehalten: Was versprochen war, wurde getan.',
    CONTRACT_CANCELLED: 'Eine Abmachung wurde abgesagt.',
    CONTRACT_BREACHED: 'Eine Abmachung wurde gebrochen: Was versprochen war, wurde nicht getan.',
  },
  claims: {
    employment: 'Hat in dieser Stellung gearbeitet.',
    education: 'Hat dies gelernt.',
    certification: 'Besitzt dieses Zeugnis.',
    skill: 'Kann dies.',
  },

  confirmed: (platform, subject) => ({
    title: `Danke, bestätigt: ${platform}`,
    heading: 'Danke. Es ist bestätigt.',
    paragraphs: [
      `Der Eintrag steht nun bei ${subject}, bestätigt von Ihnen. ${platform} kann Ihre Antwort sehen.`,
      DONE,
    ],
  }),
  referenceConfirmed: (platform, subject) => ({
    title: `Danke, bestätigt: ${platform}`,
    heading: 'Danke. Es ist bestätigt.',
    paragraphs: [
      `Der Eintrag steht nun im Profil von ${subject}, bestätigt von Ihnen. ${platform} kann Ihre Antwort sehen.`,
      DONE,
    ],
  }),
  declined: (platform, subject) => ({
    title: `Ihr Nein ist notiert: ${platform}`,
    heading: 'Danke. Ihr Nein ist notiert.',
    paragraphs: [
      `Bei ${subject} wurde nichts vermerkt, und es schadet niemandem. ${platform} kann sehen, dass Sie Nein gesagt haben.`,
      DONE,
    ],
  }),
  alreadyAnswered: (answer, moment, platform) => ({
    title: `Schon beantwortet: ${platform}`,
    heading: 'Das ist schon beantwortet.',
    paragraphs: [
      `Die Antwort war „${answer === 'yes' ? 'Ja, das stimmt' : 'Nein, das stimmt nicht'}“${moment && `, gegeben am ${moment}`}. Sie wird einmal gegeben und bleibt, wie sie ist.`,
      `Wenn Sie das nicht waren, sagen Sie es bitte ${platform}. Sonst ist nichts weiter zu tun.`,
    ],
  }),
  expired: (moment, platform) => ({
    title: `Die Zeit ist um: ${platform}`,
    heading: 'Die Zeit für eine Antwort ist um.',
    paragraphs: [
      `Sie endete am ${moment}. Es wurde nichts vermerkt, und es schadet niemandem.`,
      `Wenn es noch wichtig ist, kann ${platform} Ihnen einen neuen Link schicken.`,
    ],
  }),
  cancelled: (platform) => ({
    title: `Frage zurückgezogen: ${platform}`,
    heading: 'Diese Frage wurde zurückgezogen.',
    paragraphs: [`${platform} braucht keine Antwort mehr. Es wurde nichts vermerkt.`, DONE],
  }),
  wrongLink: {
    title: 'Dieser Link geht nicht',
    heading: 'Dieser Link geht nicht.',
    paragraphs: [
      'Vielleicht fehlt ein Stück, weil die Nachricht eine lange Zeile umbricht. Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz.',
      'Wenn Sie schon geantwortet haben, ist alles getan. Geht der Link weiterhin nicht, bitten Sie den Absender um einen neuen.',
    ],
  },
  noOtherParty: {
    title: 'Jemand anderes muss antworten',
    heading: 'Jemand anderes muss antworten.',
    paragraphs: [
      'Der Name, an den diese Frage ging, wurde inzwischen als derjenige angegeben, um den es geht oder der dahinter steht. Niemand kann die eigene Arbeit bestätigen.',
      'Ihre Antwort wurde nicht gespeichert. Bitte sagen Sie dem Absender des Links Bescheid.',
    ],
  },
  closed: {
    title: 'Derzeit werden keine Antworten angenommen',
    heading: 'Derzeit werden keine Antworten angenommen.',
    paragraphs: [
      'Wer Ihnen diesen Link geschickt hat, nimmt im Moment keine Antworten an. Es wurde nichts eingetragen, und es zählt gegen niemanden.',
      'Wenn es noch wichtig ist, fragen Sie dort, ob Ihr Link wieder gehen wird.',
    ],
  },
  tooMany: {
    title: 'Bitte eine Minute warten',
    heading: 'Bitte warten Sie eine Minute.',
    paragraphs: [
      'Aus Ihrem Netz kamen gerade zu viele Anfragen. Öffnen Sie Ihren Link danach noch einmal: Es geht nichts verloren.',
    ],
  },
  unavailable: {
    title: 'Gerade nicht erreichbar',
    heading: 'Diese Seite ist gerade nicht erreichbar.',
    paragraphs: [
      'Bitte öffnen Sie Ihren Link in ein paar Minuten noch einmal. Haben Sie eben geantwortet, zeigt er, ob die Antwort ankam.',
    ],
  },
  unreadable: {
    title: 'Das war nicht lesbar',
    heading: 'Das war nicht lesbar.',
    paragraphs: ['Bitte öffnen Sie Ihren Link noch einmal und wählen Sie dort eine der beiden Antworten.'],
  },
  failed: {
    title: 'Etwas ist schiefgegangen',
    heading: 'Bei uns ist etwas schiefgegangen.',
    paragraphs: [
      'Bitte öffnen Sie Ihren Link in ein paar Minuten noch einmal. Haben Sie eben geantwortet, zeigt er, ob die Antwort ankam.',
    ],
  },
  requestId: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',

  verify: verifyDe,

  backTo: (host) => `Zurück zu ${host}`,
  shownBy: (host, platform) => `${host} zeigt diese Seite für ${platform}.`,
};

const YES_WEIGHS = {
  for: 'Er zählt dort positiv.',
  neither: 'Er zählt dort weder positiv noch negativ.',
  against: 'Er zählt dort negativ.',
};

const DONE = 'Es ist nichts weiter zu tun. Sie können die Seite schließen.';
