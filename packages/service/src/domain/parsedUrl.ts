/** Not `URL.canParse`: after many calls its optimized version in Node rejects letters such as ü. */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
