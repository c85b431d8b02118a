export const scopeResources = ['events', 'scores', 'usage', 'webhooks', 'admin'] as const;
export type ScopeResource = (typeof scopeResources)[number];
export type ScopeAction = 'read' | 'write';

export const scopeCatalogue: readonly string[] = [
  'read',
  'write',
  '*',
  ...scopeResources.flatMap((resource) => [
    `${resource}:read`,
    `${resource}:write`,
    `${resource}:*`,
    resource,
  ]),
];

export function scopeText(scope: string): string {
  if (scope === '*') return 'Opens every operation.';
  if (scope === 'read' || scope === 'write')
    return `Opens every operation that ${scope}s, but those of \`admin\`.`;
  const [resource, action] = scope.split(':');
  if (action === undefined) return `The same as \`${resource}:*\`.`;
  if (action === '*') return `Opens every operation of \`${resource}\`.`;
  return `Opens the operations of \`${resource}\` that ${action}.`;
}

/** An empty list is unscoped. `read` and `write` cover all but `admin`; a bare resource means both. */
export function scopesAllow(
  scopes: readonly string[],
  resource: ScopeResource,
  action: ScopeAction,
): boolean {
  return scopes.length === 0 || scopesThatAllow(resource, action).some((scope) => scopes.includes(scope));
}

export function mayWriteAnything(scopes: readonly string[]): boolean {
  return scopeResources.some((resource) => scopesAllow(scopes, resource, 'write'));
}

export function scopesThatAllow(resource: ScopeResource, action: ScopeAction): string[] {
  const specific = [`${resource}:${action}`, `${resource}:*`, resource, '*'];
  return resource === 'admin' ? specific : [...specific, action];
}

/**
 * The `wanted` scopes that a key with `own` scopes may not grant (RULES K4), compared by the access
 * they cover, not by name. An empty list is full access: only a key with full access can grant it.
 * For other keys the result names it `*`.
 */
export function scopesBeyond(own: readonly string[], wanted: readonly string[]): string[] {
  if (own.length === 0) return [];
  if (wanted.length === 0) return ['*'];
  return wanted.filter((scope) =>
    capabilities.some(
      ({ resource, action }) => scopesAllow([scope], resource, action) && !scopesAllow(own, resource, action),
    ),
  );
}

const capabilities = scopeResources.flatMap((resource) =>
  (['read', 'write'] as const).map((action) => ({ resource, action })),
);
