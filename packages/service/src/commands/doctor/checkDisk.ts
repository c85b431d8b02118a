import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../start/config.js';
import { assertSpace, existingPartOf, OTHERS } from '../../start/dataFolder.js';
import { needsKeyFile } from '../../start/firstStart.js';
import { type Finding, failed, fine, warning } from './check.js';

export async function* checkDisk(config: Config): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined && !needsKeyFile(config))
    return yield fine('The service needs no folder: data is in DATABASE_URL, keys in BOOTSTRAP_*.');
  const folder = await existingPartOf(dataDir);
  const found = await stat(folder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!found.isDirectory() || !isWritable) {
    const why = found.isDirectory() ? 'this user may not write there' : 'it is not a folder';
    return yield failed(
      `DATA_DIR ${dataDir} cannot be used, since ${folder}: ${why}. Set DATA_DIR to a folder that this user can write to.`,
    );
  }
  const isNew = (await stat(join(dataDir, 'database')).catch(() => null)) === null;
  const free = databaseUrl === undefined ? await assertSpace(dataDir, isNew) : null;
  const space = free === null ? '' : `, ${free} MB free`;
  const isOpen = folder !== process.cwd() && process.platform !== 'win32' && (found.mode & OTHERS) !== 0;
  yield fine(`DATA_DIR ${dataDir} can be written${space}.`);
  if (isOpen && !isNew)
    yield warning(
      `Other users of this machine can open ${folder}, which has secrets. Run: chmod 700 '${folder}'`,
    );
}
