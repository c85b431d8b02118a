import { texts } from './texts.ts';

/** What a scope allows: `*`, `read`, `write`, each alone or behind a resource. A bare resource allows both. */
export function scopeText(scope: string): string {
  const resources: Readonly<Record<string, string>> = texts.resources;
  const [first = '', second = '*'] = scope.split(':');
  const [resource, action] = Object.hasOwn(resources, first) ? [resources[first], second] : [null, first];
  const may = action === '*' ? `${texts.read}, ${texts.write}` : action === 'read' ? texts.read : texts.write;
  return `${resource ?? texts.everything}: ${may}`;
}
