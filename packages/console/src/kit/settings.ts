/** What this browser remembers: language, theme, rows that were sent again. Nothing secret, and no content of a platform. */
const PREFIX = 'reliability-console.';

export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is closed to this page
  }
}

export function writeSetting(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Then the setting lasts as long as the page.
  }
}
