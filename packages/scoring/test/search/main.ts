import { parseArgs } from 'node:util';
import { dayOf } from '../../src/index.js';
import { climb, isViolation } from './climb.js';
import { currentFormula } from './formulas.js';
import { rules } from './rules.js';

// npm run search-formula -- [--pairs 1000000] [--seed n]: searches for ledgers that break a rule of
// the formula. Exit code 0: none found. 1: one found and printed. 2: invalid options.
const PAIRS_AT_A_TIME = 100_000;
const MAX_PAIRS = 1_000_000_000;

process.exitCode = main();

function main(): number {
  const options = readOptions();
  if (!options) return 2;
  const { pairs, seed } = options;
  const asOf = dayOf(new Date());
  console.log(`${pairs} pairs of ledgers per rule, as of day ${asOf}. --seed ${seed} repeats this run`);
  let broken = 0;
  for (const rule of rules) {
    let nearest = Number.NEGATIVE_INFINITY;
    for (let done = 0; done < pairs; ) {
      const size = Math.min(PAIRS_AT_A_TIME, pairs - done);
      const found = climb(currentFormula, rule, { seed: seed + done, pairs: size, asOf });
      done += size;
      nearest = Math.max(nearest, found.excess);
      if (process.stdout.isTTY) process.stdout.write(`\r${rule.name}: ${done}`);
      if (!isViolation(found)) continue;
      broken += 1;
      console.log(
        `\nBROKEN: ${rule.name}, by ${found.excess} points:\n${JSON.stringify(found.pair, null, 1)}`,
      );
      break;
    }
    console.log(`${process.stdout.isTTY ? '\r' : ''}${rule.name}: nearest ${nearest.toPrecision(3)}`);
  }
  console.log(broken === 0 ? 'No rule was broken.' : `Rules broken: ${broken}.`);
  return broken === 0 ? 0 : 1;
}

function readOptions(): { pairs: number; seed: number } | null {
  try {
    const { values } = parseArgs({
      options: {
        pairs: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      },
    });
    return {
      pairs: wholeNumber('--pairs', values.pairs, MAX_PAIRS),
      seed: wholeNumber('--seed', values.seed, 2 ** 31),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return null;
  }
}

function wholeNumber(option: string, text: string, maximum: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > maximum) {
    throw new Error(`${option} must be a whole number up to ${maximum}, not ${text}.`);
  }
  return Number(text);
}
