/** What a key may do (RULES K3). */
export const scopeResources = ['events', 'scores', 'usage', 'webhooks', 'admin'] as const;
export type ScopeResource = (typeof scopeResources)[number];
export type ScopeAction = 'read' | 'write';

/** Every spelling of a scope that a key can hold. */
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

/** What a scope of the catalogue opens, in everyday words. */
export function scopeText(scope: string): string {
  if (scope === '*') return 'Opens every operation.';
  if (scope === 'read' || scope === 'write')
    return `Opens every operation that ${scope}s, but those of \`admin\`.`;
  const [resource, action] = scope.split(':');
  if (action === undefined) return `The same as \`${resource}:*\`.`;
  if (action === '*') return `Opens every operation of \`${resource}\`.`;
  return `Opens the operations of \`${resource}\` that ${action}.`;
}

/**
 * Whether a key with these scopes may do `action` on `resource`. An empty list is unscoped. `read` and `write` cover every
 * resource but `admin`; a bare resource means both actions on it.
 */
export function scopesAllow(
  scopes: readonly string[],
  resource: ScopeResource,
  action: ScopeAction,
): boolean {
  if (scopes.length === 0) return true;
  return scopes.some(
    (scope) =>
      scope === '*' ||
      (scope === action && resource !== 'admin') ||
      scope === resource ||
      scope === `${resource}:*` ||
      scope === `${resource}:${action}`,
  );
}

/** Whether a key with these scopes has a write action on any resource. */
export function mayWriteAnything(scopes: readonly string[]): boolean {
  return scopeResources.some((resource) => scopesAllow(scopes, resource, 'write'));
}

/** The scopes any one of which opens an operation, as a refusal names them. */
export function scopesThatAllow(resource: ScopeResource, action: ScopeAction): string[] {
  const specific = [`${resource}:${action}`, `${resource}:*`, resource, '*'];
  return resource === 'admin' ? specific : [...specific, action];
}

/**
 * Which of the `wanted` scopes a key that holds `held` may not hand out (RULES K4), judged by what they cover and not by
 * their names. Full access is handed out as an empty list by a key that has it so itself, never by accident: to every other
 * key it is out of reach, and the answer calls it `*`.
 */
export function scopesBeyond(held: readonly string[], wanted: readonly string[]): string[] {
  if (held.length === 0) return [];
  if (wanted.length === 0) return ['*'];
  return wanted.filter((scope) =>
    capabilities.some(
      ({ resource, action }) =>
        scopesAllow([scope], resource, action) && !scopesAllow(held, resource, action),
    ),
  );
}

const capabilities = scopeResources.flatMap((resource) =>
  (['read', 'write'] as const).map((action) => ({ resource, action })),
);
