/** A list of words: words`one two three`. */
export function words([text = '']: TemplateStringsArray): string[] {
  return text.trim().split(/\s+/);
}
