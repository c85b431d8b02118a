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
import { changedProofs, createMemoryTree, flipped } from './memoryTree.js';

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
    const soundOf = (size: number, random: Random) => {
      const index = random(size);
      const proof = inclusionProof(index, size, tree.hashOf);
      return { index, size, data: data[index] as Uint8Array, proof, root: treeRoot(size, tree.hashOf) };
    };
    const changedIndex = ({ index, size }: { index: number; size: number }, random: Random) => ({
      index: size > 1 ? (index + 1 + random(size - 1)) % size : 1,
    });
    expectAgreement(
      claimsOf(
        'inclusion',
        soundOf,
        [changed('data'), changed('root'), changedProof, changedIndex],
        (claim) => verifyInclusion({ ...claim, leaf: leafHash(claim.data) }),
      ),
    );
  });

  test('accepts our consistency proofs and refuses tampered ones, as we do', () => {
    const soundOf = (size: number, random: Random) => {
      const from = 1 + random(size);
      const [fromRoot, root] = [treeRoot(from, tree.hashOf), treeRoot(size, tree.hashOf)];
      return { from, size, fromRoot, root, proof: consistencyProof(from, size, tree.hashOf) };
    };
    expectAgreement(
      claimsOf('consistency', soundOf, [changed('fromRoot'), changed('root'), changedProof], (claim) =>
        verifyConsistency({ ...claim, to: claim.size, toRoot: claim.root }),
      ),
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
type Random = (bound: number) => number;

function randomFrom(seed: string): Random {
  let state = sha256(utf8(seed));
  return (bound) => {
    state = sha256(concat(state, utf8(seed)));
    return new DataView(state.buffer).getUint32(0) % bound;
  };
}

type Claim = { proof: readonly Uint8Array[] } & Record<string, number | Uint8Array | readonly Uint8Array[]>;

/** Random claims about the tree, half of them with one of the changes. */
function claimsOf<C extends Claim>(
  kind: string,
  soundOf: (size: number, random: Random) => C,
  changes: readonly ((sound: C, random: Random) => object)[],
  accepts: (claim: C) => boolean,
): Case[] {
  const random = randomFrom(kind);
  return Array.from({ length: CASES }, () => {
    const sound = soundOf(1 + random(random(2) === 0 ? 300 : LEAVES), random);
    const isTampered = random(2) === 0;
    const claim = { ...sound, ...(isTampered && changes[random(changes.length)]?.(sound, random)) };
    return { input: { kind, ...textsOf(claim) }, isAccepted: accepts(claim), isTampered };
  });
}

function changed(name: string) {
  return (sound: Claim, random: Random) => ({ [name]: flipped(sound[name] as Uint8Array, random(256)) });
}

function changedProof({ proof }: Claim, random: Random): object {
  const proofs = changedProofs(proof, sha256(utf8('extra')), random(2 ** 30));
  return { proof: proofs[random(proofs.length)] };
}

/** Another printable character at a place. The last digit of a signature is spared: Go ignores the stray bits in it, we refuse them. */
function changedNote(note: string, random: Random): string {
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

/** Bytes as base64, alone and in lists. */
function textsOf(claim: Claim): object {
  return Object.fromEntries(
    Object.entries(claim).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : value instanceof Uint8Array ? toBase64(value) : value.map(toBase64),
    ]),
  );
}
