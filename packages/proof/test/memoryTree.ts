import {
  appendLeaves,
  concat,
  edgeRoot,
  type NewHashes,
  TILE_WIDTH,
  type TreeEdge,
  tileHashReader,
} from '../src/index.js';

/** A tree in memory that stores what a log stores: tiles and its right edge. */
export function createMemoryTree() {
  let edge: TreeEdge = { size: 0, hashes: [] };
  const tiles = new Map<string, Uint8Array>();
  const tile = (level: number, index: number) => tiles.get(`${level}/${index}`) ?? new Uint8Array();
  return {
    /** Appends leaf hashes in one batch. */
    append(leaves: readonly Uint8Array[]) {
      const appended = appendLeaves(edge, leaves);
      for (const { level, index, offset, bytes } of tileParts(appended.added)) {
        const stored = tile(level, index);
        if (stored.length !== offset * 32)
          throw new Error(`tile ${level}/${index} does not end at ${offset}`);
        tiles.set(`${level}/${index}`, Buffer.concat([stored, bytes]));
      }
      edge = appended.edge;
    },
    root: () => edgeRoot(edge),
    hashOf: tileHashReader(({ level, index }) => tile(level, index)),
    tile,
  };
}

/** What the new hashes of `appendLeaves` add to tiles that have `offset` hashes, in order of level and index. */
function* tileParts(added: readonly NewHashes[]) {
  for (const { level, first, hashes } of added) {
    if (level % 8 !== 0) continue;
    for (let done = 0; done < hashes.length; ) {
      const offset = (first + done) % TILE_WIDTH;
      const taken = hashes.slice(done, done + TILE_WIDTH - offset);
      const index = Math.floor((first + done) / TILE_WIDTH);
      yield { level: level / 8, index, offset, bytes: concat(...taken) };
      done += taken.length;
    }
  }
}

/** The bytes with one bit changed. */
export function flipped(bytes: Uint8Array, seed: number): Uint8Array {
  const bit = seed % (8 * bytes.length);
  return bytes.with(bit >> 3, (bytes[bit >> 3] as number) ^ (1 << (bit & 7)));
}

/** The proof with another hash, and with one hash more or less. */
export function changedProofs(
  proof: readonly Uint8Array[],
  extra: Uint8Array,
  seed: number,
): readonly (readonly Uint8Array[])[] {
  const longer = [
    [...proof, extra],
    [extra, ...proof],
  ];
  if (proof.length === 0) return longer;
  const at = seed % proof.length;
  const other = proof.with(at, flipped(proof[at] as Uint8Array, seed));
  return [...longer, other, proof.slice(1), proof.slice(0, -1)];
}
