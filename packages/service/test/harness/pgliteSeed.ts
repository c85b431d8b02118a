import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate } from '#kit/db/migrate.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { contentKey } from './migrationsFolder.js';
import { quietLog } from './quietLog.js';
import { scratchFolder } from './scratchFolder.js';

/**
 * Copies a migrated embedded database into a new folder, or `into` one, and returns the folder.
 * Creating a database takes five seconds, so it is done once per machine, and migrated once per
 * content of the migrations.
 */
export async function seededDataDir(migrations: string, into?: string): Promise<string> {
  const seed = await prepareSeed(migrations);
  await compiledEngine();
  const dataDir = into ?? scratchFolder('reliability-data-');
  cpSync(seed, dataDir, { recursive: true });
  return dataDir;
}

let compiled: Promise<object> | undefined;

/**
 * Compiles the engine and keeps a reference: V8 shares the code with every thread that compiles the
 * same bytes while one thread refers to it. That halves the time to open a database.
 */
function compiledEngine(): Promise<object> {
  compiled ??= WebAssembly.compile(readFileSync(join(engineFolder(), 'pglite.wasm')));
  return compiled;
}

/** Makes the seed for these migrations if it is missing. Returns its folder. */
export async function prepareSeed(migrations: string): Promise<string> {
  mkdirSync(SEEDS, { recursive: true });
  const empty = await seed(`empty-${engineVersion()}`, async (dataDir) => {
    const db = await openDatabase({ dataDir, log: quietLog });
    await db.close();
  });
  return seed(`migrated-${contentKey(migrations, engineVersion())}`, async (dataDir) => {
    cpSync(empty, dataDir, { recursive: true });
    const db = await openDatabase({ dataDir, log: quietLog });
    await migrate(db, migrations).finally(() => db.close());
    dropOldSeeds();
  });
}

// Made in a temporary folder and renamed when complete; among concurrent processes the first one
// wins.
async function seed(name: string, make: (dataDir: string) => Promise<void>): Promise<string> {
  const folder = join(SEEDS, name);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(SEEDS, 'draft-'));
  try {
    await make(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  utimesSync(folder, new Date(), new Date());
  return folder;
}

// Each takes 40 MB: delete those of older migrations.
function dropOldSeeds(): void {
  for (const name of readdirSync(SEEDS)) {
    const folder = join(SEEDS, name);
    const ageMs = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (!name.startsWith('empty-') && ageMs > KEEP_SEEDS_MS) rmSync(folder, { recursive: true, force: true });
  }
}

// The package does not export its manifest, which is in the folder above its entry.
function engineVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(engineFolder(), '..', 'package.json'), 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}

function engineFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
}

const SEEDS = join(tmpdir(), `reliability-test-seeds-${userInfo().uid}`);
const KEEP_SEEDS_MS = 2 * 60 * 60 * 1000;
