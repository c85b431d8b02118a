/**
 * A text with a JWT in it, whose payload is written as the JSON that it is, between two NULs: a third shorter, and alike where others
 * say the same. No JSON has a NUL in it.
 */
export function withJwtPacked(text: string, jwt: string): string {
  const [, payload = ''] = jwt.split('.');
  return text.replace(payload, () => `\0${Buffer.from(payload, 'base64url').toString()}\0`);
}

/** Back to the letter. */
export function withJwtUnpacked(packed: string): string {
  const [before = '', payload = '', after = ''] = packed.split('\0');
  return before + Buffer.from(payload).toString('base64url') + after;
}
