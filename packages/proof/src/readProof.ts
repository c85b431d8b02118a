import { concat, fromBase64, utf8 } from './bytes.js';
import { canonicalJson, type JsonValue } from './jcs.js';
import { ProofFormatError } from './proofFormatError.js';
import { parseProofText, refuseLength, refuseStrange } from './proofText.js';
import { HASH_BYTES, sha256 } from './sha256.js';
import { isTlogProof, parseTlogProof } from './tlogProof.js';

/** A fact of the log, with the hashes that lead from it to the root of the checkpoint. */
export interface ProvenLeaf<Fact> {
  leafIndex: number;
  /** Null: the fact is another platform's, only its commitment is here. */
  fact: Fact | null;
  /** The data of the leaf: SHA-256 of the salt and the fact's canonical JSON. */
  commitment: Uint8Array;
  proof: Uint8Array[];
}

/** The fields of an event's fact that are read. The commitment is to all fields that it has. */
export interface EventFact {
  kind: string;
  at: string;
  eventId: string;
  subject: string;
  position: number;
  previous: string | null;
  /** Everything that was recorded before this time was in the log before this event. */
  completeUntil: string;
  platformId: string;
  eventType: string;
  stakeLevel: string;
  isVerified: boolean;
  platformTier: string;
  completedAt: string | null;
  dueDate: string | null;
  closes: string | null;
}

export interface SnapshotFact {
  kind: string;
  at: string;
  subject: string;
  /** How far each subject is counted. */
  members: { position: number; chain: string }[];
  finalScore: number;
  scoreBand: string;
  confidence: number;
  formulaVersion: string;
  asOf: string;
}

export interface Receipt {
  kind: 'receipt';
  eventId: string;
  event: ProvenLeaf<EventFact>;
  checkpoint: string;
  cosignatures: string[];
}

/** The reasons that the service states for a snapshot. The log does not commit to them: they follow from the facts. */
export interface Reasons {
  /** Points by which each factor moved the score. */
  factors: Readonly<Record<string, number>>;
  /** Reason codes, largest cost first. */
  adverse: readonly string[];
  /** Reason codes, in the order of the catalogue. */
  supporting: readonly string[];
}

export interface ScoreProof {
  kind: 'score proof';
  userId: string;
  snapshot: ProvenLeaf<SnapshotFact>;
  /** Null: the proof has none, as those of older services. */
  reasons: Reasons | null;
  members: Member[];
  checkpoint: string;
  cosignatures: string[];
  /** Logs of the installation with events of linked subjects. */
  otherLogs: OtherLog[];
}

/** A subject that the score counts. */
export interface Member {
  /** Null: of another platform. */
  subject: string | null;
  /** The number of the other log that holds its events; null: the log of the proof. */
  log: number | null;
  events: ProvenLeaf<EventFact>[];
}

export interface OtherLog {
  checkpoint: string;
  cosignatures: string[];
}

/**
 * Everything held about a subject, as `data.json` of a record link. Only what the log supports is read: the outcomes, and what proves
 * them.
 */
export interface HeldFile {
  kind: 'held file';
  userId: string;
  /** Null: there is none, as before the first score. */
  proof: ScoreProof | null;
  /** Of outcomes that the proof does not count. */
  receipts: Receipt[];
  outcomes: HeldOutcome[];
}

/** An outcome in the words of the file, for people. The log holds a fact of it. */
export interface HeldOutcome {
  eventId: string;
  eventType: string;
  stakeLevel: string;
  isVerified: boolean;
  recordedAt: string;
  completedAt: string | null;
  dueDate: string | null;
}

/** A score with as many events is a job for a program of its own. */
export const MAX_EVENTS = 100_000;
const MAX_MEMBERS = 10_000;
const MAX_LOGS = 1000;
/** A tree of 2^53 leaves has fewer. */
const MAX_HASHES = 64;
const MAX_COSIGNATURES = 100;
const MAX_REASONS = 100;
const MAX_TEXT = 10_000;
const MAX_CHECKPOINT = 100_000;

/**
 * Reads the answer of `GET /events/{id}/receipt` or `GET /users/{id}/score/proof`, as text or parsed, the text of a tlog-proof, or the
 * `data.json` of a record link. Throws ProofFormatError.
 */
export function readProof(given: unknown): Receipt | ScoreProof | HeldFile {
  const value = typeof given === 'string' ? parsed(given) : given;
  refuseStrange(value);
  const fields = object(value, 'the proof');
  if ('scoreProof' in fields) return readHeldFile(fields);
  return 'snapshot' in fields ? readScoreProof(fields) : readReceipt(fields);
}

function parsed(text: string): unknown {
  refuseLength(text);
  return isTlogProof(text) ? parseTlogProof(text) : parseProofText(text);
}

function readReceipt(fields: Fields): Receipt {
  return {
    kind: 'receipt',
    eventId: text(fields.eventId, 'eventId'),
    event: readLeaf(fields, fields.proof, '', readEventFact),
    ...readCheckpoint(fields),
  };
}

function readHeldFile({ scoreProof, receipts, outcomes, ...fields }: Fields): HeldFile {
  const userId = text(fields.userId, 'userId');
  const proof = scoreProof === null ? null : readScoreProof(object(scoreProof, 'scoreProof'));
  if (proof && proof.userId !== userId)
    throw new ProofFormatError('The proof of the score is about another user than the file');
  return {
    kind: 'held file',
    userId,
    proof,
    receipts: list(receipts, 'receipts', MAX_EVENTS, (value, path) => readReceipt(object(value, path))),
    outcomes: list(outcomes, 'outcomes', MAX_EVENTS, readOutcome),
  };
}

function readOutcome(value: unknown, path: string): HeldOutcome {
  const fields = object(value, path);
  return {
    eventId: text(fields.eventId, `${path}.eventId`),
    eventType: text(fields.eventType, `${path}.eventType`),
    stakeLevel: text(fields.stakeLevel, `${path}.stakeLevel`),
    isVerified: boolean(fields.isVerified, `${path}.isVerified`),
    recordedAt: text(fields.recordedAt, `${path}.recordedAt`),
    completedAt: textOrNull(fields.completedAt, `${path}.completedAt`),
    dueDate: textOrNull(fields.dueDate, `${path}.dueDate`),
  };
}

function readScoreProof(fields: Fields): ScoreProof {
  const snapshot = object(fields.snapshot, 'snapshot');
  const otherLogs = list(fields.otherLogs ?? [], 'otherLogs', MAX_LOGS, readOtherLog);
  const members = list(fields.members, 'members', MAX_MEMBERS, object);
  const eventProofs = list(fields.eventProofs, 'eventProofs', MAX_EVENTS, (proof) => proof);
  let count = 0;
  const readMember = (member: Fields, nth: number): Member => {
    const path = `members[${nth}]`;
    const events = list(member.events, `${path}.events`, MAX_EVENTS, object);
    const { subject, log } = member;
    const first = count;
    count += events.length;
    const logNumber = log === undefined ? null : integer(log, `${path}.log`);
    if (logNumber !== null && logNumber >= otherLogs.length)
      throw new ProofFormatError(`${path}.log is ${logNumber}, and there are ${otherLogs.length} otherLogs`);
    return {
      subject: subject === undefined ? null : text(subject, `${path}.subject`),
      log: logNumber,
      events: events.map((event, i) => readEvent(event, eventProofs[first + i], `${path}.events[${i}].`)),
    };
  };
  const read = members.map(readMember);
  if (eventProofs.length !== count)
    throw new ProofFormatError(`There are ${count} events and ${eventProofs.length} eventProofs`);
  return {
    kind: 'score proof',
    userId: text(fields.userId, 'userId'),
    snapshot: readLeaf(snapshot, snapshot.proof, 'snapshot.', readSnapshotFact),
    reasons: fields.reasons === undefined ? null : readReasons(object(fields.reasons, 'reasons')),
    members: read,
    ...readCheckpoint(fields),
    otherLogs,
  };
}

function readEvent(event: Fields, proof: unknown, path: string): ProvenLeaf<EventFact> {
  return 'fact' in event ? readLeaf(event, proof, path, readEventFact) : readCommitment(event, proof, path);
}

function readOtherLog(value: unknown, path: string): OtherLog {
  return readCheckpoint(object(value, path), `${path}.`);
}

function readReasons(fields: Fields): Reasons {
  const factors = Object.entries(object(fields.factors, 'reasons.factors'));
  if (factors.length > MAX_REASONS)
    throw new ProofFormatError(
      `reasons.factors has ${factors.length} members, at most ${MAX_REASONS} are read`,
    );
  return {
    factors: Object.fromEntries(
      factors.map(([name, points]) => [name, number(points, `reasons.factors.${name}`)]),
    ),
    adverse: list(fields.adverse, 'reasons.adverse', MAX_REASONS, text),
    supporting: list(fields.supporting, 'reasons.supporting', MAX_REASONS, text),
  };
}

function readCheckpoint(fields: Fields, path = ''): { checkpoint: string; cosignatures: string[] } {
  const { cosignatures = [] } = fields;
  return {
    checkpoint: text(fields.checkpoint, `${path}checkpoint`, MAX_CHECKPOINT),
    cosignatures: list(cosignatures, `${path}cosignatures`, MAX_COSIGNATURES, text),
  };
}

function readLeaf<Fact>(
  leaf: Fields,
  proof: unknown,
  path: string,
  readFact: (fact: Fields, path: string) => Fact,
): ProvenLeaf<Fact> {
  const fact = object(leaf.fact, `${path}fact`);
  const salt = base64(leaf.salt, `${path}salt`);
  return {
    leafIndex: integer(leaf.leafIndex, `${path}leafIndex`),
    fact: readFact(fact, `${path}fact.`),
    commitment: sha256(concat(salt, utf8(canonicalText(fact, `${path}fact`)))),
    proof: readHashes(proof, `${path}proof`),
  };
}

function readCommitment(leaf: Fields, proof: unknown, path: string): ProvenLeaf<never> {
  return {
    leafIndex: integer(leaf.leafIndex, `${path}leafIndex`),
    fact: null,
    commitment: hash(leaf.d, `${path}d`),
    proof: readHashes(proof, `${path}proof`),
  };
}

function readEventFact(fact: Fields, path: string): EventFact {
  return {
    kind: text(fact.kind, `${path}kind`),
    at: text(fact.at, `${path}at`),
    eventId: text(fact.eventId, `${path}eventId`),
    subject: text(fact.subject, `${path}subject`),
    position: integer(fact.position, `${path}position`),
    previous: textOrNull(fact.previous, `${path}previous`),
    completeUntil: text(fact.completeUntil, `${path}completeUntil`),
    platformId: text(fact.platformId, `${path}platformId`),
    eventType: text(fact.eventType, `${path}eventType`),
    stakeLevel: text(fact.stakeLevel, `${path}stakeLevel`),
    isVerified: boolean(fact.isVerified, `${path}isVerified`),
    platformTier: text(fact.platformTier, `${path}platformTier`),
    completedAt: textOrNull(fact.completedAt, `${path}completedAt`),
    dueDate: textOrNull(fact.dueDate, `${path}dueDate`),
    closes: textOrNull(fact.closes, `${path}closes`),
  };
}

function readSnapshotFact(fact: Fields, path: string): SnapshotFact {
  return {
    kind: text(fact.kind, `${path}kind`),
    at: text(fact.at, `${path}at`),
    subject: text(fact.subject, `${path}subject`),
    members: list(fact.members, `${path}members`, MAX_MEMBERS, readCounted),
    finalScore: number(fact.finalScore, `${path}finalScore`),
    scoreBand: text(fact.scoreBand, `${path}scoreBand`),
    confidence: number(fact.confidence, `${path}confidence`),
    formulaVersion: text(fact.formulaVersion, `${path}formulaVersion`),
    asOf: text(fact.asOf, `${path}asOf`),
  };
}

function readCounted(value: unknown, path: string): SnapshotFact['members'][number] {
  const fields = object(value, path);
  return {
    position: integer(fields.position, `${path}.position`),
    chain: text(fields.chain, `${path}.chain`),
  };
}

function canonicalText(fact: Fields, path: string): string {
  try {
    return canonicalJson(fact as { [name: string]: JsonValue });
  } catch (error) {
    throw new ProofFormatError(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

function readHashes(value: unknown, path: string): Uint8Array[] {
  return list(value, path, MAX_HASHES, hash);
}

type Fields = Readonly<Record<string, unknown>>;

function object(value: unknown, path: string): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : refuse(path, 'an object', value);
}

function list<T>(value: unknown, path: string, most: number, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) return refuse(path, 'a list', value);
  if (value.length > most)
    throw new ProofFormatError(`${path} has ${value.length} elements, at most ${most} are read`);
  return value.map((item, i) => read(item, `${path}[${i}]`));
}

function text(value: unknown, path: string, most = MAX_TEXT): string {
  if (typeof value !== 'string') return refuse(path, 'a text', value);
  if (value.length > most)
    throw new ProofFormatError(`${path} has ${value.length} characters, at most ${most} are read`);
  return value;
}

function textOrNull(value: unknown, path: string): string | null {
  return value === null ? null : text(value, path);
}

function boolean(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : refuse(path, 'true or false', value);
}

function number(value: unknown, path: string): number {
  return typeof value === 'number' ? value : refuse(path, 'a number', value);
}

function integer(value: unknown, path: string): number {
  const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount ? (value as number) : refuse(path, 'a whole number', value);
}

function base64(value: unknown, path: string): Uint8Array {
  return fromBase64(text(value, path)) ?? refuse(path, 'base64', value);
}

function hash(value: unknown, path: string): Uint8Array {
  const bytes = base64(value, path);
  return bytes.length === HASH_BYTES ? bytes : refuse(path, `the base64 of ${HASH_BYTES} bytes`, value);
}

const MAX_SHOWN = 60;

function refuse(path: string, expected: string, value: unknown): never {
  const shown = value === undefined ? 'missing' : textOf(value);
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  throw new ProofFormatError(`${path} is not ${expected}: ${cut}`);
}

/** As JSON. A list or an object is named alone: it may be as large as the file. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(JSON.stringify(value));
}
