import { type Figures, type ReasonDifference, type StepTexts, shortened } from './stepTexts.js';

/** The sentences of the verifier in German. Causes that a program reports (`reason`) stay English. */
export const stepTextsDe: StepTexts = {
  notAProof: ({ reason }) => `Das ist keine Quittung und kein Beleg einer Bewertung. ${reason}.`,
  isReceipt: () => 'Das ist eine Quittung.',
  isScoreProof: () => 'Das ist der Beleg einer Bewertung.',
  isHeldFile: () => 'Das ist alles, was über eine Person gespeichert ist, mit dem Beleg einer Bewertung.',
  isHeldFileWithoutScore: () =>
    'Das ist alles, was über eine Person gespeichert ist, ohne den Beleg einer Bewertung.',

  checkpointUnreadable: ({ reason }) => `Der Stand des Protokolls ist nicht lesbar. ${reason}.`,
  signerUnchecked: ({ origin }) =>
    `Nicht geprüft, wer unterschrieben hat: Es wurde kein Schlüssel des Protokolls angegeben. Der Stand nennt ${origin}.`,
  otherLog: ({ origin, keyName }) =>
    `Der Stand ist aus dem Protokoll ${origin}, der Schlüssel gehört zu ${keyName}.`,
  notSigned: ({ keys }) => `Der Stand ist nicht mit dem Schlüssel ${keys.join(' oder ')} unterschrieben.`,
  badSignature: ({ origin }) =>
    `Die Unterschrift von ${origin} ist ungültig: Der Stand oder die Unterschrift wurde verändert.`,
  signed: ({ origin, size }) =>
    `${origin} hat den Stand seiner ersten ${whole(size)} Einträge unterschrieben.`,

  ownWitness: ({ witness }) =>
    `${witness} ist das Protokoll selbst: Seine eigene Unterschrift ist nicht die eines Zeugen.`,
  cosignatureUnreadable: ({ reason }) => `Die Unterschrift eines Zeugen ist nicht lesbar. ${reason}.`,
  badCosignature: ({ witness }) => `Die Unterschrift des Zeugen ${witness} ist ungültig.`,
  tooFewWitnesses: ({ count, of, quorum }) =>
    `${count} von ${of} Zeugen haben den Stand unterschrieben, nötig sind ${quorum}.`,
  cosigned: ({ of, witnesses }) =>
    witnesses.length === 0
      ? `Von ${of} Zeugen hat keiner den Stand unterschrieben.`
      : `${witnesses.length} von ${of} Zeugen haben den Stand unterschrieben: ${witnesses.join(', ')}.`,

  keptUnsound: () => 'Der aufbewahrte Stand: ',
  presentUnreadable: () => 'Nicht geprüft: Der Stand in diesem Beleg ist nicht gültig.',
  otherKeptLog: ({ kept, current }) => `Der aufbewahrte Stand ist von ${kept}, dieser ist von ${current}.`,
  sameFacts: () => 'Der andere Stand hat dieselben Einträge.',
  twoLogs: ({ origin, size }) =>
    `${origin} hat zwei verschiedene Protokolle mit ${whole(size)} Einträgen unterschrieben. Bewahren Sie beide auf: Sie beweisen es.`,
  consistencyMissing: ({ from, to }) =>
    `Nicht geprüft: Dazu fehlt die Antwort von GET /log/consistency?from=${from}&to=${to}.`,
  continued: ({ from, to }) =>
    `Das Protokoll mit ${whole(from)} Einträgen ist der Anfang von dem mit ${whole(to)}: Nichts darin wurde verändert.`,
  notContinued: ({ from, to }) =>
    `Nichts zeigt, dass das Protokoll mit ${whole(from)} Einträgen der Anfang von dem mit ${whole(to)} ist: Einträge wurden verändert oder entfernt.`,

  keptNotIncluded: () => 'Die aufbewahrte Datei führt nicht zu ihrem eigenen Stand: Sie wurde verändert.',
  keptOtherSubject: () =>
    'Nicht verglichen: In der aufbewahrten Datei geht es um jemand anderen. Nur die Protokolle wurden verglichen.',
  keptChanged: ({ eventId, position, kept, now }) =>
    `Der Eintrag ${eventId} an Stelle ${whole(position)} hatte in der aufbewahrten Datei die Nummer ${whole(kept)}. Hier steht an dieser Stelle die Nummer ${whole(now)}: Die Einträge wurden ein zweites Mal eingetragen oder verändert.`,
  keptDisorder: ({ eventId, position }) =>
    `Der Eintrag ${eventId} an Stelle ${whole(position)} folgt nicht auf die Einträge der aufbewahrten Datei: Sie wurden ein zweites Mal eingetragen oder verändert.`,
  keptMissing: ({ eventId, count }) =>
    `Von der aufbewahrten Datei fehlen hier ${whole(count)} Einträge, der erste ist ${eventId}.`,
  keptNotCounted: ({ eventId }) =>
    `Nicht verglichen: Diese Bewertung zählt den Eintrag ${eventId} der aufbewahrten Datei noch nicht.`,
  keptByReceipt: ({ count }) =>
    `Nicht verglichen: Eine Quittung zeigt nur einen Eintrag, ${whole(count)} der aufbewahrten Datei fehlen darin. Nehmen Sie den Beleg der Bewertung.`,
  keptContained: ({ count }) =>
    `Die Einträge der aufbewahrten Datei stehen hier am selben Platz und unverändert: ${whole(count)}.`,

  otherEvent: ({ eventId, kind, factId }) =>
    `Die Quittung ist für den Eintrag ${eventId}, darin steht aber ${kind} ${factId}.`,
  noCheckpoint: () => 'Nicht geprüft: Der Stand des Protokolls ist nicht lesbar.',
  notIncluded: ({ of, wrong }) =>
    `Inhalt, Salz, Nummer und Weg führen nicht zum unterschriebenen Stand: ${
      of === 'events' ? shortened(wrong, 'Eintrag', 'weitere', 'und') : NAMES[of]
    }. Etwas davon wurde verändert, oder es steht nicht im Protokoll.`,
  samePlace: () => 'Zwei Einträge haben denselben Platz im Protokoll.',
  included: ({ of, index }) => `${NAMES[of]} steht im Protokoll unter der Nummer ${whole(index)}.`,
  noEvents: () => 'In diesem Protokoll sind keine Einträge.',
  allIncluded: ({ count }) => `Jeder Eintrag des Belegs steht im Protokoll: ${whole(count)}.`,

  notASnapshot: ({ kind }) => `Statt einer Bewertung steht hier ein Eintrag der Art ${kind}.`,
  otherMembers: ({ counted, here }) =>
    `Die Bewertung zählt ${whole(counted.events)} Einträge von ${whole(counted.members)} Konten. Hier sind ${whole(here.events)} von ${whole(here.members)}, und nicht dieselben: Die Datei wurde verändert oder ist nicht vollständig. Fordern Sie sie noch einmal an.`,
  noOwnEvents: () => 'Die Datei nennt nicht das Konto, um das es in der Bewertung geht.',
  unshownSubject: ({ subject }) =>
    `Kein Eintrag zeigt, ob die Einträge von ${subject} wirklich dazu gehören.`,
  sameSubject: ({ subject }) => `Das Konto ${subject} wird zweimal gezählt.`,
  otherOrder: ({ position }) =>
    `Der Eintrag an Stelle ${whole(position)} steht im Protokoll vor seinem Vorgänger.`,
  otherKind: ({ position, kind }) => `Der Eintrag an Stelle ${whole(position)} ist von der Art ${kind}.`,
  otherSubject: ({ eventId }) => `Im Eintrag ${eventId} geht es um jemand anderen als in der Bewertung.`,
  otherPosition: ({ eventId, found, position }) =>
    `Der Eintrag ${eventId} hat die Stelle ${whole(found)}, erwartet ist ${whole(position)}.`,
  otherPrevious: ({ eventId, position }) =>
    `Der Eintrag ${eventId} an Stelle ${whole(position)} nennt einen anderen Vorgänger als den, der hier steht.`,
  hiddenChain: ({ hidden }) => `Von ${whole(hidden)} eigenen Einträgen ist nur der Fingerabdruck da.`,
  sameEvent: ({ eventId, position }) =>
    `Der Eintrag ${eventId} an Stelle ${whole(position)} wurde schon gezählt.`,
  complete: ({ position, others }) => {
    const own =
      position === 0
        ? 'Es gibt keine eigenen Einträge'
        : `Alle Einträge von Stelle 1 bis ${whole(position)} sind da: Jeder nennt den vor ihm, und die Bewertung legt alle fest`;
    return others === 0
      ? `${own}.`
      : `${own}. Von verknüpften Konten sind alle ${whole(others)} Einträge da, die die Bewertung zählt.`;
  },

  noPlatform: ({ userId }) =>
    `Nicht geprüft, ob es um ${JSON.stringify(userId)} geht: Kein Eintrag nennt die Plattform.`,
  severalPlatforms: () => 'Die Einträge sind von mehreren Plattformen.',
  notAbout: ({ userId, platformId }) =>
    `In den Einträgen geht es nicht um ${JSON.stringify(userId)} der Plattform ${platformId}.`,
  about: ({ userId, platformId }) =>
    `In den Einträgen geht es um ${JSON.stringify(userId)} der Plattform ${platformId}.`,

  incomplete: () => 'Nicht nachgerechnet: In der Datei sind nicht die Einträge, die die Bewertung zählt.',
  noSnapshot: () => 'Der Beleg hat keine Bewertung.',
  otherFormula: ({ formula, known }) =>
    `Nicht nachgerechnet: Die Bewertung folgt der Formel ${formula}, bekannt ist hier ${known}.`,
  hiddenFacts: ({ hidden, of }) =>
    `Nicht nachgerechnet: ${whole(hidden)} von ${whole(of)} Einträgen sind von einer anderen Plattform. Von ihnen ist nur der Fingerabdruck da.`,
  notComputable: ({ reason }) => `Aus diesen Einträgen lässt sich keine Bewertung berechnen. ${reason}.`,
  otherDay: ({ asOf, at }) =>
    `Die Bewertung gilt für den ${asOf}, wurde aber am ${at} veröffentlicht. Sie muss für diesen Tag (UTC) gelten.`,
  laterEvent: ({ eventId, eventAt, at }) =>
    `Die Bewertung wurde am ${at} veröffentlicht. Der Eintrag ${eventId}, den sie zählt, kam erst am ${eventAt} dazu.`,
  otherScore: ({ ours, theirs, asOf }) =>
    `Die Einträge ergeben am ${asOf} ${ours ? figures(ours) : 'keine Bewertung'}, veröffentlicht ist ${figures(theirs)}.`,
  sameScore: ({ formula, asOf, ours }) =>
    `Nachgerechnet mit der Formel ${formula} für den ${asOf}: ${figures(ours)}, wie veröffentlicht.`,

  noReasons: () => 'Nicht geprüft: In diesem Beleg stehen keine Gründe.',
  reasonsUncomputed: () => 'Nicht nachgerechnet: Aus diesen Einträgen lässt sich keine Bewertung berechnen.',
  otherReasons: ({ asOf, differences }) =>
    `Die Einträge ergeben am ${asOf} ${differences.map(difference).join('; ')}.`,
  sameReasons: ({ asOf, adverse, supporting }) =>
    `Nachgerechnet für den ${asOf}: dieselben Punkte jedes Faktors, gesenkt durch ${codes(adverse)}, gestützt durch ${codes(supporting)}, wie angegeben.`,

  completeGoesBack: ({ eventId }) =>
    `Nach dem Eintrag ${eventId} war das Protokoll nur bis zu einer früheren Zeit vollständig als nach einem Eintrag vor ihm.`,
  late: ({ eventId, count, unit }) =>
    `Der Eintrag ${eventId} kam ${whole(count)} ${UNITS[unit]} nach seiner Aufnahme ins Protokoll, obwohl es inzwischen auf dem neuesten Stand war.`,
  afterKept: ({ eventId, date }) =>
    `Nicht erklärt: Der Eintrag ${eventId} wurde vor ${date} aufgenommen, steht aber nicht im aufbewahrten Protokoll von damals. Entweder musste er warten, oder er wurde nachträglich eingetragen.`,
  inTime: ({ count }) =>
    `Nach der Uhr des Protokolls kam kein Eintrag mehr als zehn Minuten zu spät hinein: ${whole(count)} wurden angesehen.`,

  outcomeDiffers: ({ eventId }) =>
    `Das Ergebnis ${eventId} in der Datei ist nicht das, was sein Eintrag sagt: Die Datei wurde geändert.`,
  outcomeMissing: ({ eventId, count }) =>
    `${whole(count)} Ergebnisse, die im Protokoll stehen, fehlen in der Datei, das erste ist ${eventId}.`,
  outcomesUnproven: ({ unproven, of }) =>
    `Nicht geprüft: ${whole(unproven)} von ${whole(of)} Ergebnissen in der Datei haben keine Quittung.`,
  outcomesProven: ({ of }) => `Jedes Ergebnis in der Datei ist das, was sein Eintrag sagt: ${whole(of)}.`,

  noDate: () => 'Ein Eintrag hat keine gültige Zeitangabe.',
  inFuture: ({ date, byWitness }) => `${date} liegt in der Zukunft: ${source(byWitness)}.`,
  tooOld: ({ date, byWitness }) =>
    `Nichts zeigt, dass der Stand neuer ist als ${date}: ${source(byWitness)}.`,
  notOlder: ({ date, byWitness }) => `Der Stand ist nicht älter als ${date}: ${source(byWitness)}.`,
};

const UNITS = { days: 'Tage', hours: 'Stunden', minutes: 'Minuten' } as const;

const NAMES = { event: 'Der Eintrag', events: 'Jeder Eintrag', snapshot: 'Die Bewertung' } as const;

function whole(value: number): string {
  return value.toLocaleString('de-DE');
}

function decimal(value: number): string {
  return value.toLocaleString('de-DE', { maximumFractionDigits: 4 });
}

function figures({ finalScore, scoreBand, confidence }: Figures): string {
  return `${decimal(finalScore)} (${scoreBand}) mit Sicherheit ${decimal(confidence)}`;
}

function difference({ of, ours, theirs }: ReasonDifference): string {
  if (of === 'adverse') return `als Senkendes ${value(ours)}, angegeben ist ${value(theirs)}`;
  if (of === 'supporting') return `als Stützendes ${value(ours)}, angegeben ist ${value(theirs)}`;
  return `${value(ours)} für den Faktor ${of}, angegeben ist ${value(theirs)}`;
}

function value(of: ReasonDifference['ours']): string {
  if (of === null) return 'keine Punkte';
  return typeof of === 'number' ? decimal(of) : codes(of);
}

function codes(of: readonly string[]): string {
  return of.length === 0 ? 'nichts' : of.join(', ');
}

function source(byWitness: boolean): string {
  return byWitness
    ? 'Dann hat ein Zeuge unterschrieben'
    : 'Das ist die Zeitangabe des neuesten Eintrags, nach der Uhr des Protokolls';
}
