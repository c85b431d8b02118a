import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedUuid, sha256 } from '#kit/crypto.js';

test('a derived id is the start of the hash of its parts, marked as UUIDv8', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
      const bytes = sha256(...parts).subarray(0, 16);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(bytes.toString('hex')) ?? [];
      expect(derivedUuid(...parts)).toBe(groups.join('-'));
    }),
  );
});

test('derived ids never change because stored rows depend on them', () => {
  const platformId = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
  expect(derivedUuid('subject', platformId, 'live', 'worker-4711')).toBe(
    '6c9a4aaa-3ab1-8432-8101-1d61e710ee83',
  );
});
