import { isTlogProof, parseCheckpoint, parseNote, parseTlogProof, verify } from '@reliability/proof';
import { NotCheckable, type Outcome } from './outcome.js';
import { isOwnLog, readLog, readPresent, type Service } from './service.js';
import { findingOf, openIfUnwitnessed } from './steps.js';
import { bandOf, momentOf, numberOf, type Texts } from './texts.js';

interface OpenedLeaf {
  leafIndex: number;
  fact: Record<string, string | number>;
}

/** A receipt or the proof of a score, as parsed JSON or as the text of a tlog-proof. */
export async function checkProof(proof: unknown, service: Service, now: Date): Promise<Outcome> {
  const { texts } = service;
  const fields = (typeof proof === 'string' && isTlogProof(proof) ? parseTlogProof(proof) : proof) as {
    checkpoint?: unknown;
    snapshot?: OpenedLeaf;
    userId?: string;
  } & OpenedLeaf;
  const signed = checkpointOf(String(fields.checkpoint), service);
  const size = signed?.size ?? null;
  const [{ logKeys, witnesses }, present] = await Promise.all([
    readLog(service, signed?.origin ?? service.origin),
    signed && readPresent(service, signed.origin, signed.size),
  ]);
  const kept = present?.consistency
    ? { checkpoint: present.checkpoint, consistency: present.consistency }
    : undefined;
  const verified = await verify(fields, { logKey: logKeys, kept, now, witnesses, quorum: 0 });
  const { kind, ok } = verified;
  const steps = verified.steps.map(openIfUnwitnessed);
  const isComplete = steps.every((step) => step.ok === true);
  const findings = steps.map((step) => findingOf(step, texts));
  const isShorter = size !== null && present && !present.consistency;
  if (isShorter)
    findings.push({ question: texts.steps.history, ok: false, text: texts.shrunk(present.size, size) });
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
    host === undefined ? undefined : { text: texts.checkThere(host), href: `https://${host}/check` };
  throw new NotCheckable(texts.otherLog(checkpoint.origin), link);
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
  return [...of, [says.date, at], [says.place, texts.entry(numberOf(leafIndex, texts))]];
}
