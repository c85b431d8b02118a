import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder with these files; `write` adds more. */
export function temporaryMigrations(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'reliability-migrations-'));
  const write = (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text);
  };
  write(files);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
