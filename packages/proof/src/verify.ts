import { leafHash, verifyInclusion } from './merkle.js';
import type { VerifierKey } from './note.js';
import { type Ed25519Verify, verifyByWebCrypto } from './noteVerification.js';
import { ProofFormatError } from './proofFormatError.js';
import { type ProvenLeaf, type Receipt, readProof, type ScoreProof } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import { checkCompleteness, checkSubject } from './verifyChain.js';
import { type CheckedCheckpoint, checkCheckpoint, checkWitnesses } from './verifyCheckpoint.js';
import { checkHistory, type KeptCheckpoint } from './verifyHistory.js';
import { CLOCK_SKEW_MS, checkScore } from './verifyScore.js';

export interface VerifyOptions {
  /** The key of the log, from a source that you trust; with its former keys, if it has any. Without it nothing shows who signed. */
  logKey?: VerifierKey | readonly VerifierKey[] | undefined;
  /** Keys of witnesses that have to have cosigned the checkpoint. */
  witnesses?: readonly VerifierKey[] | undefined;
  /** How many of the witnesses suffice. Default: all. */
  quorum?: number | undefined;
  /** A checkpoint that was kept: nothing in the log before it has changed since. */
  kept?: KeptCheckpoint | undefined;
  /** The present time, to judge dates in the future and `maxAgeMinutes`. */
  now?: Date | undefined;
  /** How old the checkpoint may be at most. */
  maxAgeMinutes?: number | undefined;
  /** Default: WebCrypto. */
  verifySignature?: Ed25519Verify | undefined;
}

export interface Verification {
  kind: 'receipt' | 'score proof' | null;
  /** No step failed. Steps that could not be checked have `ok: null`. */
  ok: boolean;
  /** No step failed, and each was checked. */
  isComplete: boolean;
  steps: Step[];
}

/**
 * Verifies the parsed JSON of `GET /events/{id}/receipt` or `GET /users/{id}/score/proof`, or the text of a tlog-proof, step by step
 * and without the service.
 * Never throws for a proof that is wrong: the failing step says what.
 */
export async function verify(proof: unknown, options: VerifyOptions = {}): Promise<Verification> {
  let parsed: Receipt | ScoreProof;
  try {
    parsed = readProof(proof);
  } catch (error) {
    if (!(error instanceof ProofFormatError)) throw error;
    return verification(null, [failed('format', 'notAProof', { reason: error.message })]);
  }
  const { logKey = [], verifySignature = verifyByWebCrypto } = options;
  const logKeys = [logKey].flat();
  const { checkpoint, step } = await checkCheckpoint(parsed.checkpoint, logKeys, verifySignature);
  const { times, step: witnessed } = await checkWitnesses(parsed, options, verifySignature);
  const { kept } = options;
  // Nobody is accused with a checkpoint that the log did not sign.
  const present = step.ok === false ? null : checkpoint;
  const history = kept ? [await checkHistory(present, kept, logKeys, verifySignature)] : [];
  const { kind } = parsed;
  const steps =
    kind === 'receipt'
      ? receiptSteps(parsed, checkpoint)
      : [
          ...scoreSteps(parsed, checkpoint),
          ...(await otherLogSteps(parsed, options, logKeys, verifySignature)),
        ];
  return verification(kind, [
    passed('format', kind === 'receipt' ? 'isReceipt' : 'isScoreProof'),
    step,
    ...(witnessed ? [witnessed] : []),
    ...history,
    ...steps,
    checkAge(parsed, times, options),
  ]);
}

function verification(kind: Verification['kind'], steps: Step[]): Verification {
  const ok = steps.every((step) => step.ok !== false);
  return { kind, ok, isComplete: steps.every((step) => step.ok === true), steps };
}

function receiptSteps({ eventId, event }: Receipt, checkpoint: CheckedCheckpoint | null): Step[] {
  const { fact } = event;
  if (fact?.kind !== 'event' || fact.eventId !== eventId)
    return [failed('event', 'otherEvent', { eventId, kind: fact?.kind, factId: fact?.eventId })];
  return [checkInclusion('event', [event], checkpoint)];
}

function scoreSteps(proof: ScoreProof, checkpoint: CheckedCheckpoint | null): Step[] {
  return [
    checkInclusion('snapshot', [proof.snapshot], checkpoint),
    checkInclusion('events', proof.events, checkpoint),
    checkCompleteness(proof),
    checkSubject(proof),
    ...checkScore(proof),
  ];
}

/** Each other log has a checkpoint of its own, with cosignatures. Its signature is checked if its key is given, too. */
async function otherLogSteps(
  { otherLogs }: ScoreProof,
  options: VerifyOptions,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const { events, ...cosigned } of otherLogs) {
    const note = cosigned.checkpoint;
    const keys = logKeys.filter(({ name }) => note.startsWith(`${name}\n`));
    const { checkpoint, step } = await checkCheckpoint(note, keys, verifySignature);
    const { step: witnessed } = await checkWitnesses(cosigned, options, verifySignature);
    steps.push(step, ...(witnessed ? [witnessed] : []), checkInclusion('events', events, checkpoint));
  }
  return steps;
}

function checkInclusion(
  name: 'event' | 'events' | 'snapshot',
  leaves: readonly ProvenLeaf<unknown>[],
  checkpoint: CheckedCheckpoint | null,
): Step {
  if (!checkpoint) return unchecked(name, 'noCheckpoint');
  const { size, root } = checkpoint;
  const wrong = leaves.flatMap(({ leafIndex, commitment, proof }, i) => {
    const isIncluded = verifyInclusion({ index: leafIndex, size, leaf: leafHash(commitment), proof, root });
    return isIncluded ? [] : [i + 1];
  });
  if (wrong.length > 0) return failed(name, 'notIncluded', { of: name, wrong });
  const places = new Set(leaves.map(({ leafIndex }) => leafIndex));
  if (places.size < leaves.length) return failed(name, 'samePlace');
  const [first] = leaves;
  if (!first) return passed(name, 'noEvents');
  return name === 'events'
    ? passed(name, 'allIncluded', { count: leaves.length })
    : passed(name, 'included', { of: name, index: first.leafIndex });
}

/**
 * A checkpoint has no date of its own. It is not older than the newest fact in it, by the clock of the log, nor than a cosignature, by
 * the clock of the witness.
 */
function checkAge(proof: Receipt | ScoreProof, times: readonly Date[], options: VerifyOptions): Step {
  const facts = proof.kind === 'receipt' ? [proof.event] : [proof.snapshot, ...proof.events];
  const dates = facts.flatMap(({ fact }) => (fact ? [new Date(fact.at)] : []));
  // Not Math.max(...): a list of a hundred thousand arguments overflows the stack.
  const newest = [...dates, ...times].reduce((latest, date) => Math.max(latest, date.getTime()), 0);
  if (Number.isNaN(newest)) return failed('age', 'noDate');
  const byWitness = times.some((time) => time.getTime() === newest);
  const known = { date: new Date(newest).toISOString(), byWitness };
  const { now, maxAgeMinutes } = options;
  if (now && newest > now.getTime() + CLOCK_SKEW_MS) return failed('age', 'inFuture', known);
  if (now && maxAgeMinutes !== undefined && now.getTime() - newest > maxAgeMinutes * 60_000)
    return failed('age', 'tooOld', known);
  return passed('age', 'notOlder', known);
}
