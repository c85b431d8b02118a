import { describe, expect, test } from 'vitest';
import { riskSignalCodes } from '#domain/riskSignals/detectRisk.js';
import { differences, expectedRows, HEADER } from './adversary/adversaryTable.js';
import { attacks } from './adversary/attacks.js';

const expected = expectedRows();

test('docs/ADVERSARIES.md has every attack that is played, and names existing signals alone', () => {
  expect(expected.map(([attack]) => attack)).toEqual(Object.keys(attacks));
  expect(expected.filter((row) => row.length !== HEADER.length)).toEqual([]);
  const named = expected.flatMap((row) => row.slice(7)).filter((signals) => signals !== 'none');
  const codes = named.flatMap((signals) => signals.split(', ').map((signal) => signal.split(' ')[0]));
  expect(riskSignalCodes).toEqual(expect.arrayContaining(codes));
});

describe('the comparison of a run with the table of the page', () => {
  const [first = []] = expected;
  const compared = (column: string, cell: string) =>
    differences([first.with(HEADER.lastIndexOf(column), cell)], [first]);

  test('finds no difference in the same run, nor in a few hundredths of a score', () => {
    expect(differences(expected, expected)).toEqual([]);
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
    expect(differences([first.with(0, 'bribery')], [first])).toEqual([
      'bribery: is not in the expected table',
      `${first[0]}: was not played`,
    ]);
  });
});
