/** A text that is sent to many, with the ETag that names it. */
export interface NamedText {
  readonly text: string;
  readonly etag: string;
}

/** Finished texts, each in the version of what it tells of. */
export interface ResponseCache {
  /** What was kept under this key, unless in another version. */
  find(key: string, version: string): NamedText | undefined;
  keep(key: string, version: string, named: NamedText): void;
}

interface Entry {
  readonly version: string;
  readonly named: NamedText;
  readonly bytes: number;
}

/** Of an entry beside its characters. */
const ENTRY_BYTES = 200;

/** @param maxBytes past them all is forgotten: who asks again brings back what is in use. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  return {
    find(key, version) {
      const entry = entries.get(key);
      return entry?.version === version ? entry.named : undefined;
    },
    keep(key, version, named) {
      const size = key.length + version.length + named.text.length + named.etag.length + ENTRY_BYTES;
      bytes += size - (entries.get(key)?.bytes ?? 0);
      entries.set(key, { version, named, bytes: size });
      if (bytes <= maxBytes) return;
      entries.clear();
      bytes = 0;
    },
  };
}
