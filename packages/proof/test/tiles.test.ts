import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTilePath, leafHash, parseTilePath, type TileId, tileWidth, utf8 } from '../src/index.js';
import { createMemoryTree } from './memoryTree.js';

describe('the path of a tile', () => {
  test.each<[TileId, string]>([
    [{ level: 0, index: 0, width: 256 }, '0/000'],
    [{ level: 0, index: 1_234_067, width: 256 }, '0/x001/x234/067'],
    [{ level: 1, index: 999, width: 1 }, '1/999.p/1'],
    [{ level: 2, index: 1000, width: 255 }, '2/x001/000.p/255'],
    [{ level: 63, index: 12, width: 256 }, '63/012'],
  ])('%o is %s', (tile, path) => {
    expect(formatTilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test('comes back from its text', () => {
    const tiles = fc.record({
      level: fc.integer({ min: 0, max: 63 }),
      index: fc.integer({ min: 0, max: 2 ** 45 }),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(formatTilePath(tile))).toEqual(tile);
      }),
    );
  });

  test.each([
    '',
    '0',
    '0/0',
    '0/00',
    '0/0000',
    '00/000',
    '64/000',
    '-1/000',
    '0/x000/001',
    '0/001/002',
    '0/x001/x002',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '0/000.p',
    '0/000.p/',
    '0/000/',
    '/0/000',
    '0/000.p/8/',
    'entries/000',
    '0/x999/x999/x999/x999/x999/999',
    '0/٠٠٠',
    '0/000\n',
  ])('%j is none', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

test('a tree of 70 000 leaves has the tiles of the example of tlog-tiles', () => {
  const tree = createMemoryTree();
  tree.append(Array.from({ length: 70_000 }, (_, i) => leafHash(utf8(`${i}`))));
  const widths = (level: number, count: number) =>
    Array.from({ length: count }, (_, index) => tileWidth({ level, index }, 70_000));
  expect(widths(0, 275)).toEqual([...Array(273).fill(256), 112, 0]);
  expect(widths(1, 3)).toEqual([256, 17, 0]);
  expect(widths(2, 2)).toEqual([1, 0]);
  for (const [level, index] of [
    [0, 0],
    [0, 273],
    [1, 1],
    [2, 0],
  ] as const)
    expect(tree.tile(level, index)).toHaveLength(32 * tileWidth({ level, index }, 70_000));
  expect(tree.tile(2, 1)).toHaveLength(0);
});
