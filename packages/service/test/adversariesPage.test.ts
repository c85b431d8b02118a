import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { riskSignalCodes } from '#domain/riskSignals/detectRisk.js';
import { differences, expectedOutcomes, tableRows } from './adversary/adversaryTable.js';
import { attacks } from './adversary/attacks.js';

const page = readFileSync(new URL('../../../docs/ADVERSARIES.md', import.meta.url), 'utf8');
const [, section = ''] = page.split(/^## The table$/m);
const shown = section
  .split(/^## /m)[0]
  ?.split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|-'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/ADVERSARIES.md', () => {
  test('shows the expected table of npm run test:adversary', () => {
    expect(shown).toEqual(tableRows(expectedOutcomes));
  });

  test('has every attack that is played, and names existing signals alone', () => {
    expect(expectedOutcomes.map(({ attack }) => attack)).toEqual(attacks.map(({ name }) => name));
    const named = expectedOutcomes.flatMap(({ signals }) => Object.keys(signals));
    expect(riskSignalCodes).toEqual(expect.arrayContaining(named));
  });
});

describe('the comparison of a run with the expected table', () => {
  const [first] = expectedOutcomes;
  if (!first) throw new Error('there is no expected outcome');
  const compared = (change: object) => differences([{ ...first, ...change }], [first]);

  test('finds no difference in the same run, nor in a few hundredths of a score', () => {
    expect(differences(expectedOutcomes, expectedOutcomes)).toEqual([]);
    expect(compared({ attackScore: first.attackScore + 0.1 })).toEqual([]);
  });

  test.each([
    ['a signal that stopped firing', { signals: {} }, /no longer fires for the attack/],
    ['a signal for an honest subject', { honestSignals: { SINGLE_WITNESS: 'low' } }, /expected nothing/],
    ['another score', { attackScore: first.attackScore - 5 }, /attackScore is/],
    ['another cost', { confirmations: 0 }, /confirmations is 0, expected \d+/],
    ['another attack', { attack: 'bribery' }, /bribery: is not in the expected table/],
  ])('finds %s', (_, change, sentence) => {
    expect(compared(change)[0]).toMatch(sentence);
  });
});
