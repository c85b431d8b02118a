/**
 * The text of an error of `parseArgs`, null for any other error. Without the advice about `--`, which
 * Node 20 cuts off and which nobody who misspelt an option needs.
 */
export function argumentErrorText(error: unknown): string | null {
  const isOfParseArgs =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return isOfParseArgs ? error.message.replace(/\. To specify a positional argument.*$/s, '.') : null;
}
