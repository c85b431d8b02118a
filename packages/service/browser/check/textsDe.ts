import { stepTextsDe } from '@reliability/proof';
import { bandNamesDe } from '../../src/domain/bandNamesDe.js';
import type { Texts } from './texts.js';

export const de: Texts = {
  locale: 'de-DE',
  titles: {
    credentialGood: 'Dieser Nachweis ist echt und gültig.',
    credentialOpen: 'Dieser Nachweis ist echt, aber nicht alles ließ sich prüfen.',
    forged: 'Verlassen Sie sich nicht auf diesen Nachweis: Die Unterschrift ist ungültig.',
    expired: 'Dieser Nachweis ist echt, gilt heute aber nicht.',
    withdrawn: 'Dieser Nachweis wurde zurückgezogen.',
    logDiffers: 'Verlassen Sie sich nicht auf diesen Nachweis: Das öffentliche Protokoll passt nicht dazu.',
    receipt: {
      good: 'Diese Quittung ist echt.',
      open: 'An dieser Quittung ist nichts falsch, aber nicht alles ließ sich prüfen.',
      bad: 'Verlassen Sie sich nicht auf diese Quittung.',
    },
    proof: {
      good: 'Dieser Beleg ist echt, und die Bewertung folgt aus den Einträgen.',
      open: 'An diesem Beleg ist nichts falsch, aber nicht alles ließ sich prüfen.',
      bad: 'Verlassen Sie sich nicht auf diesen Beleg.',
    },
    notChecked: 'Das wurde nicht geprüft.',
  },
  marks: { ok: 'Ja', failed: 'Nein', open: 'Nicht geprüft' },
  saysHeading: 'Was darin steht',
  findingsHeading: 'Was geprüft wurde',
  questions: {
    issuer: 'Kommt er von diesem Dienst?',
    signature: 'Ist er unverändert, seit er unterschrieben wurde?',
    dates: 'Gilt er heute?',
    status: 'Ist er noch in Kraft?',
    held: 'Steht die Bewertung im öffentlichen Protokoll?',
  },
  steps: {
    format: 'Ist die Datei vollständig?',
    checkpoint: 'Hat das Protokoll dieses Dienstes sie unterschrieben?',
    witnesses: 'Haben Zeugen dasselbe Protokoll unterschrieben?',
    history: 'Steht alles noch unverändert im Protokoll?',
    event: 'Steht der Eintrag im Protokoll?',
    snapshot: 'Steht die Bewertung im Protokoll?',
    events: 'Steht jeder Eintrag im Protokoll?',
    completeness: 'Sind alle Einträge da?',
    subject: 'Geht es in allen Einträgen um dieselbe Person?',
    score: 'Folgt die Bewertung aus den Einträgen?',
    reasons: 'Folgen die Gründe aus den Einträgen?',
    age: 'Sind die Zeitangaben möglich?',
  },
  verifier: stepTextsDe,
  says: {
    type: 'Art',
    score: 'Bewertung',
    asOf: 'Stand',
    subject: 'Über',
    user: 'Kennung',
    event: 'Eintrag',
    date: 'Zeitpunkt',
    place: 'Platz im Protokoll',
  },
  bands: bandNamesDe,
  types: {
    ServiceEarningsCredential: 'Einkünfte',
    ServiceProfessionalRecordCredential: 'Berufliches Profil',
    ServiceDeliveryReceiptCredential: 'Bestätigte Leistungen',
    ServiceAgentDeliveryCredential: 'Leistungen eines Agenten',
    ServiceBusinessRecordCredential: 'Leistungen eines Unternehmens',
    OpenBadgeCredential: 'Open Badge',
  },
  working: 'Wird geprüft …',
  empty: 'Fügen Sie zuerst einen Text ein oder wählen Sie eine Datei.',
  unreadable:
    'Das ist kein Nachweis, keine Quittung und kein Beleg einer Bewertung. Kopieren Sie alles, vom ersten bis zum letzten Zeichen.',
  tooLarge: 'Diese Datei ist größer als 50 MB. Prüfen Sie sie mit dem Befehl `reliability verify`.',
  noWebCrypto:
    'Dieser Browser kann Unterschriften der Art Ed25519 nicht prüfen, oder die Adresse dieser Seite beginnt nicht mit https. Verwenden Sie einen aktuellen Browser.',
  unreachable:
    'Die öffentlichen Schlüssel ließen sich nicht laden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  refused: (path, status) =>
    `${path} ließ sich nicht laden (Status ${status}). Versuchen Sie es in einer Minute noch einmal.`,
  nobody: 'niemand',
  otherIssuer: (issuer) =>
    `Darin steht ein anderer Aussteller: ${issuer}. Nur er kann sagen, ob er das unterschrieben hat und ob es noch gilt.`,
  otherLog: (origin) => `Das kommt aus einem anderen Protokoll: ${origin}. Prüfen Sie es bei jenem Dienst.`,
  checkThere: (host) => `Bei ${host} prüfen`,
  issuedBy: (address) => `Als Aussteller steht darin ${address}.`,
  signed: 'Die Unterschrift passt zu einem öffentlichen Schlüssel dieses Dienstes.',
  unknownKey: 'Kein öffentlicher Schlüssel dieses Dienstes hat ihn unterschrieben.',
  forged: 'Die Unterschrift passt nicht. Jemand anderes hat ihn gemacht, oder er wurde verändert.',
  validUntil: (moment) => `Gültig bis ${moment}.`,
  expired: (moment) => `Er galt bis ${moment}. Bitten Sie um einen neuen.`,
  notYet: (moment) => `Er gilt erst ab ${moment}.`,
  notWithdrawn: 'Er wurde nicht zurückgezogen.',
  withdrawn: 'Die Person oder Firma, um die es geht, hat ihn zurückgezogen. Bitten Sie um einen neuen.',
  noStatus: 'Er nennt keine Statusliste dieses Dienstes.',
  badStatusList: 'Die Statusliste dieses Dienstes ließ sich nicht prüfen.',
  heldSince: (entry, moment) =>
    `Die Bewertung steht als Eintrag ${entry} seit ${moment} im Protokoll, und auch das heutige Protokoll enthält sie.`,
  notHeld: 'Der Weg zum Protokoll, der darin steht, ist ungültig.',
  shrunk: (now, before) =>
    `Das Protokoll hat jetzt ${now} Einträge, unterschrieben waren ${before}. Ist das in einer Minute noch so, gingen Einträge verloren.`,
  changed: 'Das heutige Protokoll ist keine Fortsetzung des unterschriebenen: Einträge wurden verändert.',
  notInLog: 'In diesem Nachweis steht nicht, wo die Bewertung im öffentlichen Protokoll ist.',
  whose:
    'Ein Nachweis zeigt nicht, wer ihn geschickt hat. Vergewissern Sie sich, dass es um die Person geht, von der Sie ihn haben.',
  dateOfFacts: 'Zeitangaben folgen der Uhr des Dienstes.',
  entry: (number) => `Eintrag ${number}`,
};
