import { describe, expect, test } from 'vitest';
import { asOf } from '../ledgers.js';
import { climb, isViolation } from './climb.js';
import { currentFormula, draftFormula } from './formulas.js';
import { rules } from './rules.js';

const options = { seed: 53, pairs: 100_000, asOf };

describe('a climbing search', () => {
  test.each(rules)('finds no ledger that breaks the rule "$name"', (rule) => {
    const found = climb(currentFormula, rule, options);
    expect(isViolation(found), JSON.stringify(found)).toBe(false);
  });

  test.each(rules.filter(({ name }) => /^[238]|^ageing/.test(name)))(
    'finds a ledger with which the first draft of the formula broke the rule "$name"',
    (rule) => {
      expect(isViolation(climb(draftFormula, rule, options))).toBe(true);
    },
  );

  test.each(rules.filter(({ name }) => /^[47]/.test(name)))(
    'finds a ledger with which a formula that adds a twentieth breaks the rule "$name"',
    (rule) => {
      const lifted = climb((...given) => 1.05 * currentFormula(...given), rule, options);
      expect(isViolation(lifted)).toBe(true);
    },
  );
});
