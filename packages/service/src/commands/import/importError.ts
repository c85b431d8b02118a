import { z } from 'zod';

/** What keeps a file from being imported and is its sender's to mend; the message says how. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

const Faults = z.array(z.object({ path: z.string(), message: z.string() }));

/** A refusal of the service in words, with a line for each fault that it names. */
export function refusalText(code: string, message: string, details: unknown): string {
  const faults = Faults.safeParse(details).data ?? [];
  if (faults.length === 0) return `${message} (${code})`;
  return [
    `${HEADLINES[code] ?? message} (${code})`,
    ...faults.map((fault) => `  ${fault.path}: ${fault.message}`),
  ].join('\n');
}

const HEADLINES: Readonly<Record<string, string>> = {
  INGEST_MAPPING_INVALID: 'The mapping cannot be used:',
  VALIDATION_ERROR: 'The service did not take the request:',
};
