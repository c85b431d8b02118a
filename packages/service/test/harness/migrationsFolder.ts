import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The migrations of the service itself. */
export const serviceMigrations = fileURLToPath(new URL('../../migrations', import.meta.url));

const runner = fileURLToPath(new URL('../../src/kit/db/migrate.ts', import.meta.url));

/**
 * A short hash of a folder of migrations and of the code that runs them. It names prepared databases,
 * which are valid until one of these changes; all working copies on a machine share them.
 */
export function contentKey(folder: string, ...more: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(more)).update(readFileSync(runner));
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith('.sql'))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
