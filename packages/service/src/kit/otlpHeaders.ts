/** `name=value,name=value`, percent-encoded. An error does not repeat a value, which may be secret. */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map(headerOf));
}

function headerOf(pair: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(\S.*)$/.exec(pair.trim()) ?? [];
  if (name === '') throw new Error('must be headers such as authorization=Bearer%20token,x-tenant=one');
  try {
    return [name, decodeURIComponent(value)];
  } catch {
    throw new Error(`the value of ${name} is not percent-encoded`);
  }
}
