import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  scopeCatalogue,
  scopeResources,
  scopesAllow,
  scopesBeyond,
  scopesThatAllow,
} from '#domain/scopes.js';

const actions = ['read', 'write'] as const;
const anyScopes = fc.uniqueArray(fc.constantFrom(...scopeCatalogue), { maxLength: 6 });

/** Every access that the scopes allow, as text: `events:read`. */
function reachOf(scopes: readonly string[]): Set<string> {
  const pairs = scopeResources.flatMap((resource) => actions.map((action) => ({ resource, action })));
  const open = pairs.filter(({ resource, action }) => scopesAllow(scopes, resource, action));
  return new Set(open.map(({ resource, action }) => `${resource}:${action}`));
}

describe('what scopes allow', () => {
  // Of each scope and operation: features/tenancy/keysAdmission.test.ts.
  test('no scopes are full access, and what is no scope opens nothing', () => {
    expect(reachOf([])).toEqual(reachOf(['*']));
    expect(reachOf(['Events', 'events:', 'events:READ', 'event', ''])).toEqual(new Set());
  });

  test('a refusal names exactly the scopes that would allow the access', () => {
    for (const resource of scopeResources) {
      for (const action of actions) {
        const opening = scopeCatalogue.filter((scope) => scopesAllow([scope], resource, action));
        expect(scopesThatAllow(resource, action).sort()).toEqual(opening.sort());
      }
    }
  });
});

describe('the privilege ceiling', () => {
  test.each([
    [['*'], ['*'], []],
    [['*'], ['read', 'write', 'admin'], []],
    [['*'], [], ['*']],
    [[], [], []],
    [[], ['*'], []],
    [['read'], ['events:read', 'usage:read'], []],
    [['read'], ['events', 'admin:read', 'scores:read'], ['events', 'admin:read']],
    [['read', 'write'], ['events:*', 'webhooks'], []],
    [['read', 'write'], ['*'], ['*']],
    [['events:read', 'events:write'], ['events', 'events:*'], []],
    [['events:*'], ['read'], ['read']],
    [['admin:write'], ['admin:write'], []],
    [['admin:write'], ['admin'], ['admin']],
    [['events', 'scores', 'usage', 'webhooks'], ['read', 'write'], []],
    [['events', 'scores', 'usage', 'webhooks', 'admin'], ['*'], []],
    [['admin'], [], ['*']],
  ])('a key with %j asked for %j: %j is beyond it', (own, wanted, beyond) => {
    expect(scopesBeyond(own, wanted)).toEqual(beyond);
  });

  test('a key never grants more access than it has, so no chain of keys gains any', () => {
    fc.assert(
      fc.property(anyScopes, anyScopes, (own, wanted) => {
        const isAllowed = scopesBeyond(own, wanted).length === 0;
        const within = [...reachOf(wanted)].every((reach) => reachOf(own).has(reach));
        if (isAllowed) expect(within).toBe(true);
        // The reverse holds except for an empty list (full access), which is refused on purpose.
        else expect(within && wanted.length > 0).toBe(false);
      }),
    );
  });

  test('a key may always grant the scopes that it has', () => {
    fc.assert(fc.property(anyScopes, (own) => scopesBeyond(own, own).length === 0));
  });
});
