import type { ErasedSubjects } from '../erasure/erasedSubjects.js';

/** A kilobyte each. */
const MAX_REMEMBERED = 4_000;

/** For what follows from a key alone: never stale. Emptied when subjects are erased. */
export function createMemory<Value>(
  erased: Pick<ErasedSubjects, 'onErased'>,
): (key: string, load: () => Promise<Value>) => Promise<Value> {
  const remembered = new Map<string, Promise<Value>>();
  erased.onErased(() => remembered.clear());
  return (key, load) => {
    const known = remembered.get(key);
    if (known) return known;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const loading = load();
    remembered.set(key, loading);
    loading.catch(() => {
      if (remembered.get(key) === loading) remembered.delete(key);
    });
    return loading;
  };
}
