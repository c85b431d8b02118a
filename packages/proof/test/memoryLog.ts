import { createHash } from 'node:crypto';
import { dayOf, explain, FORMULA_VERSION, foldTallies, type LedgerFacts, score } from '@reliability/scoring';
import {
  canonicalJson,
  concat,
  consistencyProof,
  cosignNoteText,
  derivedSubject,
  EMPTY_CHAIN,
  formatCheckpoint,
  formatNote,
  formatSignature,
  inclusionProof,
  type JsonValue,
  leafHash,
  nextChain,
  sha256,
  signNoteText,
  toBase64,
  utf8,
} from '../src/index.js';
import type { TestSigner } from './keys.js';
import { createMemoryTree } from './memoryTree.js';

export type Fact = Record<string, JsonValue>;

interface Leaf {
  leafIndex: number;
  salt: string;
  fact: Fact;
}

/** An event as a platform reports it. */
export type ReportedEvent = Omit<LedgerFacts, 'createdAt'> & { createdAt: Date };

/** Answers as those of `GET /events/{id}/receipt` and `GET /users/{id}/score/proof`. */
export type Answer = Record<string, unknown>;

const PLATFORM = '00000000-0000-4000-8000-000000000001';

/** A log in memory that answers as the service does. Its salts follow from the index, so a failure can be repeated. */
export function createMemoryLog(log: TestSigner, witnesses: readonly TestSigner[] = []) {
  const tree = createMemoryTree();
  const leaves: Leaf[] = [];
  let completeUntil = new Date(0);
  const chains = new Map<string, { fact: Fact; reported: ReportedEvent; leafIndex: number }[]>();

  function add(fact: Fact, salt = saltOf(leaves.length)): Leaf {
    const leafIndex = leaves.length;
    const leaf = { leafIndex, salt, fact };
    leaves.push(leaf);
    tree.append([leafHash(commitmentOf(leaf))]);
    return leaf;
  }

  /** Appends an event and returns its id. */
  function report(userId: string, event: ReportedEvent): string {
    const chain = chains.get(userId) ?? [];
    chains.set(userId, chain);
    const before = chain.at(-1);
    const eventId = event.id ?? `00000000-0000-7000-8000-${String(leaves.length).padStart(12, '0')}`;
    const fact = {
      kind: 'event',
      at: event.createdAt.toISOString(),
      eventId,
      subject: derivedSubject(PLATFORM, userId),
      position: chain.length + 1,
      previous: before ? toBase64(commitmentOf(leaves[before.leafIndex] as Leaf)) : null,
      completeUntil: completeUntil.toISOString(),
      platformId: PLATFORM,
      eventType: event.eventType,
      stakeLevel: event.stakeLevel,
      isVerified: event.isVerified,
      platformTier: event.platformTier,
      completedAt: event.completedAt?.toISOString() ?? null,
      dueDate: event.dueDate?.toISOString() ?? null,
      closes: event.closesEventId ?? null,
      textHash: null,
    };
    const { leafIndex } = add(fact);
    chain.push({ fact, reported: { ...event, id: eventId }, leafIndex });
    return eventId;
  }

  /** Publishes the score of a subject. Returns the index of the snapshot's leaf. */
  function publish(userId: string, at: Date, linked: readonly string[] = []): number {
    const chain = chains.get(userId) ?? [];
    const others = linked.map((other) => chains.get(other) ?? []);
    const all = [chain, ...others].flat().map(({ reported }) => reported);
    const computed = score(foldTallies(all), dayOf(at));
    if (!computed) throw new Error(`${userId} has no events that count`);
    return add({
      kind: 'snapshot',
      at: at.toISOString(),
      subject: derivedSubject(PLATFORM, userId),
      members: [chain, ...others]
        .map((counted) => ({ position: counted.length, chain: chainOf(counted) }))
        .sort((a, b) => (a.chain < b.chain ? -1 : 1)),
      finalScore: computed.finalScore,
      scoreBand: computed.scoreBand,
      confidence: computed.confidence,
      formulaVersion: FORMULA_VERSION,
      asOf: at.toISOString().slice(0, 10),
    }).leafIndex;
  }

  /** The signed checkpoint of all leaves, and the cosignature lines of the witnesses. */
  async function checkpoint(unixSeconds: number): Promise<{ checkpoint: string; cosignatures: string[] }> {
    const state = { origin: log.key.name, size: leaves.length, root: tree.root() };
    const text = formatCheckpoint({ ...state, extensions: [] });
    const signed = formatNote({ text, signatures: [await signNoteText(text, log.key, log.sign)] });
    const cosignatures: string[] = [];
    for (const { key, sign } of witnesses) {
      cosignatures.push(formatSignature(await cosignNoteText(text, key, unixSeconds, sign)).trim());
    }
    return { checkpoint: signed, cosignatures };
  }

  function pathOf(leafIndex: number): string[] {
    return inclusionProof(leafIndex, leaves.length, tree.hashOf).map(toBase64);
  }

  function chainOf(counted: readonly { leafIndex: number }[]): string {
    return toBase64(
      counted.reduce<Uint8Array>(
        (before, { leafIndex }) => nextChain(before, commitmentOf(leaves[leafIndex] as Leaf)),
        EMPTY_CHAIN,
      ),
    );
  }

  /** @param linked of other platforms */
  async function scoreProof(
    userId: string,
    snapshotIndex: number,
    unixSeconds: number,
    linked: readonly string[] = [],
  ): Promise<Answer> {
    const snapshot = leaves[snapshotIndex] as Leaf;
    const named = JSON.stringify(snapshot.fact.members);
    const countedOf = (id: string) => {
      const logged = (chains.get(id) ?? []).filter(({ leafIndex }) => leafIndex < snapshotIndex);
      let chain: Uint8Array = EMPTY_CHAIN;
      const last = logged.findIndex(({ leafIndex }) => {
        chain = nextChain(chain, commitmentOf(leaves[leafIndex] as Leaf));
        return named.includes(toBase64(chain));
      });
      return last < 0 ? logged : logged.slice(0, last + 1);
    };
    const chain = countedOf(userId);
    const others = linked.map(countedOf);
    return {
      userId,
      snapshot: { ...snapshot, proof: pathOf(snapshotIndex) },
      reasons: reasonsOf(
        chain.map(({ reported }) => reported),
        new Date(`${snapshot.fact.asOf}`),
      ),
      members: [
        { subject: snapshot.fact.subject, events: chain.map(({ leafIndex }) => leaves[leafIndex]) },
        ...others.map((counted) => ({
          events: counted.map(({ leafIndex }) => ({
            leafIndex,
            d: toBase64(commitmentOf(leaves[leafIndex] as Leaf)),
          })),
        })),
      ],
      eventProofs: [chain, ...others].flat().map(({ leafIndex }) => pathOf(leafIndex)),
      ...(await checkpoint(unixSeconds)),
    };
  }

  async function receipt(eventId: string, unixSeconds: number): Promise<Answer> {
    const leaf = leaves.find(({ fact }) => fact.eventId === eventId) as Leaf;
    return { eventId, ...leaf, proof: pathOf(leaf.leafIndex), ...(await checkpoint(unixSeconds)) };
  }

  return {
    /** Until when the log is complete, for the events that follow. */
    completeUntil(at: Date) {
      completeUntil = at;
    },
    /** The subject's events are logged again from position 1, as if none were in the log. */
    startAgain(userId: string) {
      chains.delete(userId);
    },
    /** From now on the subject's events seem to be these leaves, each with the weight of this event. */
    recount(userId: string, leafIndexes: readonly number[], event: ReportedEvent) {
      const counted = leafIndexes.map((leafIndex) => {
        const { fact } = leaves[leafIndex] as Leaf;
        return { fact, reported: { ...event, id: String(fact.eventId) }, leafIndex };
      });
      chains.set(userId, counted);
    },
    report,
    publish,
    scoreProof,
    receipt,
    checkpoint,
    add,
    leaf: (index: number) => leaves[index] as Leaf,
    size: () => leaves.length,
    pathOf,
    consistency: (from: number) => consistencyProof(from, leaves.length, tree.hashOf).map(toBase64),
  };
}

function saltOf(leafIndex: number): string {
  return createHash('sha256').update(`salt ${leafIndex}`).digest().subarray(0, 16).toString('base64');
}

function reasonsOf(ledger: readonly ReportedEvent[], asOf: Date) {
  const explanation = explain(foldTallies(ledger), dayOf(asOf), { frozen: false });
  const { adverseActionReasons = [], supportingFactors = [] } = explanation?.reasonCodes ?? {};
  return {
    factors: Object.fromEntries(explanation?.factors.map((each) => [each.name, each.contribution]) ?? []),
    adverse: adverseActionReasons.map(({ code }) => code),
    supporting: supportingFactors.map(({ code }) => code),
  };
}

export type MemoryLog = ReturnType<typeof createMemoryLog>;

export function commitmentOf({ salt, fact }: Pick<Leaf, 'salt' | 'fact'>): Uint8Array {
  return sha256(concat(Buffer.from(salt, 'base64'), utf8(canonicalJson(fact))));
}
