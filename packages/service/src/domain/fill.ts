/** A text with named places, `{name}`, with its values. Values are taken as they are: places in them stay. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the text has a place for ${name}: ${text}`);
    return String(value);
  });
}
