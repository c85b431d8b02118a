import {
  consistencyNodes,
  consistencyProof,
  HASH_BYTES,
  type HashReader,
  type NewHashes,
  type NodeId,
  toBase64,
} from '@reliability/proof';
import type { Queryable } from '#kit/db/database.js';
import { raw, rowsOf, sql } from '#kit/db/rows.js';

/*
 * Tree hashes are stored in blocks of four levels: 16 hashes of a level that is a multiple of four,
 * then 8, 4 and 2 of the levels above. A proof reads its hashes from a block for each four levels.
 * From tiles of 256 hashes alone it would compute 247 others for each of a subject's scattered
 * events, a quarter of a million for 1 000 events.
 */
export const BLOCK_LEVELS = 4;
/** Hashes of a full block in its lowest level. */
export const BLOCK_WIDTH = 16;
const BLOCK_HASHES = 30;
const STARTS = [0, 16, 24, 28] as const;

export interface BlockId {
  level: number;
  index: number;
}

export interface Block extends BlockId {
  /** Hashes of its lowest level that are set. */
  filled: number;
  hashes: Buffer;
}

export type Blocks = ReadonlyMap<string, Block>;

export function keyOf({ level, index }: BlockId): string {
  return `${level}/${index}`;
}

function placeOf({ level, index }: NodeId): BlockId & { at: number } {
  const height = level % BLOCK_LEVELS;
  const width = BLOCK_WIDTH / 2 ** height;
  const start = STARTS[height] ?? 0;
  return {
    level: level - height,
    index: Math.floor(index / width),
    at: (start + (index % width)) * HASH_BYTES,
  };
}

/** The blocks that hold these nodes, each once. */
export function blocksOf(nodes: Iterable<NodeId>): BlockId[] {
  const found = new Map<string, BlockId>();
  for (const node of nodes) {
    const { level, index } = placeOf(node);
    found.set(keyOf({ level, index }), { level, index });
  }
  return [...found.values()];
}

export function hashReader(blocks: Blocks): HashReader {
  return (node) => {
    const place = placeOf(node);
    const block = blocks.get(keyOf(place));
    if (!block) throw new Error(`the log has no block ${keyOf(place)}`);
    return block.hashes.subarray(place.at, place.at + HASH_BYTES);
  };
}

/** The last block of each level of a tree, if it is not full: new hashes go there. */
export function openBlocks(size: number): BlockId[] {
  const blocks: BlockId[] = [];
  for (let level = 0; 2 ** level <= size; level += BLOCK_LEVELS) {
    const width = Math.floor(size / 2 ** level);
    if (width % BLOCK_WIDTH !== 0) blocks.push({ level, index: Math.floor(width / BLOCK_WIDTH) });
  }
  return blocks;
}

/** Adds new hashes to blocks. Returns the changed ones; the given ones stay as they are. */
export function addToBlocks(open: Blocks, added: readonly NewHashes[]): Map<string, Block> {
  const changed = new Map<string, Block>();
  for (const { level, first, hashes } of added) {
    let block: Block | undefined;
    hashes.forEach((hash, offset) => {
      const place = placeOf({ level, index: first + offset });
      if (block?.index !== place.index) {
        const key = keyOf(place);
        block = changed.get(key) ?? copyOf(place, open.get(key));
        changed.set(key, block);
      }
      block.hashes.set(hash, place.at);
      if (level % BLOCK_LEVELS === 0) block.filled += 1;
    });
  }
  return changed;
}

/**
 * The blocks that are not full, in their last state: a block that was filled must not stay in memory
 * as it was before.
 */
export function openOf(before: Blocks, changed: Blocks = new Map()): Blocks {
  const now = new Map([...before, ...changed]);
  return new Map([...now].filter(([, { filled }]) => filled < BLOCK_WIDTH));
}

function copyOf({ level, index }: BlockId, block: Block | undefined): Block {
  const hashes = block ? Buffer.from(block.hashes) : Buffer.alloc(BLOCK_HASHES * HASH_BYTES);
  return { level, index, filled: block?.filled ?? 0, hashes };
}

const blockIds = rowsOf<BlockId>({ smallint: ['level'] }, { blockIndex: ['bigint', ({ index }) => index] });
export const blockRows = rowsOf<Block>(
  { smallint: ['level', 'filled'], bytea: ['hashes'] },
  { blockIndex: ['bigint', ({ index }) => index] },
);

/** Blocks that exist, by key. */
export async function readBlocks(db: Queryable, ids: readonly BlockId[]): Promise<Map<string, Block>> {
  if (ids.length === 0) return new Map();
  const blocks = await sql`select level, block_index as "index", filled, hashes from log_block
     join ${blockIds.as('wanted', ids)} using (level, block_index)`.query<Block>(db);
  return new Map(blocks.map((block) => [keyOf(block), block]));
}

const lowNodes = rowsOf<NodeId>(
  { smallint: ['level'] },
  {
    blockIndex: ['bigint', ({ index }) => Math.floor(index / BLOCK_WIDTH)],
    place: ['smallint', ({ index }) => index % BLOCK_WIDTH],
  },
);

const siblingAt = (start: number, height: number) =>
  `'"' || encode(substr(hashes, (${start} + ((place >> ${height}) # 1)) * ${HASH_BYTES} + 1, ${HASH_BYTES}), 'base64') || '",'`;

export const HASH_DIGITS = 4 * Math.ceil(HASH_BYTES / 3);

/** Of a hash as `readSiblings` has it: base64 in quotes, and a comma. */
export const SIBLING_LENGTH = HASH_DIGITS + 3;

/**
 * Of each node in the lowest level of a block, the hashes beside the path upwards: its sibling, that of
 * its parent, and so on through the block, in the order of the nodes. One value for all: of a
 * block with 960 bytes four hashes are needed, and a thousand rows cost more than their contents. As text
 * for JSON: bytes would come as hexadecimal digits, and a call for each hash would make text of them.
 */
export async function readSiblings(db: Queryable, nodes: readonly NodeId[]): Promise<string> {
  if (nodes.length === 0) return '';
  const [row] =
    await sql`select string_agg(${raw(STARTS.map(siblingAt).join(' || '))}, '' order by nth) as siblings
     from ${lowNodes.as('wanted', nodes, 'nth')}
     cross join lateral (
       select hashes from log_block b where b.level = wanted.level and b.block_index = wanted.block_index limit 1
     ) block`.query<{ siblings: string | null }>(db);
  const siblings = row?.siblings ?? '';
  if (siblings.length !== nodes.length * BLOCK_LEVELS * SIBLING_LENGTH)
    throw new Error('the log lacks a block of hashes that a proof needs');
  return siblings;
}

/**
 * The first `width` hashes of the tile `index` of a level (C2SP tlog-tiles: 256 hashes). Null: the
 * log has fewer.
 */
export async function readTile(
  db: Queryable,
  { level, index, width }: { level: number; index: number; width: number },
): Promise<Buffer | null> {
  const first = index * BLOCK_WIDTH;
  const rows = await db.query<{ filled: number; hashes: Buffer }>(
    `select filled, hashes from log_block where level = $1 and block_index between $2 and $3 order by block_index`,
    [level * 8, first, first + Math.ceil(width / BLOCK_WIDTH) - 1],
  );
  const hashes = Buffer.concat(rows.map((row) => row.hashes.subarray(0, row.filled * HASH_BYTES)));
  return hashes.length < width * HASH_BYTES ? null : hashes.subarray(0, width * HASH_BYTES);
}

/**
 * The proof that the first `from` of `to` leaves have not changed (RFC 9162, 2.1.4), as base64. Both
 * sizes must be signed. Of nothing there is nothing to prove.
 */
export async function readConsistencyProof(db: Queryable, from: number, to: number): Promise<string[]> {
  if (from === 0) return [];
  const hashOf = hashReader(await readBlocks(db, blocksOf(consistencyNodes(from, to))));
  return consistencyProof(from, to, hashOf).map(toBase64);
}
