/** Not `URL.canParse`: after many calls its optimized version in Node rejects letters such as ü. */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** For an address that a page shows as it was given, so nothing in it may be read in two ways. */
export function isHttpsUrl(text: string): boolean {
  if (!/^https:\/\/[^/?#\\]/i.test(text)) return false;
  // URL parsers silently drop or convert these.
  if (/[\s\p{Cc}\\]/u.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}
