import { concat, fromBase64, utf8 } from './bytes.js';
import { canonicalJson, type JsonValue } from './jcs.js';
import { ProofFormatError } from './proofFormatError.js';
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
  position: number;
  head: string | null;
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
  events: ProvenLeaf<EventFact>[];
  checkpoint: string;
  cosignatures: string[];
  /** Events of linked subjects in other logs of the installation. */
  otherLogs: OtherLog[];
}

/** A log with commitments to events of other platforms. */
export interface OtherLog {
  events: ProvenLeaf<never>[];
  checkpoint: string;
  cosignatures: string[];
}

/**
 * Reads the answer of `GET /events/{id}/receipt`, as JSON or as the text of a tlog-proof, or of `GET /users/{id}/score/proof`. Throws
 * ProofFormatError.
 */
export function readProof(value: unknown): Receipt | ScoreProof {
  const isText = typeof value === 'string' && isTlogProof(value);
  const fields = object(isText ? parseTlogProof(value) : value, 'the proof');
  return 'snapshot' in fields ? readScoreProof(fields) : readReceipt(fields);
}

function readReceipt(fields: Fields): Receipt {
  return {
    kind: 'receipt',
    eventId: text(fields.eventId, 'eventId'),
    event: readLeaf(fields, fields.proof, '', readEventFact),
    ...readCheckpoint(fields),
  };
}

function readScoreProof(fields: Fields): ScoreProof {
  const snapshot = object(fields.snapshot, 'snapshot');
  const events = list(fields.events, 'events', object);
  const eventProofs = list(fields.eventProofs, 'eventProofs', (proof) => proof);
  if (eventProofs.length !== events.length)
    throw new ProofFormatError(`There are ${events.length} events and ${eventProofs.length} eventProofs`);
  return {
    kind: 'score proof',
    userId: text(fields.userId, 'userId'),
    snapshot: readLeaf(snapshot, snapshot.proof, 'snapshot.', readSnapshotFact),
    reasons: fields.reasons === undefined ? null : readReasons(object(fields.reasons, 'reasons')),
    events: events.map((event, i) =>
      'fact' in event
        ? readLeaf(event, eventProofs[i], `events[${i}].`, readEventFact)
        : readCommitment(event, eventProofs[i], `events[${i}].`),
    ),
    ...readCheckpoint(fields),
    otherLogs: list(fields.otherLogs ?? [], 'otherLogs', readOtherLog),
  };
}

function readOtherLog(value: unknown, path: string): OtherLog {
  const fields = object(value, path);
  const events = list(fields.events, `${path}.events`, object);
  const eventProofs = list(fields.eventProofs, `${path}.eventProofs`, (proof) => proof);
  if (eventProofs.length !== events.length)
    throw new ProofFormatError(`${path} has ${events.length} events and ${eventProofs.length} eventProofs`);
  return {
    events: events.map((event, i) => readCommitment(event, eventProofs[i], `${path}.events[${i}].`)),
    ...readCheckpoint(fields, `${path}.`),
  };
}

function readReasons(fields: Fields): Reasons {
  const factors = Object.entries(object(fields.factors, 'reasons.factors'));
  return {
    factors: Object.fromEntries(
      factors.map(([name, points]) => [name, number(points, `reasons.factors.${name}`)]),
    ),
    adverse: list(fields.adverse, 'reasons.adverse', text),
    supporting: list(fields.supporting, 'reasons.supporting', text),
  };
}

function readCheckpoint(fields: Fields, path = ''): { checkpoint: string; cosignatures: string[] } {
  const { cosignatures = [] } = fields;
  return {
    checkpoint: text(fields.checkpoint, `${path}checkpoint`),
    cosignatures: list(cosignatures, `${path}cosignatures`, text),
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
    position: integer(fact.position, `${path}position`),
    head: textOrNull(fact.head, `${path}head`),
    finalScore: number(fact.finalScore, `${path}finalScore`),
    scoreBand: text(fact.scoreBand, `${path}scoreBand`),
    confidence: number(fact.confidence, `${path}confidence`),
    formulaVersion: text(fact.formulaVersion, `${path}formulaVersion`),
    asOf: text(fact.asOf, `${path}asOf`),
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
  return list(value, path, hash);
}

type Fields = Readonly<Record<string, unknown>>;

function object(value: unknown, path: string): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : refuse(path, 'an object', value);
}

function list<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) return refuse(path, 'a list', value);
  return value.map((item, i) => read(item, `${path}[${i}]`));
}

function text(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuse(path, 'a text', value);
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
  const shown = value === undefined ? 'missing' : JSON.stringify(value);
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  throw new ProofFormatError(`${path} is not ${expected}: ${cut}`);
}
