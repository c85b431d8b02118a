// Writes the clients of all languages from the OpenAPI document of the service. The types for
// TypeScript, `schema.ts`, are not committed; all else is. With --check: fails if something differs.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enumsCatalog } from '../service/src/features/system/catalogues/enumsCatalog.js';
import { describeApi } from '../service/src/features/system/system/describeApi.js';
import { mapValues } from '../service/src/kit/lists.js';
import { clientModelOf } from '../service/src/pages/docs/clientModel.js';
import { routeTable } from '../service/test/harness/routeTable.js';
import { enumerationsIn } from './generators/enumerations.js';
import { goFiles } from './generators/go.js';
import { pythonFiles } from './generators/python.js';
import { operationTable, schemaTypes } from './generators/typescript.js';

const TYPESCRIPT = 'packages/client/src/generated';

const document = await describeApi(() => routeTable(), 'https://scores.example')();
const model = clientModelOf(document);
const sets = mapValues(enumsCatalog, (set) => set.map(({ value }) => value));
const enumerations = enumerationsIn(model, sets);
const committed: Record<string, Record<string, string>> = {
  [TYPESCRIPT]: { 'operations.ts': operationTable(model) },
  'packages/python/src/reliability_client': pythonFiles(model, enumerations),
  'packages/go': goFiles(model, enumerations),
};
const files = Object.entries(committed).flatMap(([folder, own]) =>
  Object.entries(own).map(([name, text]) => [join(folder, name), text] as const),
);
const stale = files.filter(([path, text]) => text !== currentText(path)).map(([path]) => path);
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`${stale.join(', ')} differ from the API: run npm run generate:client and commit`);
  process.exitCode = 1;
} else {
  for (const [path, text] of files) replaceFile(path, text);
  replaceFile(`${TYPESCRIPT}/schema.ts`, await schemaTypes(document));
  console.log(`clients: ${model.operations.length} operations, ${model.shapes.size} types`);
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A compiler that runs meanwhile reads the old file or the new one. */
function replaceFile(path: string, text: string): void {
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, path);
}
