import { derivedSubject } from '@reliability/proof';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subjectIdOf } from '#ledger/subjectId.js';

test('a verifier derives the id of a live subject as the ledger does', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (platformId, externalId) => {
      expect(derivedSubject(platformId, externalId)).toBe(subjectIdOf(platformId, true, externalId));
      expect(derivedSubject(platformId, externalId)).not.toBe(subjectIdOf(platformId, false, externalId));
    }),
  );
});
