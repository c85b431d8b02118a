import { describe, expect, test } from 'vitest';
import { requestStatuses } from '../../src/domain/catalogues/enums.js';
import {
  decide,
  type RequestAct,
  requestActs,
  statusAt,
} from '../../src/features/attestation/attestations/attestation.js';

const expiresAt = new Date('2026-03-15T16:00:00.000Z');
const justBefore = new Date(expiresAt.getTime() - 1);

describe('a request for a witness', () => {
  const ofPending: Record<RequestAct, string> = {
    confirm: 'CONFIRMED',
    decline: 'DECLINED',
    expire: 'EXPIRED',
    cancel: 'CANCELLED',
    remind: 'PENDING',
  };

  test.each(Object.entries(ofPending))('that is pending: %s makes it %s', (act, next) => {
    expect(decide('PENDING', act as RequestAct)).toEqual({ next });
  });

  const decided = requestStatuses.filter((status) => status !== 'PENDING');
  test.each(decided.flatMap((status) => requestActs.map((act) => [status, act] as const)))(
    'that is %s refuses to %s',
    (status, act) => {
      expect(decide(status, act)).toEqual({ refused: true });
    },
  );

  test('that is pending has expired from the end of its window on, to the millisecond', () => {
    expect(statusAt({ status: 'PENDING', expiresAt }, justBefore)).toBe('PENDING');
    expect(statusAt({ status: 'PENDING', expiresAt }, expiresAt)).toBe('EXPIRED');
  });

  test.each(decided)('that is %s stays so past its window', (status) => {
    for (const now of [justBefore, expiresAt, new Date('2030-01-01T00:00:00.000Z')]) {
      expect(statusAt({ status, expiresAt }, now)).toBe(status);
    }
  });
});
