import { equalBytes, fromBase64 } from './bytes.js';
import { verifyConsistency } from './merkle.js';
import type { VerifierKey } from './note.js';
import type { Ed25519Verify } from './noteVerification.js';
import { failed, passed, type Step, unchecked } from './step.js';
import { type CheckedCheckpoint, checkCheckpoint } from './verifyCheckpoint.js';

/** A checkpoint of the same log that was kept from another day, for example that of an old receipt. */
export interface KeptCheckpoint {
  checkpoint: string;
  /** `proof` of `GET /log/consistency` for the two sizes, the smaller first. Not needed for equal sizes. */
  consistency?: readonly string[] | undefined;
}

/** A log that changed or lost facts, or that shows different facts to different readers, fails here. */
export async function checkHistory(
  current: CheckedCheckpoint | null,
  { checkpoint, consistency }: KeptCheckpoint,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<Step> {
  const { checkpoint: kept, step } = await checkCheckpoint(checkpoint, logKeys, verifySignature);
  if (!kept || step.ok === false) return failed('history', `The kept checkpoint: ${step.text}`);
  if (!current) return unchecked('history', 'Not checked: the checkpoint of the proof cannot be read.');
  if (kept.origin !== current.origin)
    return failed('history', `The kept checkpoint is of ${kept.origin}, this one is of ${current.origin}.`);
  const [older, newer] = kept.size <= current.size ? [kept, current] : [current, kept];
  if (older.size === newer.size)
    return equalBytes(older.root, newer.root)
      ? passed('history', 'The kept checkpoint has the same facts.')
      : failed(
          'history',
          `${kept.origin} signed two different logs of ${kept.size} facts. Keep both: they prove it.`,
        );
  const range = `from=${older.size}&to=${newer.size}`;
  if (!consistency)
    return unchecked('history', `Not checked: give the answer of GET /log/consistency?${range}, too.`);
  const proof = consistency.map(fromBase64).filter((hash) => hash !== null);
  const claim = { from: older.size, to: newer.size, fromRoot: older.root, toRoot: newer.root, proof };
  if (proof.length === consistency.length && verifyConsistency(claim))
    return passed(
      'history',
      `The log of ${older.size} facts is the beginning of that of ${newer.size}: nothing in it was changed.`,
    );
  return failed(
    'history',
    `Nothing shows that the log of ${older.size} facts is the beginning of that of ${newer.size}: facts were changed or removed, or this is not the answer of GET /log/consistency?${range}.`,
  );
}
