import { leafHash, verifyInclusion } from './merkle.js';
import type { ProvenLeaf } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import type { CheckedCheckpoint } from './verifyCheckpoint.js';

/** @returns when to go on; undefined: at once */
export type Pause = (done: number, of: number) => Promise<void> | undefined;

/** Some milliseconds of work. */
const LEAVES_AT_ONCE = 64;

export async function checkInclusion(
  name: 'event' | 'events' | 'snapshot',
  leaves: readonly ProvenLeaf<unknown>[],
  checkpoint: CheckedCheckpoint | null,
  pause?: Pause,
): Promise<Step> {
  if (!checkpoint) return unchecked(name, 'noCheckpoint');
  const wrong: number[] = [];
  for (const [i, leaf] of leaves.entries()) {
    if (!isIncluded(leaf, checkpoint)) wrong.push(i + 1);
    if (i % LEAVES_AT_ONCE === 0) await pause?.(i, leaves.length);
  }
  if (wrong.length > 0) return failed(name, 'notIncluded', { of: name, wrong });
  const places = new Set(leaves.map(({ leafIndex }) => leafIndex));
  if (places.size < leaves.length) return failed(name, 'samePlace');
  const [first] = leaves;
  if (!first) return passed(name, 'noEvents');
  return name === 'events'
    ? passed(name, 'allIncluded', { count: leaves.length })
    : passed(name, 'included', { of: name, index: first.leafIndex });
}

export function isIncluded(
  { leafIndex, commitment, proof }: ProvenLeaf<unknown>,
  { size, root }: CheckedCheckpoint,
): boolean {
  return verifyInclusion({ index: leafIndex, size, leaf: leafHash(commitment), proof, root });
}
