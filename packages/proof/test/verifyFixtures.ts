import { eventTypes, outcomeClassOf, platformTiers, stakeLevels } from '@reliability/scoring';
import fc from 'fast-check';
import { type StepName, signatureTypes, type Verification, verify } from '../src/index.js';
import { testSigner } from './keys.js';
import {
  type Answer,
  commitmentOf,
  createMemoryLog,
  type MemoryLog,
  type ReportedEvent,
} from './memoryLog.js';

export const log = testSigner('scores.example/log');
export const witnesses = ['one', 'two'].map((name) =>
  testSigner(`${name}.example`, signatureTypes.cosignature),
);
export const now = new Date('2026-06-30T12:00:00.000Z');
export const unixSeconds = now.getTime() / 1000 - 60;
export const options = { logKey: log.key, witnesses: witnesses.map(({ key }) => key), now };

export const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const maybeDate = fc.option(fc.integer({ min: 1, max: 9000 }).map(hoursAgo));
export const events: fc.Arbitrary<ReportedEvent> = fc.record({
  eventType: fc.constantFrom(...eventTypes),
  stakeLevel: fc.constantFrom(...stakeLevels),
  platformTier: fc.constantFrom(...platformTiers),
  isVerified: fc.boolean(),
  createdAt: fc.integer({ min: 1, max: 9000 }).map(hoursAgo),
  completedAt: maybeDate,
  dueDate: maybeDate,
});
export const certain: ReportedEvent = {
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  platformTier: 'GROWTH',
  isVerified: true,
  createdAt: hoursAgo(30),
  completedAt: hoursAgo(40),
  dueDate: hoursAgo(35),
};

export const breach: ReportedEvent = { ...certain, eventType: 'CONTRACT_BREACHED' };

/** The user whose proofs are verified. */
export const USER = 'zoë/7';

/** A log with these events of the user. */
export function newLog(...ledger: ReportedEvent[]): MemoryLog {
  const memory = createMemoryLog(log, witnesses);
  for (const event of ledger) memory.report(USER, event);
  return memory;
}

/** A log with several subjects, the first with these events; the ends of disputes close contested events before them. */
export function logOf(ledger: readonly ReportedEvent[]): { memory: MemoryLog; snapshot: number } {
  const memory = createMemoryLog(log, witnesses);
  const contested: string[] = [];
  for (const [i, event] of ledger.entries()) {
    memory.report(`other ${i % 3}`, event);
    const closesEventId = event.eventType.startsWith('DISPUTE_RESOLVED') ? contested.pop() : null;
    const id = memory.report(USER, { ...event, closesEventId });
    if (outcomeClassOf(event.eventType) === 'contested') contested.push(id);
  }
  const snapshot = memory.publish(USER, now);
  memory.report(USER, certain);
  memory.add({ kind: 'freeze', at: now.toISOString(), action: 'set' });
  return { memory, snapshot };
}

/** The proof of the score of these events, as a file holds it, and its log. */
export async function proofOf(...ledger: ReportedEvent[]) {
  const { memory, snapshot } = logOf(ledger);
  return { memory, snapshot, proof: await scoreProof(memory, snapshot) };
}

export async function scoreProof(memory: MemoryLog, snapshot: number, linked?: string[]): Promise<Answer> {
  return asJson(await memory.scoreProof(USER, snapshot, unixSeconds, linked));
}

export function presentProof(memory: MemoryLog): Promise<Answer> {
  return scoreProof(memory, memory.publish(USER, now));
}

export async function receiptOf(memory: MemoryLog, eventId: unknown): Promise<Answer> {
  return asJson(await memory.receipt(String(eventId), unixSeconds));
}

export interface Member {
  subject?: string;
  events: unknown[];
}

export function membersOf(proof: Answer): Member[] {
  return proof.members as Member[];
}

/** The steps that fail. */
export async function failing(proof: unknown, more: object = {}): Promise<StepName[]> {
  return failingSteps(await verify(proof, { ...options, ...more }));
}

export function toBase64Of(memory: MemoryLog | string, index = 0): string {
  if (typeof memory === 'string') return Buffer.alloc(32, memory).toString('base64');
  return Buffer.from(commitmentOf(memory.leaf(index))).toString('base64');
}

export function failingSteps({ steps }: Verification): StepName[] {
  return steps.filter(({ ok }) => ok === false).map(({ name }) => name);
}

export function uncheckedSteps({ steps }: Verification): StepName[] {
  return steps.filter(({ ok }) => ok === null).map(({ name }) => name);
}

export function textOf(steps: Verification['steps'], name: StepName): string | undefined {
  return steps.find((step) => step.name === name)?.text;
}

export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
