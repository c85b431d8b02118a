import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ScopeAction,
  type ScopeResource,
  scopeCatalogue,
  scopeResources,
  scopesAllow,
  scopesBeyond,
  scopesThatAllow,
} from '../../src/domain/scopes.js';

const actions: ScopeAction[] = ['read', 'write'];
const someScopes = fc.uniqueArray(fc.constantFrom(...scopeCatalogue), { minLength: 1, maxLength: 6 });
const anyScopes = fc.oneof(fc.constant([]), someScopes);

/** Everything the scopes open, in words: `events:read`. */
function reachOf(scopes: readonly string[]): Set<string> {
  const pairs = scopeResources.flatMap((resource) => actions.map((action) => ({ resource, action })));
  const open = pairs.filter(({ resource, action }) => scopesAllow(scopes, resource, action));
  return new Set(open.map(({ resource, action }) => `${resource}:${action}`));
}

describe('what scopes allow', () => {
  test.each<[string[], ScopeResource, ScopeAction, boolean]>([
    [[], 'admin', 'write', true],
    [['*'], 'admin', 'write', true],
    [['read'], 'events', 'read', true],
    [['read'], 'events', 'write', false],
    [['read', 'write'], 'admin', 'read', false],
    [['events'], 'events', 'write', true],
    [['events:*'], 'events', 'read', true],
    [['events:read'], 'events', 'write', false],
    [['events:read'], 'scores', 'read', false],
    [['admin'], 'admin', 'write', true],
    [['Events', 'events:', 'events:READ', 'event', ''], 'events', 'read', false],
  ])('%j: %s %s is %s', (scopes, resource, action, allowed) => {
    expect(scopesAllow(scopes, resource, action)).toBe(allowed);
  });

  test('a refusal names exactly the single scopes that would have opened', () => {
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
  ])('a key with %j asked for %j: %j is beyond it', (held, wanted, beyond) => {
    expect(scopesBeyond(held, wanted)).toEqual(beyond);
  });

  test('whatever it lets through reaches no further than the key that hands it out', () => {
    fc.assert(
      fc.property(anyScopes, anyScopes, (held, wanted) => {
        const isAllowed = scopesBeyond(held, wanted).length === 0;
        const within = [...reachOf(wanted)].every((reach) => reachOf(held).has(reach));
        if (isAllowed) expect(within).toBe(true);
        // The other way round only full access as an empty list is held back on purpose.
        else expect(within && wanted.length > 0).toBe(false);
      }),
    );
  });

  test('a key may always hand out what it has itself', () => {
    fc.assert(fc.property(anyScopes, (held) => scopesBeyond(held, held).length === 0));
  });

  test('no chain of keys minted by keys ever climbs', () => {
    fc.assert(
      fc.property(someScopes, fc.array(anyScopes, { maxLength: 8 }), (first, wishes) => {
        const last = wishes.reduce(
          (held, wanted) => (scopesBeyond(held, wanted).length === 0 ? wanted : held),
          first,
        );
        expect([...reachOf(first)]).toEqual(expect.arrayContaining([...reachOf(last)]));
      }),
    );
  });
});
