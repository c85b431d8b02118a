import {
  appendLeaves,
  edgeRoot,
  type HashReader,
  type TreeEdge,
  tileHashReader,
  tileParts,
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
