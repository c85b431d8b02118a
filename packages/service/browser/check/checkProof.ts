import {
  isTlogProof,
  parseCheckpoint,
  parseNote,
  parseProofText,
  parseTlogProof,
  verify,
} from '@reliability/proof';
import { fill } from '../../src/domain/fill.js';
import { NotCheckable, type Outcome } from './outcome.js';
import { isOwnLog, readLog, readPresent, type Service } from './service.js';
import { findingOf, openIfUnwitnessed } from './steps.js';
import { bandOf, momentOf, numberOf, type Texts } from './texts.js';

interface OpenedLeaf {
  leafIndex: number;
  fact: Record<string, string | number>;
}

interface Fields extends OpenedLeaf {
  checkpoint?: unknown;
  snapshot?: OpenedLeaf;
  userId?: string;
}

/**
 * A receipt or the proof of a score as text, an answer of the API that contains a receipt, or the file of a record link. Throws
 * ProofFormatError.
 */
export async function checkProof(text: string, service: Service, now: Date): Promise<Outcome> {
  const { texts, pause } = service;
  const whole = isTlogProof(text) ? parseTlogProof(text) : parseProofText(text);
  const fields = proofIn(whole, service);
  const signed = checkpointOf(String(fields.checkpoint), service);
  const size = signed?.size ?? null;
  const [{ logKeys, witnesses }, present] = await Promise.all([
    readLog(service, signed?.origin ?? service.origin),
    signed && readPresent(service, signed.origin, signed.size),
  ]);
  const kept = present?.consistency
    ? { checkpoint: present.checkpoint, consistency: present.consistency }
    : undefined;
  const verified = await verify(isHeldFile(whole) ? whole : fields, {
    logKey: logKeys,
    kept,
    now,
    witnesses,
    quorum: 0,
    pause,
  });
  const { kind, ok } = verified;
  const steps = verified.steps.map(openIfUnwitnessed);
  const isComplete = steps.every((step) => step.ok === true);
  const findings = steps.map((step) => findingOf(step, texts));
  const isShorter = size !== null && present && !present.consistency;
  if (isShorter)
    findings.push({
      question: texts.steps.history,
      ok: false,
      text: fill(texts.shrunk, { now: present.size, before: size }),
    });
  const isOk = isShorter || !ok ? false : isComplete ? true : null;
  const { titles } = texts;
  const names = kind === 'receipt' ? titles.receipt : titles.proof;
  return {
    title: isOk ? names.good : isOk === null ? names.open : names.bad,
    ok: isOk,
    says: isOk === false ? [] : contentOf(fields.snapshot ?? fields, fields.userId, texts),
    findings,
    notes: [texts.dateOfFacts],
  };
}

/** Everything held about a subject. */
function isHeldFile(value: unknown): value is { scoreProof: unknown; receipts: unknown } {
  return Object.hasOwn((value ?? {}) as object, 'scoreProof');
}

/** Answers of the API contain receipts in a field. */
function proofIn(value: unknown, { texts }: Service): Fields {
  const fields = (value ?? {}) as Record<string, unknown>;
  const isProof = Object.hasOwn(fields, 'snapshot') || Object.hasOwn(fields, 'fact');
  const own = isProof ? fields : (fields.scoreProof ?? fields.receipt ?? Object(fields.receipts)[0]);
  if (typeof own === 'object' && own !== null) return own as Fields;
  throw new NotCheckable(texts.unreadable);
}

/** Null: the checkpoint cannot be read, which the verifier says. Throws NotCheckable for another log's. */
function checkpointOf(note: string, service: Service): { origin: string; size: number } | null {
  const { texts } = service;
  const checkpoint = (() => {
    try {
      return parseCheckpoint(parseNote(note).text);
    } catch {
      return null;
    }
  })();
  if (!checkpoint) return null;
  if (isOwnLog(service, checkpoint.origin)) return checkpoint;
  const host = /^([\w.-]+(?::\d+)?)\/log(?:\/g\d+)?$/.exec(checkpoint.origin)?.[1];
  const link =
    host === undefined
      ? undefined
      : { text: fill(texts.checkThere, { host }), href: `https://${host}/check` };
  throw new NotCheckable(fill(texts.otherLog, { origin: checkpoint.origin }), link);
}

function contentOf(
  { leafIndex, fact }: OpenedLeaf,
  userId: string | undefined,
  texts: Texts,
): Outcome['says'] {
  const { says } = texts;
  const at = momentOf(new Date(String(fact.at)), texts);
  const of: Outcome['says'] =
    fact.kind === 'snapshot'
      ? [
          [says.user, String(userId)],
          [says.score, `${numberOf(Number(fact.finalScore), texts)} (${bandOf(fact.scoreBand, texts)})`],
        ]
      : [[says.event, String(fact.eventType)]];
  return [...of, [says.date, at], [says.place, fill(texts.entry, { number: numberOf(leafIndex, texts) })]];
}
