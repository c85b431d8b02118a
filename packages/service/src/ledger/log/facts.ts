import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@reliability/proof';
import {
  type EventType,
  isoFromDay,
  type PlatformTier,
  type ScoreBand,
  type StakeLevel,
} from '@reliability/scoring';
import { ExactInteger, parseExact } from '#domain/exactInteger.js';

export const factKinds = {
  event: 1,
  snapshot: 2,
  declaration: 3,
  link: 4,
  disputeOpened: 5,
  disputeEnded: 6,
  freeze: 7,
  shareToken: 8,
  note: 9,
  erasure: 10,
  reviewOpened: 11,
  reviewAnswered: 12,
} as const;

export const LOG_ITSELF = '00000000-0000-0000-0000-000000000000';

/** As `toBase64` of the proof package, which runs in browsers, too; several times as fast. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

/** A fact as it is committed to: strings, numbers, booleans and null only. */
export type Fact = Readonly<Record<string, string | number | boolean | null>>;

/** A snapshot also names how far it counts each subject. */
export type SnapshotFact = Readonly<Record<string, Fact[string] | readonly CountedChain[]>>;

export const SALT_BYTES = 16;

const scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * The data of a leaf: SHA-256 of the salt and the canonical JSON (RFC 8785) of a fact. As base64: a text
 * of the digest costs less than a Buffer.
 */
export function saltedHash(salt: Uint8Array, text: string): string {
  if (SALT_BYTES + text.length * 3 > scratch.length)
    return hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'base64');
  scratch.set(salt);
  const length = scratch.write(text, SALT_BYTES);
  return hash('sha256', scratch.subarray(0, SALT_BYTES + length), 'base64');
}

export interface EventFactRow {
  subjectId: string;
  position: number;
  eventId: string;
  platformId: string;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  platformTier: PlatformTier;
  completedAt: Date | null;
  dueDate: Date | null;
  closesEventId: string | null;
  createdAt: Date;
  /** JSON as it is stored, or its value. */
  metadata: string | Readonly<Record<string, unknown>> | null;
  transactionValue: number | null;
  attester: string | null;
  /** Of a text that was dropped by age. */
  textHash?: Buffer | null;
}

/** What an event's fact says of its place in the log. */
export interface LogPlace {
  /** The commitment of the subject's event before, as base64; null for the first. */
  previous: string | null;
  /** Everything that was recorded before this time was in the log before this event. In milliseconds since 1970. */
  completeUntil: number;
}

/**
 * The canonical JSON of an event's fact. Put together by hand it takes a third of the time: its texts are
 * ids and words of catalogues, so nothing has to be escaped.
 */
export function eventFactText(row: EventFactRow, { previous, completeUntil }: LogPlace, salt: Uint8Array) {
  const textHash = textHashOf(row, salt) ?? row.textHash;
  return `{"at":${recordedAt(row.createdAt.getTime())},"closes":${quoted(row.closesEventId)},"completeUntil":${completeText(completeUntil)},"completedAt":${moment(row.completedAt)},"dueDate":${moment(row.dueDate)},"eventId":"${row.eventId}","eventType":"${row.eventType}","isVerified":${row.isVerified},"kind":"event","platformId":"${row.platformId}","platformTier":"${row.platformTier}","position":${row.position},"previous":${quoted(previous)},"stakeLevel":"${row.stakeLevel}","subject":"${row.subjectId}","textHash":${quoted(textHash ? base64(textHash) : null)}}`;
}

// Facts that are written together share their times, which cost as much as a hash.
const [recordedAt, completeText, computedAt] = [rememberingLast(), rememberingLast(), rememberingLast()];

function rememberingLast(): (ms: number) => string {
  let last = Number.NaN;
  let text = '';
  return (ms) => {
    if (ms !== last) text = moment(new Date(ms));
    last = ms;
    return text;
  };
}

function moment(at: Date | null): string {
  return at === null ? 'null' : `"${at.toISOString()}"`;
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/**
 * Free text is in the leaf as a hash under the same salt, so that it can be dropped alone. Null: the
 * event has none.
 */
export function textHashOf(
  { metadata, transactionValue, attester }: Pick<EventFactRow, 'metadata' | 'transactionValue' | 'attester'>,
  salt: Uint8Array,
): Buffer | null {
  if (metadata === null && transactionValue === null && attester === null) return null;
  // Sorted by name, as canonical JSON is.
  const fields = [
    ...(attester === null ? [] : [`"attester":${canonicalJson(attester)}`]),
    ...(metadata === null ? [] : [`"metadata":${canonicalJson(exactJson(metadata))}`]),
    ...(transactionValue === null ? [] : [`"transactionValue":${canonicalJson(transactionValue)}`]),
  ];
  return Buffer.from(saltedHash(salt, `{${fields.join(',')}}`), 'base64');
}

export interface SnapshotFactRow {
  subjectId: string;
  snapshotNo: number;
  /** Of each subject that the score counts. */
  positions: Readonly<Record<string, number>>;
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  formulaVersion: string;
  /** Days since 1970-01-01. */
  asOf: number;
  computedAt: Date;
}

/** How far a snapshot counts one subject: the hash over the commitments of its first `position` events, as base64. */
export type CountedChain = Readonly<{ chain: string; position: number }>;

/** In the order of a snapshot's fact, which says nothing about whose they are. */
export function inFactOrder(members: CountedChain[]): CountedChain[] {
  return members.sort((a, b) => (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : a.position - b.position));
}

/**
 * The canonical JSON of a snapshot's fact.
 * @param members in the order of `inFactOrder`
 */
export function snapshotFactText(row: SnapshotFactRow, members: readonly CountedChain[]): string {
  const counted = members.map(({ chain, position }) => `{"chain":"${chain}","position":${position}}`);
  return `{"asOf":"${isoFromDay(row.asOf)}","at":${computedAt(row.computedAt.getTime())},"confidence":${row.confidence},"finalScore":${row.finalScore},"formulaVersion":"${row.formulaVersion}","kind":"snapshot","members":[${counted.join(',')}],"scoreBand":"${row.scoreBand}","subject":"${row.subjectId}"}`;
}

/** A fact of another kind, as the database composes it (otherFacts.ts). */
export interface OtherFactRow {
  subjectId: string;
  kind: number;
  ref: number;
  /** Without what needs the salt. */
  fact: Fact;
  /** JSON that is in the fact as a hash alone; null for most. */
  hashed: string | null;
}

export function otherFactText({ fact, hashed }: OtherFactRow, salt: Uint8Array): string {
  if (hashed === null) return canonicalJson(fact);
  return canonicalJson({ ...fact, factsHash: saltedHash(salt, canonicalJson(exactJson(hashed))) });
}

/** Stored JSON, or the value of it; integers past 2^53 keep their digits. */
function exactJson(json: string | object): JsonValue {
  return withBigints(typeof json === 'string' ? parseExact(json) : json);
}

/** The value itself if it holds no exact integer, as nearly always. */
function withBigints(value: unknown): JsonValue {
  if (!holdsExact(value)) return value as JsonValue;
  if (value instanceof ExactInteger) return BigInt(value.toString());
  if (Array.isArray(value)) return value.map(withBigints);
  return Object.fromEntries(Object.entries(value as object).map(([name, own]) => [name, withBigints(own)]));
}

function holdsExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof ExactInteger || Object.values(value).some(holdsExact);
}
