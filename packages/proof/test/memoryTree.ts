import {
  appendLeaves,
  concat,
  edgeRoot,
  type HashReader,
  type NewHashes,
  TILE_WIDTH,
  type TreeEdge,
  tileHashReader,
} from '../src/index.js';

/** A tree in memory that stores what a log stores: tiles and its right edge. */
export interface MemoryTree {
  /** Appends leaf hashes in one batch. */
  append(leaves: readonly Uint8Array[]): void;
  edge(): TreeEdge;
  root(): Uint8Array;
  hashOf: HashReader;
  tile(level: number, index: number): Uint8Array;
}

export function createMemoryTree(): MemoryTree {
  let edge: TreeEdge = { size: 0, hashes: [] };
  const tiles = new Map<string, Uint8Array>();
  const tile = (level: number, index: number) => tiles.get(`${level}/${index}`) ?? new Uint8Array();
  return {
    append(leaves) {
      const appended = appendLeaves(edge, leaves);
      for (const { level, index, offset, bytes } of tileParts(appended.added)) {
        const stored = tile(level, index);
        if (stored.length !== offset * 32)
          throw new Error(`tile ${level}/${index} does not end at ${offset}`);
        tiles.set(`${level}/${index}`, Buffer.concat([stored, bytes]));
      }
      edge = appended.edge;
    },
    edge: () => edge,
    root: () => edgeRoot(edge),
    hashOf: tileHashReader(({ level, index }) => tile(level, index)),
    tile,
  };
}

/** Hashes to append to a tile that has `offset` of them. */
interface TilePart {
  level: number;
  index: number;
  offset: number;
  bytes: Uint8Array;
}

/** What the new hashes of `appendLeaves` add to tiles, in order of level and index. */
function tileParts(added: readonly NewHashes[]): TilePart[] {
  const parts: TilePart[] = [];
  for (const { level, first, hashes } of added) {
    if (level % 8 !== 0) continue;
    for (let done = 0; done < hashes.length; ) {
      const offset = (first + done) % TILE_WIDTH;
      const taken = hashes.slice(done, done + TILE_WIDTH - offset);
      const index = Math.floor((first + done) / TILE_WIDTH);
      parts.push({ level: level / 8, index, offset, bytes: concat(...taken) });
      done += taken.length;
    }
  }
  return parts;
}
