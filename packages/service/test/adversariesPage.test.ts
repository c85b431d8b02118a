import { describe, expect, test } from 'vitest';
import { riskSignalCodes } from '#domain/riskSignals/detectRisk.js';
import { differences, expectedRows, pageTable, scoreTable } from './adversary/adversaryTable.js';
import { attacks } from './adversary/attacks.js';
import { pageAttacks } from './adversary/pageAttacks.js';

const expected = expectedRows(scoreTable);
const { header } = scoreTable;

test('docs/ADVERSARIES.md has every attack that is played, and names existing signals alone', () => {
  expect(expected.map(([attack]) => attack)).toEqual(Object.keys(attacks));
  expect(expected.filter((row) => row.length !== header.length)).toEqual([]);
  const named = expected.flatMap((row) => row.slice(7)).filter((signals) => signals !== 'none');
  const codes = named.flatMap((signals) => signals.split(', ').map((signal) => signal.split(' ')[0]));
  expect(riskSignalCodes).toEqual(expect.arrayContaining(codes));
});

test('docs/ADVERSARIES.md has every attack on the pages of people', () => {
  const rows = expectedRows(pageTable);
  expect(rows.map(([attack]) => attack)).toEqual(Object.keys(pageAttacks));
  expect(rows.filter((row) => row.length !== pageTable.header.length)).toEqual([]);
});

describe('the comparison of a run with the table of the page', () => {
  const [first = []] = expected;
  const compared = (column: string, cell: string) =>
    differences(scoreTable, [first.with(header.lastIndexOf(column), cell)], [first]);

  test('finds no difference in the same run, nor in a few hundredths of a score', () => {
    expect(differences(scoreTable, expected, expected)).toEqual([]);
    expect(compared('Attack', (Number(first[5]) + 0.1).toFixed(1))).toEqual([]);
  });

  test.each([
    ['a signal that stopped firing', 'Signals', 'none', /Signals is none, expected \w+/],
    ['a signal for an honest subject', 'Honest signals', 'SINGLE_WITNESS low', /Honest signals is SINGLE/],
    ['another score', 'Attack', '50.0', /Attack is 50/],
    ['another cost', 'Confirmations', '0', /Confirmations is 0, expected \d+/],
  ])('finds %s', (_, column, cell, sentence) => {
    expect(compared(column, cell)).toEqual([expect.stringMatching(sentence)]);
  });

  test('finds another attack, and one that was not played', () => {
    expect(differences(scoreTable, [first.with(0, 'bribery')], [first])).toEqual([
      'bribery: is not in the expected table',
      `${first[0]}: was not played`,
    ]);
  });
});
