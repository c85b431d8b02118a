import { describe, expect, test } from 'vitest';
import { requestStatuses } from '#domain/catalogues/enums.js';
import { assertPending, statusAt } from '../../../src/features/attestation/attestations/attestation.js';

const expiresAt = new Date('2026-03-15T16:00:00.000Z');
const justBefore = new Date(expiresAt.getTime() - 1);

describe('a request to a counterparty', () => {
  const act = (status: (typeof requestStatuses)[number]) =>
    assertPending({ status, expiresAt }, justBefore, 'CONFIRMATION_NOT_PENDING');

  test('that is pending is answered or cancelled', () => {
    expect(() => act('PENDING')).not.toThrow();
  });

  const decided = requestStatuses.filter((status) => status !== 'PENDING');
  test.each(decided)('that is %s refuses both, and says so', (status) => {
    expect(() => act(status)).toThrow(
      expect.objectContaining({ code: 'CONFIRMATION_NOT_PENDING', details: { status } }),
    );
  });

  test('that is pending expires at the end of its window, to the millisecond', () => {
    expect(statusAt({ status: 'PENDING', expiresAt }, justBefore)).toBe('PENDING');
    expect(statusAt({ status: 'PENDING', expiresAt }, expiresAt)).toBe('EXPIRED');
  });

  test.each(decided)('that is %s keeps its status after its window', (status) => {
    for (const now of [justBefore, expiresAt, new Date('2030-01-01T00:00:00.000Z')]) {
      expect(statusAt({ status, expiresAt }, now)).toBe(status);
    }
  });
});
