/** A text that is sent to many, with the ETag that names it. */
export interface NamedText {
  readonly text: string;
  readonly etag: string;
}

/**
 * Texts that are alike but for some words: of each its words are kept, and once for all what they have in common. So a credential takes
 * some hundred bytes instead of two thousand. What comes back is the text to the letter, whatever the words are: words that do not set
 * a text apart from the others only make it take more memory.
 */
export interface KeptTexts {
  /** What was kept under this key, unless in another version. */
  find(key: string, version: string): NamedText | undefined;
  /** @param words what is the text's own, none of them with a NUL in it. */
  keep(key: string, version: string, named: NamedText, words: readonly string[]): void;
}

/** A text without its words: before each, between them, and after the last; and which word stands where. */
interface Frame {
  readonly pieces: readonly string[];
  readonly places: readonly number[];
}

interface Entry {
  readonly version: string;
  readonly frame: Frame;
  /** The words, and then the ETag. One text, since a list of ten takes twice the memory. */
  readonly words: string;
  readonly bytes: number;
}

/** Of an entry beside its characters, as measured. */
const ENTRY_BYTES = 200;
const BETWEEN = '\0';

/** @param maxBytes past them all is forgotten: who asks again brings back what is in use. */
export function createKeptTexts(maxBytes: number): KeptTexts {
  const entries = new Map<string, Entry>();
  const frames = new Map<string, Frame>();
  let bytes = 0;

  return {
    find(key, version) {
      const entry = entries.get(key);
      return entry?.version === version ? filled(entry) : undefined;
    },
    keep(key, version, { text, etag }, words) {
      const frame = known(frameOf(text, words));
      const joined = [...words, etag].join(BETWEEN);
      const size = key.length + version.length + joined.length + ENTRY_BYTES;
      bytes += size - (entries.get(key)?.bytes ?? 0);
      entries.set(key, { version, frame, words: joined, bytes: size });
      if (bytes > maxBytes) forget();
    },
  };

  function known(frame: Frame): Frame {
    const mark = JSON.stringify(frame);
    const found = frames.get(mark);
    if (found) return found;
    frames.set(mark, frame);
    bytes += 2 * mark.length;
    return frame;
  }

  function forget(): void {
    entries.clear();
    frames.clear();
    bytes = 0;
  }
}

function frameOf(text: string, words: readonly string[]): Frame {
  const pieces: string[] = [];
  const places: number[] = [];
  let from = 0;
  for (const { at, place, end } of whereabouts(text, words)) {
    if (at < from) continue; // within the word before
    pieces.push(text.slice(from, at));
    places.push(place);
    from = end;
  }
  return { pieces: [...pieces, text.slice(from)], places };
}

/** Where the words stand in the text, in its order. */
function whereabouts(text: string, words: readonly string[]) {
  const found: { at: number; place: number; end: number }[] = [];
  words.forEach((word, place) => {
    if (word === '') return;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      found.push({ at, place, end: at + word.length });
    }
  });
  return found.sort((one, other) => one.at - other.at);
}

function filled({ frame: { pieces, places }, words: joined }: Entry): NamedText {
  const words = joined.split(BETWEEN);
  let text = pieces[0] ?? '';
  for (let index = 0; index < places.length; index += 1) {
    text += (words[places[index] ?? 0] ?? '') + (pieces[index + 1] ?? '');
  }
  return { text, etag: words.at(-1) ?? '' };
}
