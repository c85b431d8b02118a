import { type HashReader, type NodeId, nodeHash } from './merkle.js';
import { HASH_BYTES } from './sha256.js';

/** A tile of a log (C2SP tlog-tiles): consecutive hashes of the tree's level `8 × level`. */
export interface TileId {
  /** 0 to 63: hashes of leaves, of full tiles, of full tiles of full tiles, and so on */
  level: number;
  index: number;
  /** hashes in it: 256 in a full tile, 1 to 255 in the last one of a level */
  width: number;
}

export const TILE_WIDTH = 256;
const LEVELS_A_TILE = 8;
const MAX_TILE_LEVEL = 63;

/** The path of a tile below `/tile/`: `0/x001/x234/067` or, for a partial one, `0/x001/x234/067.p/8`. */
export function formatTilePath({ level, index, width }: TileId): string {
  const groups = [String(index % 1000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  const partial = width < TILE_WIDTH ? `.p/${width}` : '';
  return `${level}/${groups.join('/')}${partial}`;
}

/** Null if the path is not exactly as `formatTilePath` writes it. */
export function parseTilePath(path: string): TileId | null {
  const match = /^(\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (!match) return null;
  const [, level, groups = '', width] = match;
  const tile = {
    level: Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  const isInBounds = tile.level <= MAX_TILE_LEVEL && tile.width > 0 && Number.isSafeInteger(tile.index);
  return isInBounds && formatTilePath(tile) === path ? tile : null;
}

/** The width of a tile in a tree of this size: 0 if the tree has no such tile. */
export function tileWidth({ level, index }: Pick<TileId, 'level' | 'index'>, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, hashes));
}

/** The tiles of a tree of this size that hold these nodes, each once. */
export function tilesOf(nodes: readonly NodeId[], size: number): TileId[] {
  const tiles = new Map<string, TileId>();
  for (const node of nodes) {
    const { level, index } = tileOf(node);
    tiles.set(`${level}/${index}`, { level, index, width: tileWidth({ level, index }, size) });
  }
  return [...tiles.values()];
}

/**
 * Reads nodes from the bytes of tiles. Hashes between the levels that tiles store are computed once each: a proof needs 247
 * of them in each tile of leaves, and proofs of leaves in one tile share them.
 */
export function tileHashReader(bytesOf: (tile: Pick<TileId, 'level' | 'index'>) => Uint8Array): HashReader {
  const computed = new Map<string, Uint8Array>();
  return hashOf;

  function hashOf(node: NodeId): Uint8Array {
    if (node.level % LEVELS_A_TILE === 0) return storedHash(node);
    const name = `${node.level}/${node.index}`;
    const known = computed.get(name);
    if (known) return known;
    const [left, right] = [2 * node.index, 2 * node.index + 1].map((index) =>
      hashOf({ level: node.level - 1, index }),
    ) as [Uint8Array, Uint8Array];
    const hash = nodeHash(left, right);
    computed.set(name, hash);
    return hash;
  }

  function storedHash(node: NodeId): Uint8Array {
    const { level, index } = tileOf(node);
    const offset = node.index % TILE_WIDTH;
    const bytes = bytesOf({ level, index });
    if (bytes.length < (offset + 1) * HASH_BYTES)
      throw new RangeError(
        `Tile ${level}/${index} has ${bytes.length / HASH_BYTES} hashes and none at ${offset}`,
      );
    return bytes.slice(offset * HASH_BYTES, (offset + 1) * HASH_BYTES);
  }
}

/** The tile that holds a node, or the hashes that it is computed from. */
function tileOf({ level, index }: NodeId): Pick<TileId, 'level' | 'index'> {
  const first = index * 2 ** (level % LEVELS_A_TILE);
  return { level: Math.floor(level / LEVELS_A_TILE), index: Math.floor(first / TILE_WIDTH) };
}
