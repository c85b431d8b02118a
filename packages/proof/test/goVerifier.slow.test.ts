import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  concat,
  consistencyProof,
  cosignNoteText,
  formatCheckpoint,
  formatNote,
  formatTilePath,
  formatVerifierKey,
  inclusionNodes,
  inclusionProof,
  leafHash,
  openNote,
  parseNote,
  parseVerifierKey,
  rootNodes,
  sha256,
  signatureTypes,
  signNoteText,
  tilesOf,
  toBase64,
  treeRoot,
  utf8,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.js';
import { type GoJudge, hasGo, startGoJudge } from './goJudge.js';
import { testSigner } from './keys.js';
import { createMemoryTree } from './memoryTree.js';

const CASES = 1000;
const LEAVES = 70_000;
const data = Array.from({ length: LEAVES }, (_, i) => sha256(utf8(`fact ${i}`)));
const tree = createMemoryTree();
tree.append(data.map(leafHash));
const log = testSigner('scores.example/log');
const witness = testSigner('witness.example', signatureTypes.cosignature);

/** A case for the Go program, and whether this package accepts it. */
interface Case {
  input: object;
  isAccepted: boolean;
  isTampered: boolean;
}

describe.skipIf(!hasGo)(`Go's golang.org/x/mod/sumdb, on ${CASES} random cases of each kind`, () => {
  let go: GoJudge;

  beforeAll(() => {
    go = startGoJudge();
  });
  afterAll(() => go.close());

  /** Go and this package agree: the sound cases are accepted, the tampered ones refused. */
  function expectAgreement(cases: readonly Case[]): void {
    const verdicts = go.judge(cases.map(({ input }) => input));
    expect(verdicts).toHaveLength(cases.length);
    for (const [i, { input, isAccepted, isTampered }] of cases.entries()) {
      const seen = { ours: isAccepted, go: verdicts[i] === 'ok' };
      expect(seen, `${verdicts[i]} ${JSON.stringify(input)}`).toEqual({ ours: !isTampered, go: !isTampered });
    }
    expect(cases.some(({ isTampered }) => isTampered) && cases.some(({ isTampered }) => !isTampered)).toBe(
      true,
    );
  }

  test('accepts our inclusion proofs and refuses tampered ones, as we do', () => {
    const random = randomFrom('inclusion');
    expectAgreement(
      Array.from({ length: CASES }, () => {
        const size = 1 + random(random(2) === 0 ? 300 : LEAVES);
        const index = random(size);
        const sound = {
          index,
          size,
          data: data[index] as Uint8Array,
          proof: inclusionProof(index, size, tree.hashOf),
          root: treeRoot(size, tree.hashOf),
        };
        const tampered = [
          { data: flipped(sound.data, random(256)) },
          { root: flipped(sound.root, random(256)) },
          { proof: changedProof(sound.proof, random) },
          { index: size > 1 ? (index + 1 + random(size - 1)) % size : 1 },
        ];
        const change = random(2) === 0 ? {} : (tampered[random(tampered.length)] ?? {});
        const claim = { ...sound, ...change };
        return {
          input: { kind: 'inclusion', ...textsOf(claim) },
          isAccepted: verifyInclusion({ ...claim, leaf: leafHash(claim.data) }),
          isTampered: Object.keys(change).length > 0,
        };
      }),
    );
  });

  test('accepts our consistency proofs and refuses tampered ones, as we do', () => {
    const random = randomFrom('consistency');
    expectAgreement(
      Array.from({ length: CASES }, () => {
        const size = 1 + random(random(2) === 0 ? 300 : LEAVES);
        const from = 1 + random(size);
        const sound = {
          from,
          size,
          fromRoot: treeRoot(from, tree.hashOf),
          root: treeRoot(size, tree.hashOf),
          proof: consistencyProof(from, size, tree.hashOf),
        };
        const tampered = [
          { fromRoot: flipped(sound.fromRoot, random(256)) },
          { root: flipped(sound.root, random(256)) },
          { proof: changedProof(sound.proof, random) },
        ];
        const change = random(2) === 0 ? {} : (tampered[random(tampered.length)] ?? {});
        const claim = { ...sound, ...change };
        return {
          input: { kind: 'consistency', ...textsOf(claim) },
          isAccepted: verifyConsistency({ ...claim, to: claim.size, toRoot: claim.root }),
          isTampered: Object.keys(change).length > 0,
        };
      }),
    );
  });

  test('reads our checkpoints, signed and cosigned, and refuses tampered ones, as we do', async () => {
    const random = randomFrom('checkpoint');
    const cases: Case[] = [];
    for (let i = 0; i < CASES; i += 1) {
      const size = random(LEAVES);
      const root = treeRoot(size, tree.hashOf);
      const text = formatCheckpoint({ origin: log.key.name, size, root, extensions: [] });
      const isCosigned = random(2) === 0;
      const signatures = [await signNoteText(text, log.key, log.sign)];
      if (isCosigned) signatures.push(await cosignNoteText(text, witness.key, random(2 ** 31), witness.sign));
      const sound = formatNote({ text, signatures });
      const note = random(2) === 0 ? sound : changedNote(sound, random);
      const vkeys = {
        vkey: formatVerifierKey(log.key),
        witness: isCosigned ? formatVerifierKey(witness.key) : '',
      };
      cases.push({
        input: { kind: 'checkpoint', note, size, root: toBase64(root), ...vkeys },
        isAccepted: await isOpened(note, [vkeys.vkey, vkeys.witness]),
        isTampered: note !== sound,
      });
    }
    expectAgreement(cases);
  });

  test('makes from our tiles the proofs that we make', () => {
    const random = randomFrom('tiles');
    expectAgreement(
      Array.from({ length: CASES / 10 }, () => {
        const size = 1 + random(LEAVES);
        const index = random(size);
        const tiles = tilesOf(
          [...inclusionNodes(index, size), ...rootNodes(size), { level: 0, index }],
          size,
        );
        const bytes = tiles.map((tile) => {
          const stored = tree.tile(tile.level, tile.index).subarray(0, 32 * tile.width);
          return [formatTilePath(tile), toBase64(stored)] as const;
        });
        const isTampered = random(4) === 0;
        const root = treeRoot(size, tree.hashOf);
        const proof = inclusionProof(index, size, tree.hashOf).map(toBase64);
        const shownRoot = toBase64(isTampered ? flipped(root, random(256)) : root);
        return {
          input: { kind: 'tiles', size, index, root: shownRoot, proof, tiles: Object.fromEntries(bytes) },
          isAccepted: !isTampered,
          isTampered,
        };
      }),
    );
  });
});

/** Numbers below a bound, the same in each run. */
function randomFrom(seed: string): (bound: number) => number {
  let state = sha256(utf8(seed));
  return (bound) => {
    state = sha256(concat(state, utf8(seed)));
    return new DataView(state.buffer).getUint32(0) % bound;
  };
}

function changedProof(proof: readonly Uint8Array[], random: (bound: number) => number): Uint8Array[] {
  const extra = sha256(utf8('extra'));
  if (proof.length === 0) return [extra];
  const at = random(proof.length);
  const changes = [
    proof.with(at, flipped(proof[at] as Uint8Array, random(256))),
    proof.slice(1),
    proof.slice(0, -1),
    [...proof, extra],
    [extra, ...proof],
  ];
  return changes[random(changes.length)] as Uint8Array[];
}

/** Another printable character at a place. The last digit of a signature is spared: Go ignores the stray bits in it, we refuse them. */
function changedNote(note: string, random: (bound: number) => number): string {
  const places = Array.from(note, (character, i) => ({ character, i })).filter(
    ({ character, i }) => note[i + 1] !== '=' && character !== '=' && character !== '\n',
  );
  const { character, i } = places[random(places.length)] as { character: string; i: number };
  const others = Array.from('abcXYZ019/').filter((other) => other !== character);
  return note.slice(0, i) + others[random(others.length)] + note.slice(i + 1);
}

async function isOpened(note: string, vkeys: readonly string[]): Promise<boolean> {
  const keys = vkeys.filter((vkey) => vkey !== '').map(parseVerifierKey);
  try {
    return (await openNote(parseNote(note), keys)).length === keys.length;
  } catch {
    return false;
  }
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] as number) ^ (1 << (bit & 7)));
}

/** Bytes as base64, alone and in lists. */
function textsOf(claim: Record<string, number | Uint8Array | readonly Uint8Array[]>): object {
  return Object.fromEntries(
    Object.entries(claim).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : value instanceof Uint8Array ? toBase64(value) : value.map(toBase64),
    ]),
  );
}
