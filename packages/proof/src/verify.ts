import type { VerifierKey } from './note.js';
import { type Ed25519Verify, verifyByWebCrypto } from './noteVerification.js';
import { type HeldFile, type Receipt, readProof, type ScoreProof } from './readProof.js';
import { failed, passed, type Step, type StepName } from './step.js';
import { checkCompleteness, checkSubject } from './verifyChain.js';
import { type CheckedCheckpoint, checkCheckpoint, checkWitnesses } from './verifyCheckpoint.js';
import { checkHeld } from './verifyHeld.js';
import { checkHistory, type KeptFile } from './verifyHistory.js';
import { checkInclusion, type Pause } from './verifyInclusion.js';
import { checkKept, type KeptFacts } from './verifyKept.js';
import { checkLateness } from './verifyLateness.js';
import { CLOCK_SKEW_MS, checkScore } from './verifyScore.js';

export interface VerifyOptions {
  /** The key of the log, from a source that you trust; with its former keys, if it has any. Without it nothing shows who signed. */
  logKey?: VerifierKey | readonly VerifierKey[] | undefined;
  /** Keys of witnesses that have to have cosigned the checkpoint. */
  witnesses?: readonly VerifierKey[] | undefined;
  /** How many of the witnesses suffice. Default: all. */
  quorum?: number | undefined;
  /** A file or a checkpoint that was kept: nothing in the log before it has changed since. */
  kept?: KeptFile | undefined;
  /** The present time, to judge dates in the future and `maxAgeMinutes`. */
  now?: Date | undefined;
  /** How old the checkpoint may be at most. */
  maxAgeMinutes?: number | undefined;
  /** Default: WebCrypto. */
  verifySignature?: Ed25519Verify | undefined;
  /** Called now and then with the events that are checked: a page can show progress and stay responsive. */
  pause?: Pause | undefined;
}

export interface Verification {
  kind: 'receipt' | 'score proof' | 'held file' | null;
  /** No step failed. Steps that could not be checked have `ok: null`. */
  ok: boolean;
  /** No step failed, and each was checked. */
  isComplete: boolean;
  steps: Step[];
}

/**
 * Verifies the answer of `GET /events/{id}/receipt` or `GET /users/{id}/score/proof`, a tlog-proof, or the `data.json` of a record
 * link, step by step and without the service. Give its text: names that occur twice are refused, which a parsed value does not show.
 * Never throws, whatever the file holds: the failing step says what is wrong.
 */
export async function verify(proof: unknown, options: VerifyOptions = {}): Promise<Verification> {
  let parsed: Receipt | ScoreProof | HeldFile;
  try {
    parsed = readProof(proof);
  } catch (error) {
    return verification(null, [unreadable('format', error)]);
  }
  const { kind } = parsed;
  if (parsed.kind === 'held file') return verification(kind, await heldSteps(parsed, options));
  const isReceipt = kind === 'receipt';
  const format = passed('format', isReceipt ? 'isReceipt' : 'isScoreProof');
  return verification(kind, [format, ...(await stepsOf(parsed, options))]);
}

async function heldSteps(file: HeldFile, options: VerifyOptions): Promise<Step[]> {
  const { logKey = [], verifySignature = verifyByWebCrypto } = options;
  const format = passed('format', file.proof ? 'isHeldFile' : 'isHeldFileWithoutScore');
  const steps = [format, ...(file.proof ? await stepsOf(file.proof, options) : [])];
  try {
    return [...steps, ...(await checkHeld(file, [logKey].flat(), verifySignature, options.pause))];
  } catch (error) {
    return [...steps, unreadable('outcomes', error)];
  }
}

async function stepsOf(parsed: Receipt | ScoreProof, options: VerifyOptions): Promise<Step[]> {
  const { logKey = [], verifySignature = verifyByWebCrypto } = options;
  const logKeys = [logKey].flat();
  const { checkpoint, step } = await checkCheckpoint(parsed.checkpoint, logKeys, verifySignature);
  const { times, step: witnessed } = await checkWitnesses(parsed, options, logKeys, verifySignature);
  // Nobody is accused with a checkpoint that the log did not sign.
  const present = step.ok === false ? null : checkpoint;
  const { steps: historySteps, facts } = await checkKeptFile(parsed, present, options, logKeys);
  const steps =
    parsed.kind === 'receipt'
      ? await receiptSteps(parsed, checkpoint, options.pause)
      : [
          ...(await scoreSteps(parsed, checkpoint, options.pause)),
          ...(await otherLogSteps(parsed, options, logKeys, verifySignature)),
        ];
  return [
    step,
    ...(witnessed ? [witnessed] : []),
    ...historySteps,
    ...steps,
    guarded('lateness', () => checkLateness(parsed, facts)),
    guarded('age', () => checkAge(parsed, times, options)),
  ];
}

function verification(kind: Verification['kind'], steps: Step[]): Verification {
  const ok = steps.every((step) => step.ok !== false);
  return { kind, ok, isComplete: steps.every((step) => step.ok === true), steps };
}

function unreadable(name: StepName, error: unknown): Step {
  const reason = error instanceof Error ? error.message : String(error);
  return failed(name, 'notAProof', { reason: reason.replace(/\.$/, '') });
}

/** What a step cannot compute fails it: the values of a file may be anything. */
function guarded(name: StepName, check: () => Step): Step {
  try {
    return check();
  } catch (error) {
    return unreadable(name, error);
  }
}

async function checkKeptFile(
  proof: Receipt | ScoreProof,
  present: CheckedCheckpoint | null,
  options: VerifyOptions,
  logKeys: readonly VerifierKey[],
): Promise<{ steps: Step[]; facts: KeptFacts | null }> {
  const { kept, verifySignature = verifyByWebCrypto } = options;
  if (!kept) return { steps: [], facts: null };
  const { step, checkpoint } = await checkHistory(present, kept, logKeys, verifySignature);
  if (!checkpoint) return { steps: [step], facts: null };
  const note = { checkpoint: kept.checkpoint, cosignatures: [] };
  const { times } = await checkWitnesses(note, { ...options, quorum: 0 }, logKeys, verifySignature);
  try {
    const { step: contained, facts } = checkKept(proof, kept, checkpoint, times);
    return { steps: contained ? [step, contained] : [step], facts };
  } catch (error) {
    return { steps: [step, unreadable('kept', error)], facts: null };
  }
}

async function receiptSteps(
  { eventId, event }: Receipt,
  checkpoint: CheckedCheckpoint | null,
  pause: Pause | undefined,
): Promise<Step[]> {
  const { fact } = event;
  if (fact?.kind !== 'event' || fact.eventId !== eventId)
    return [failed('event', 'otherEvent', { eventId, kind: fact?.kind, factId: fact?.eventId })];
  return [await checkInclusion('event', [event], checkpoint, pause)];
}

async function scoreSteps(
  proof: ScoreProof,
  checkpoint: CheckedCheckpoint | null,
  pause: Pause | undefined,
): Promise<Step[]> {
  const here = proof.members.filter(({ log }) => log === null).flatMap(({ events }) => events);
  const included = [
    await checkInclusion('snapshot', [proof.snapshot], checkpoint, pause),
    await checkInclusion('events', here, checkpoint, pause),
  ];
  const completeness = guarded('completeness', () => checkCompleteness(proof));
  const subject = guarded('subject', () => checkSubject(proof));
  try {
    return [...included, completeness, subject, ...checkScore(proof, completeness.ok)];
  } catch (error) {
    return [...included, completeness, subject, unreadable('score', error)];
  }
}

/** Each other log has a checkpoint of its own, with cosignatures. Its signature is checked if its key is given, too. */
async function otherLogSteps(
  { members, otherLogs }: ScoreProof,
  options: VerifyOptions,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [number, cosigned] of otherLogs.entries()) {
    const note = cosigned.checkpoint;
    const keys = logKeys.filter(({ name }) => note.startsWith(`${name}\n`));
    const events = members.filter(({ log }) => log === number).flatMap((member) => member.events);
    const { checkpoint, step } = await checkCheckpoint(note, keys, verifySignature);
    const { step: witnessed } = await checkWitnesses(cosigned, options, logKeys, verifySignature);
    const included = await checkInclusion('events', events, checkpoint, options.pause);
    steps.push(step, ...(witnessed ? [witnessed] : []), included);
  }
  return steps;
}

/**
 * A checkpoint has no date of its own. It is not older than the newest fact in it, by the clock of the log, nor than a cosignature, by
 * the clock of the witness.
 */
function checkAge(proof: Receipt | ScoreProof, times: readonly Date[], options: VerifyOptions): Step {
  const facts =
    proof.kind === 'receipt'
      ? [proof.event]
      : [proof.snapshot, ...proof.members.flatMap(({ events }) => events)];
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
