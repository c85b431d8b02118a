/** What keeps the demo from going on and is its user's to mend; the message says how. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
