import { equalBytes, fromBase64 } from './bytes.js';
import { verifyConsistency } from './merkle.js';
import type { VerifierKey } from './note.js';
import type { Ed25519Verify } from './noteVerification.js';
import { failed, passed, type Step, unchecked } from './step.js';
import { type CheckedCheckpoint, checkCheckpoint } from './verifyCheckpoint.js';

/** A file that was kept from another day, or its checkpoint alone. */
export interface KeptFile {
  checkpoint: string;
  /** The receipt or the proof with this checkpoint, as text or parsed: its events have to be in the present one. */
  file?: unknown;
  /** `proof` of `GET /log/consistency` for the two sizes, the smaller first. Not needed for equal sizes. */
  consistency?: readonly string[] | undefined;
}

/** A log that changed or lost facts, or that shows different facts to different readers, fails here. */
export async function checkHistory(
  current: CheckedCheckpoint | null,
  { checkpoint, consistency }: KeptFile,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<{ step: Step; checkpoint: CheckedCheckpoint | null }> {
  const { checkpoint: kept, step } = await checkCheckpoint(checkpoint, logKeys, verifySignature);
  if (!kept || step.ok === false)
    return { step: failed('history', 'keptUnsound', { cause: step }), checkpoint: null };
  return { step: compare(current, kept, consistency), checkpoint: kept };
}

function compare(
  current: CheckedCheckpoint | null,
  kept: CheckedCheckpoint,
  consistency: KeptFile['consistency'],
): Step {
  if (!current) return unchecked('history', 'presentUnreadable');
  if (kept.origin !== current.origin)
    return failed('history', 'otherKeptLog', { kept: kept.origin, current: current.origin });
  const [older, newer] = kept.size <= current.size ? [kept, current] : [current, kept];
  const [from, to] = [older.size, newer.size];
  if (from === to)
    return equalBytes(older.root, newer.root)
      ? passed('history', 'sameFacts')
      : failed('history', 'twoLogs', { origin: kept.origin, size: from });
  if (!consistency) return unchecked('history', 'consistencyMissing', { from, to });
  const proof = consistency.map(fromBase64).filter((hash) => hash !== null);
  const claim = { from, to, fromRoot: older.root, toRoot: newer.root, proof };
  return proof.length === consistency.length && verifyConsistency(claim)
    ? passed('history', 'continued', { from, to })
    : failed('history', 'notContinued', { from, to });
}
