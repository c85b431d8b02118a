/**
 * The URL as its parser reads it; null where it cannot. `URL.canParse` would be the word for the question alone, but Node's compiled
 * form of it denies texts with a letter such as ü once it has been asked often.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
