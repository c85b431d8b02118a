import type { ClientModel, ClientType, Scalar } from '../../service/src/pages/docs/clientModel.js';
import { pascal } from '../../service/src/pages/docs/clientNames.js';

/** The sets of values that have a name: those of `GET /enums` that the model uses. */
export interface Enumerations {
  readonly sets: ReadonlyMap<string, readonly string[]>;
  nameOf(values: readonly Scalar[]): string | undefined;
}

export function enumerationsIn(
  { shapes }: ClientModel,
  served: Readonly<Record<string, readonly string[]>>,
): Enumerations {
  const names = new Map<string, string>();
  for (const [name, values] of Object.entries(served)) {
    const own = shapes.has(pascal(name)) ? `${pascal(name)}Value` : pascal(name);
    if (!names.has(keyOf(values))) names.set(keyOf(values), own);
  }
  const sets = new Map<string, readonly string[]>();
  for (const { members } of shapes.values()) for (const { type } of members) visit(type);
  return { sets, nameOf };

  function nameOf(values: readonly Scalar[]): string | undefined {
    return names.get(keyOf(values));
  }

  function visit(type: ClientType): void {
    if (type.kind === 'union') type.of.forEach(visit);
    if (type.kind === 'list' || type.kind === 'map') visit(type.of);
    const name = type.kind === 'values' ? nameOf(type.values) : undefined;
    if (name && type.kind === 'values') sets.set(name, type.values.map(String));
  }
}

function keyOf(values: readonly Scalar[]): string {
  return [...values].sort().join();
}
