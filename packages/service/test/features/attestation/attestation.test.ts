import { describe, expect, test } from 'vitest';
import { requestStatuses } from '../../../src/domain/catalogues/enums.js';
import {
  type AttestationAct,
  attestationActs,
  nextStatus,
  statusAt,
} from '../../../src/features/attestation/attestations/attestation.js';

const expiresAt = new Date('2026-03-15T16:00:00.000Z');
const justBefore = new Date(expiresAt.getTime() - 1);

describe('a request to a counterparty', () => {
  const ofPending: Record<AttestationAct, string> = {
    confirm: 'CONFIRMED',
    decline: 'DECLINED',
    expire: 'EXPIRED',
    cancel: 'CANCELLED',
    remind: 'PENDING',
  };

  test.each(Object.entries(ofPending))('that is pending: %s makes it %s', (act, next) => {
    expect(nextStatus('PENDING', act as AttestationAct)).toBe(next);
  });

  const decided = requestStatuses.filter((status) => status !== 'PENDING');
  test.each(decided.flatMap((status) => attestationActs.map((act) => [status, act] as const)))(
    'that is %s refuses to %s',
    (status, act) => {
      expect(nextStatus(status, act)).toBeNull();
    },
  );

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
