import { describe, expect, test } from 'vitest';
import {
  type EarningsWindowQuery,
  earningsWindowOf,
} from '../../src/features/records/earnings/earningsWindow.js';

const NOW = new Date('2026-11-21T11:40:00.000Z');
const windowOf = (query: EarningsWindowQuery = {}) => {
  const { from, to, months, trailingFrom } = earningsWindowOf(query, NOW);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    months: `${months[0]} ${months.at(-1)} ${months.length}`,
    trailing: trailingFrom.toISOString(),
  };
};

describe('the window of earnings', () => {
  test('is twelve calendar months up to now by default', () => {
    expect(windowOf()).toEqual({
      from: '2025-12-01T00:00:00.000Z',
      to: NOW.toISOString(),
      months: '2025-12 2026-11 12',
      trailing: '2025-12-01T00:00:00.000Z',
    });
  });

  test.each([
    [{ months: '1' }, '2026-11-01T00:00:00.000Z', '2026-11 2026-11 1'],
    [{ months: '120' }, '2016-12-01T00:00:00.000Z', '2016-12 2026-11 120'],
    [{ months: '3', to: '2026-02-10' }, '2025-12-01T00:00:00.000Z', '2025-12 2026-02 3'],
    [{ from: '2026-01-15' }, '2026-01-15T00:00:00.000Z', '2026-01 2026-11 11'],
    [{ from: '2026-10-31T23:30:00-02:00' }, '2026-11-01T01:30:00.000Z', '2026-11 2026-11 1'],
    [{ from: '2016-11-01' }, '2016-11-01T00:00:00.000Z', '2016-11 2026-11 121'],
  ])('%j sets the start', (query, from, months) => {
    expect(windowOf(query)).toMatchObject({ from, months });
  });

  test('includes the whole day of a date but nothing after now', () => {
    expect(windowOf({ to: '2026-02-10' }).to).toBe('2026-02-10T23:59:59.999Z');
    for (const to of ['2026-11-21', '2027-05-01', '9999-12-31'])
      expect(windowOf({ to }).to).toBe(NOW.toISOString());
  });

  test('ignores months when from is given', () => {
    for (const months of ['0', '121', 'abc', '']) {
      expect(windowOf({ months, from: '2026-03-01' })).toEqual(windowOf({ from: '2026-03-01' }));
    }
  });

  test('may end before the first record, even at the earliest date', () => {
    expect(windowOf({ to: '0001-01-01' })).toMatchObject({ months: '0001-01 0001-01 1' });
    expect(windowOf({ to: '0050-03-01', months: '2' })).toMatchObject({ months: '0050-02 0050-03 2' });
  });

  test.each([
    [{ months: '0' }, 'months'],
    [{ months: '121' }, 'months'],
    [{ months: '-1' }, 'months'],
    [{ months: '1.5' }, 'months'],
    [{ months: '' }, 'months'],
    [{ months: 'abc', to: '2026-01-01' }, 'months'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2026-11-22' }, 'from'],
    [{ from: '2016-10-31' }, 'from'],
    [{ from: '2000-01-01', to: '2010-02-01' }, 'from'],
  ])('%j is refused', (query, path) => {
    const refusal = { code: 'VALIDATION_ERROR', status: 400, details: [expect.objectContaining({ path })] };
    expect(() => earningsWindowOf(query, NOW)).toThrow(expect.objectContaining(refusal));
  });
});
