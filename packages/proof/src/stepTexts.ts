/** Published figures of a score. */
export interface Figures {
  finalScore: number;
  scoreBand: string;
  confidence: number;
}

/** What the facts give and what is stated, of one factor or of the reasons of one direction. */
export interface ReasonDifference {
  /** Name of a factor, `adverse` or `supporting`. */
  of: string;
  /** Points, or codes. Null: none. */
  ours: number | readonly string[] | null;
  theirs: number | readonly string[] | null;
}

/** How many events, of how many subjects. */
interface Counted {
  members: number;
  events: number;
}

type Unit = 'days' | 'hours' | 'minutes';

type Included = 'event' | 'events' | 'snapshot';

/** The sentences of the verifier in English, by the code of a step. `stepTextsDe.ts` has them in German. */
export const stepTexts = {
  notAProof: ({ reason }: { reason: string }) => `This is no receipt and no score proof. ${reason}.`,
  isReceipt: () => 'This is a receipt.',
  isScoreProof: () => 'This is a score proof.',
  isHeldFile: () => 'This is everything held about a subject, with a score proof.',
  isHeldFileWithoutScore: () => 'This is everything held about a subject, without a score proof.',

  checkpointUnreadable: ({ reason }: { reason: string }) => `The checkpoint cannot be read. ${reason}.`,
  signerUnchecked: ({ origin }: { origin: string }) =>
    `Not checked who signed: no key of the log was given. The checkpoint says that it is of ${origin}.`,
  otherLog: ({ origin, keyName }: { origin: string; keyName: string }) =>
    `The checkpoint is of the log ${origin}, the key is of ${keyName}.`,
  notSigned: ({ keys }: { keys: readonly string[] }) =>
    `The checkpoint is not signed with the key ${keys.join(' or ')}.`,
  badSignature: ({ origin }: { origin: string }) =>
    `The signature by ${origin} is not valid: checkpoint or signature was changed.`,
  signed: ({ origin, size }: { origin: string; size: number }) =>
    `${origin} signed the checkpoint of its first ${size} facts.`,

  ownWitness: ({ witness }: { witness: string }) =>
    `${witness} is the log itself: its own signature is not that of a witness.`,
  cosignatureUnreadable: ({ reason }: { reason: string }) => `A cosignature cannot be read. ${reason}.`,
  badCosignature: ({ witness }: { witness: string }) => `The cosignature by ${witness} is not valid.`,
  tooFewWitnesses: ({ count, of, quorum }: { count: number; of: number; quorum: number }) =>
    `${count} of ${of} witnesses cosigned the checkpoint, ${quorum} are needed.`,
  cosigned: ({ of, witnesses }: { of: number; witnesses: readonly string[] }) =>
    witnesses.length === 0
      ? `None of ${of} witnesses cosigned the checkpoint.`
      : `${witnesses.length} of ${of} witnesses cosigned the checkpoint: ${witnesses.join(', ')}.`,

  /** Followed by the text of its cause. */
  keptUnsound: (_: { cause: object }) => 'The kept checkpoint: ',
  presentUnreadable: () => 'Not checked: the checkpoint of the proof is not valid.',
  otherKeptLog: ({ kept, current }: { kept: string; current: string }) =>
    `The kept checkpoint is of ${kept}, this one is of ${current}.`,
  sameFacts: () => 'The kept checkpoint has the same facts.',
  twoLogs: ({ origin, size }: { origin: string; size: number }) =>
    `${origin} signed two different logs of ${size} facts. Keep both: they prove it.`,
  consistencyMissing: ({ from, to }: { from: number; to: number }) =>
    `Not checked: give the answer of GET /log/consistency?from=${from}&to=${to}, too.`,
  continued: ({ from, to }: { from: number; to: number }) =>
    `The log of ${from} facts is the beginning of that of ${to}: nothing in it was changed.`,
  notContinued: ({ from, to }: { from: number; to: number }) =>
    `Nothing shows that the log of ${from} facts is the beginning of that of ${to}: facts were changed or removed, or this is not the answer of GET /log/consistency?from=${from}&to=${to}.`,

  keptNotIncluded: () => 'The kept file does not lead to its own checkpoint: it was changed.',
  keptOtherSubject: () =>
    'Not compared: the kept file is about another subject. Only the logs were compared.',
  keptChanged: (of: { eventId: string; position: number; kept: number; now: number }) =>
    `Event ${of.eventId} at position ${of.position} was leaf ${of.kept} in the kept file. Here, leaf ${of.now} has this position: the ledger was logged again or changed.`,
  keptDisorder: ({ eventId, position }: { eventId: string; position: number }) =>
    `Event ${eventId} at position ${position} does not follow the events of the kept file: the ledger was logged again or changed.`,
  keptMissing: ({ eventId, count }: { eventId: string; count: number }) =>
    `${count} events of the kept file are missing here, the first is ${eventId}.`,
  keptNotCounted: ({ eventId }: { eventId: string }) =>
    `Not compared: this score was published before it counted event ${eventId} of the kept file.`,
  keptByReceipt: ({ count }: { count: number }) =>
    `Not compared: ${count} events of the kept file are not in a receipt, which shows one event. Give a proof of the score.`,
  keptContained: ({ count }: { count: number }) =>
    `The events of the kept file are here at the same place with the same data: ${count}.`,

  otherEvent: (of: { eventId: string; kind?: string | undefined; factId?: string | undefined }) =>
    `The receipt is for event ${of.eventId}, its fact is ${of.kind} ${of.factId}.`,
  noCheckpoint: () => 'Not checked: the checkpoint cannot be read.',
  notIncluded: ({ of, wrong }: { of: Included; wrong: readonly number[] }) =>
    `Fact, salt, index and path do not lead to the root of the checkpoint: ${
      of === 'events' ? shortened(wrong, 'event', 'more') : `the ${of}`
    }. One of them was changed, or the log does not hold it.`,
  samePlace: () => 'Two events have the same place in the log.',
  included: ({ of, index }: { of: Included; index: number }) => `The log holds the ${of} at index ${index}.`,
  noEvents: () => 'No events are in this log.',
  allIncluded: ({ count }: { count: number }) => `The log holds every event of the proof: ${count}.`,

  notASnapshot: ({ kind }: { kind: string | undefined }) => `The snapshot's fact is of the kind ${kind}.`,
  otherMembers: ({ counted, here }: { counted: Counted; here: Counted }) =>
    `The snapshot counts ${counted.events} events of ${counted.members} subjects. Here are ${here.events} of ${here.members}, and not the same: this file was changed or is not whole. Ask for it again.`,
  noOwnEvents: () => 'The file does not name the subject that the score is about.',
  unshownSubject: ({ subject }: { subject: string }) =>
    `No event shows whose events those of ${subject} are.`,
  sameSubject: ({ subject }: { subject: string }) => `The subject ${subject} is counted twice.`,
  otherOrder: ({ position }: { position: number }) =>
    `The event at position ${position} was logged before the one in front of it.`,
  otherKind: ({ position, kind }: { position: number; kind: string }) =>
    `The fact at position ${position} is of the kind ${kind}.`,
  otherSubject: ({ eventId }: { eventId: string }) =>
    `Event ${eventId} is about another subject than the snapshot.`,
  otherPosition: (of: { eventId: string; found: number; position: number }) =>
    `Event ${of.eventId} has position ${of.found}, expected is ${of.position}.`,
  otherPrevious: ({ eventId, position }: { eventId: string; position: number }) =>
    `Event ${eventId} at position ${position} names another event before it than the one here.`,
  hiddenChain: ({ hidden }: { hidden: number }) =>
    `${hidden} of the subject’s own events are commitments alone.`,
  sameEvent: ({ eventId, position }: { eventId: string; position: number }) =>
    `Event ${eventId} at position ${position} was counted before.`,
  complete: ({ position, others }: { position: number; others: number }) => {
    const own =
      position === 0
        ? 'The subject has no events of its own'
        : `All events from position 1 to ${position} are here: each names the one before, and the snapshot commits to all`;
    return others === 0
      ? `${own}.`
      : `${own}. Of linked subjects all ${others} events that the snapshot counts are here, too.`;
  },

  noPlatform: ({ userId }: { userId: string }) =>
    `Not checked that the facts are about ${JSON.stringify(userId)}: no event names the platform.`,
  severalPlatforms: () => 'The events are of several platforms.',
  notAbout: ({ userId, platformId }: { userId: string; platformId: string }) =>
    `The facts are not about ${JSON.stringify(userId)} of platform ${platformId}.`,
  about: ({ userId, platformId }: { userId: string; platformId: string }) =>
    `The facts are about ${JSON.stringify(userId)} of platform ${platformId}.`,

  incomplete: () => 'Not recomputed: the file does not hold the events that the score counts.',
  noSnapshot: () => 'The proof has no snapshot.',
  otherFormula: ({ formula, known }: { formula: string; known: string }) =>
    `Not recomputed: the score is by formula ${formula}, this verifier knows ${known}.`,
  hiddenFacts: ({ hidden, of }: { hidden: number; of: number }) =>
    `Not recomputed: ${hidden} of ${of} facts are of another platform, so only their commitments are here.`,
  notComputable: ({ reason }: { reason: string }) =>
    `The score cannot be computed from these facts. ${reason}.`,
  otherDay: ({ asOf, at }: { asOf: string; at: string }) =>
    `The score is as of ${asOf}, but was published at ${at}: it has to be as of that day (UTC).`,
  laterEvent: ({ eventId, eventAt, at }: { eventId: string; eventAt: string; at: string }) =>
    `The score was published at ${at}, before event ${eventId} that it counts was recorded at ${eventAt}.`,
  otherScore: ({ ours, theirs, asOf }: { ours: Figures | null; theirs: Figures; asOf: string }) =>
    `The facts give ${ours ? figures(ours) : 'no score'} as of ${asOf}, published is ${figures(theirs)}.`,
  sameScore: ({ formula, asOf, ours }: { formula: string; asOf: string; ours: Figures }) =>
    `Recomputed by formula ${formula} as of ${asOf}: ${figures(ours)}, as published.`,

  noReasons: () => 'Not checked: the proof states no reasons.',
  reasonsUncomputed: () => 'Not recomputed: no score can be computed from these facts.',
  otherReasons: ({ asOf, differences }: { asOf: string; differences: readonly ReasonDifference[] }) =>
    `As of ${asOf} the facts give ${differences.map(difference).join('; ')}.`,
  sameReasons: (of: { asOf: string; adverse: readonly string[]; supporting: readonly string[] }) =>
    `Recomputed as of ${of.asOf}: the same points of each factor, lowered by ${codes(of.adverse)}, supported by ${codes(of.supporting)}, as stated.`,

  completeGoesBack: ({ eventId }: { eventId: string }) =>
    `Event ${eventId} says that the log was complete until a time before the one that an earlier event names.`,
  late: ({ eventId, count, unit }: { eventId: string; count: number; unit: Unit }) =>
    `Event ${eventId} was logged ${count} ${unit} after it was recorded, though the log was up to date in between.`,
  afterKept: ({ eventId, date }: { eventId: string; date: string }) =>
    `Not explained: event ${eventId} was recorded before ${date}, but is not in the kept log of that time. Either it waited in a queue, or it was logged afterwards.`,
  inTime: ({ count }: { count: number }) =>
    `By the clock of the log, no event was logged more than ten minutes late: ${count} were looked at.`,

  outcomeDiffers: ({ eventId }: { eventId: string }) =>
    `Outcome ${eventId} in the file is not what its fact says: the file was changed.`,
  outcomeMissing: ({ eventId, count }: { eventId: string; count: number }) =>
    `${count} outcomes that the log holds are left out of the file, the first is ${eventId}.`,
  outcomesUnproven: ({ unproven, of }: { unproven: number; of: number }) =>
    `Not checked: ${unproven} of ${of} outcomes in the file have no receipt.`,
  outcomesProven: ({ of }: { of: number }) => `Every outcome in the file is what its fact says: ${of}.`,

  noDate: () => 'A fact has no valid date.',
  inFuture: ({ date, byWitness }: { date: string; byWitness: boolean }) =>
    `${date} is in the future: ${source(byWitness)}.`,
  tooOld: ({ date, byWitness }: { date: string; byWitness: boolean }) =>
    `Nothing shows that the checkpoint is newer than ${date}, ${source(byWitness)}.`,
  notOlder: ({ date, byWitness }: { date: string; byWitness: boolean }) =>
    `The checkpoint is not older than ${date}, ${source(byWitness)}.`,
};

export type StepTexts = typeof stepTexts;
export type StepCode = keyof StepTexts;

const MAX_LISTED = 5;

/** The first positions, and how many more there are. */
export function shortened(positions: readonly number[], noun: string, more: string, and = 'and'): string {
  const left = positions.length - MAX_LISTED;
  const listed = positions.slice(0, MAX_LISTED).map((position) => `${noun} ${position}`);
  return listed.join(', ') + (left > 0 ? ` ${and} ${left} ${more}` : '');
}

function figures({ finalScore, scoreBand, confidence }: Figures): string {
  return `${finalScore} (${scoreBand}) with confidence ${confidence}`;
}

function difference({ of, ours, theirs }: ReasonDifference): string {
  if (of === 'adverse' || of === 'supporting')
    return `the ${of} reasons ${value(ours)}, stated are ${value(theirs)}`;
  return `${value(ours)} for the factor ${of}, stated is ${value(theirs)}`;
}

function value(of: ReasonDifference['ours']): string {
  if (of === null) return 'no points';
  return typeof of === 'number' ? String(of) : codes(of);
}

function codes(of: readonly string[]): string {
  return of.length === 0 ? 'nothing' : of.join(', ');
}

function source(byWitness: boolean): string {
  return byWitness ? 'when a witness cosigned it' : "the date of the newest fact, by the log's own clock";
}
