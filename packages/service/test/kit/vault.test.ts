import { describe, expect, test } from 'vitest';
import { createVault } from '#kit/crypto.js';

const OLD = 'the former key, of more than thirty-two characters';
const NEW = 'the present key, of more than thirty-two characters';

describe('a vault', () => {
  test('opens what it sealed, in the same context alone', () => {
    const vault = createVault(NEW);
    const sealed = vault.seal('a secret', 'webhook secret');
    expect(vault.open(sealed, 'webhook secret')).toBe('a secret');
    expect(() => vault.open(sealed, 'channel target')).toThrow('cannot decrypt channel target');
    expect(() => createVault(OLD).open(sealed, 'webhook secret')).toThrow('DATA_KEY');
  });

  test('with two keys opens both and seals with the one in use', () => {
    const vault = createVault(NEW, OLD);
    vault.sealWith('previous');
    const former = vault.seal('a secret', 'webhook secret');
    vault.sealWith('current');
    const present = vault.seal('a secret', 'webhook secret');
    for (const sealed of [former, present]) expect(vault.open(sealed, 'webhook secret')).toBe('a secret');
    expect(createVault(OLD).open(former, 'webhook secret')).toBe('a secret');
    expect(createVault(NEW).open(present, 'webhook secret')).toBe('a secret');
    expect(present.subarray(0, 8)).toEqual(vault.currentKeyId);
    expect(former.subarray(0, 8)).not.toEqual(vault.currentKeyId);
    expect(() => createVault(NEW).sealWith('previous')).toThrow('DATA_KEY_PREVIOUS is not set');
  });
});
