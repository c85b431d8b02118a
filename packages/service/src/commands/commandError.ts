/** An invalid argument. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
