/** A text with its ETag. */
export interface NamedText {
  readonly text: string;
  readonly etag: string;
}

/** Serialized answers, each with the version of its content. */
export interface ResponseCache {
  /** The entry of this key if it has this version. */
  find(key: string, version: string): NamedText | undefined;
  set(key: string, version: string, named: NamedText): void;
  clear(): void;
}

interface Entry {
  readonly version: string;
  readonly named: NamedText;
  readonly bytes: number;
}

/** Overhead of an entry besides its characters. */
const ENTRY_BYTES = 200;

/** @param maxBytes beyond this all entries are dropped. Those in use come back with the next read. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const clear = (): void => {
    entries.clear();
    bytes = 0;
  };
  return {
    find(key, version) {
      const entry = entries.get(key);
      return entry?.version === version ? entry.named : undefined;
    },
    set(key, version, named) {
      const size = key.length + version.length + named.text.length + named.etag.length + ENTRY_BYTES;
      bytes += size - (entries.get(key)?.bytes ?? 0);
      entries.set(key, { version, named, bytes: size });
      if (bytes > maxBytes) clear();
    },
    clear,
  };
}
