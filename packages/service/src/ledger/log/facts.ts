import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@reliability/proof';
import type { EventType, PlatformTier, ScoreBand, StakeLevel } from '@reliability/scoring';
import { ExactInteger, parseExact } from '../../domain/exactInteger.js';
import { DAY_MS } from '../../domain/timestamp.js';

/** A fact as it is committed to: strings, numbers, booleans and null only. */
export type Fact = Readonly<Record<string, string | number | boolean | null>>;

export const SALT_BYTES = 16;

/** The data of a leaf: SHA-256 of the salt and the fact's canonical JSON (RFC 8785). */
export function commitmentOf(salt: Uint8Array, fact: Fact): Buffer {
  return saltedHash(salt, hasSortedNames(fact) ? JSON.stringify(fact) : canonicalJson(fact));
}

/** Of flat facts with sorted names, JSON.stringify gives the canonical text in a quarter of the time. */
function hasSortedNames(fact: Fact): boolean {
  let last = '';
  for (const name in fact) {
    if (name < last) return false;
    last = name;
  }
  return true;
}

const scratch = Buffer.allocUnsafe(64 * 1024);

function saltedHash(salt: Uint8Array, text: string): Buffer {
  if (salt.length + text.length * 3 > scratch.length) {
    return hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'buffer');
  }
  scratch.set(salt);
  const length = scratch.write(text, salt.length);
  return hash('sha256', scratch.subarray(0, salt.length + length), 'buffer');
}

/** The columns of an event that its fact is made of. */
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
  /** JSON. */
  metadata: string | null;
  transactionValue: number | null;
  attester: string | null;
  /** Of a text that was dropped by age. */
  textHash?: Buffer | null;
}

/** @param previous the commitment of the subject's event before; null for the first. */
export function eventFact(row: EventFactRow, previous: Uint8Array | null, salt: Uint8Array): Fact {
  // Sorted by name, for `commitmentOf`.
  return {
    at: row.createdAt.toISOString(),
    closes: row.closesEventId,
    completedAt: row.completedAt?.toISOString() ?? null,
    dueDate: row.dueDate?.toISOString() ?? null,
    eventId: row.eventId,
    eventType: row.eventType,
    isVerified: row.isVerified,
    kind: 'event',
    platformId: row.platformId,
    platformTier: row.platformTier,
    position: row.position,
    previous: base64(previous),
    stakeLevel: row.stakeLevel,
    subject: row.subjectId,
    textHash: base64(textHashOf(row, salt) ?? row.textHash ?? null),
  };
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
  const text = {
    ...(metadata !== null && { metadata: exactJson(metadata) }),
    ...(transactionValue !== null && { transactionValue }),
    ...(attester !== null && { attester }),
  };
  return saltedHash(salt, canonicalJson(text));
}

/** The columns of a snapshot that its fact is made of. */
export interface SnapshotFactRow {
  subjectId: string;
  snapshotNo: number;
  /** The subject's own position. */
  position: number;
  finalScore: number;
  scoreBand: ScoreBand;
  confidence: number;
  formulaVersion: string;
  /** Days since 1970-01-01. */
  asOf: number;
  computedAt: Date;
}

/** @param head the commitment of the event at the snapshot's position; null at position 0. */
export function snapshotFact(row: SnapshotFactRow, head: Uint8Array | null): Fact {
  // Sorted by name, for `commitmentOf`.
  return {
    asOf: new Date(row.asOf * DAY_MS).toISOString().slice(0, 10),
    at: row.computedAt.toISOString(),
    confidence: row.confidence,
    finalScore: row.finalScore,
    formulaVersion: row.formulaVersion,
    head: base64(head),
    kind: 'snapshot',
    position: row.position,
    scoreBand: row.scoreBand,
    subject: row.subjectId,
  };
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

export function otherFact({ fact, hashed }: OtherFactRow, salt: Uint8Array): Fact {
  return hashed === null
    ? fact
    : { ...fact, factsHash: saltedHash(salt, canonicalJson(exactJson(hashed))).toString('base64') };
}

function base64(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

/** Parses stored JSON; integers past 2^53 keep their digits. */
function exactJson(text: string): JsonValue {
  return withBigints(parseExact(text));
}

function withBigints(value: unknown): JsonValue {
  if (value instanceof ExactInteger) return BigInt(value.toString());
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withBigints(own)]));
}
