export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A problem that the operator must fix before the service can start; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
