import { rm } from 'node:fs/promises';
import { createVault, randomSecret } from '#kit/crypto.js';
import { readSecretFile, writeSecretFile } from '#kit/wholeFile.js';
import { type Config, ConfigError, readConfig } from '../start/config.js';
import { assertDataKey, dataKeyFiles, findDataKeys } from '../start/firstStart.js';
import { programs } from './options.js';
import { rotateDataKey } from './rotateDataKey/rotateDataKey.js';
import { runProgram } from './runCommand.js';
import { withLedger } from './withLedger.js';

/* Killed, it continues when it is run again. Exit codes: 0 done, 1 failed, 2 invalid option or settings. */
process.exitCode = await runProgram(programs.rotateDataKey, async (_, output) => {
  const config = readConfig();
  const ownsKey = config.databaseUrl === undefined && config.dataKey === undefined;
  return withLedger(config, 1, async (db) => {
    if (ownsKey) await generateKey(config);
    const keys = await findDataKeys(config);
    const vault = createVault(keys.current, keys.previous);
    const state = await assertDataKey(db, vault);
    if (keys.previous === undefined) {
      throw new ConfigError(
        'There is no key to replace: DATA_KEY is the key of this database, and DATA_KEY_PREVIOUS is not set. ' +
          'Set DATA_KEY to a new key and DATA_KEY_PREVIOUS to the present one, for this command and for every process.',
      );
    }
    if (state === 'rotating') output.say('Continuing a rotation that was begun.');
    const { resealed, unreadable } = await rotateDataKey({
      db,
      vault,
      onProgress: (label, done, total) => output.say(`${label}: ${done} of ${Math.max(done, total)}`),
    });
    for (const name of unreadable) console.error(`Neither key opens: ${name}`);
    if (ownsKey) await rm(dataKeyFiles(config).previous, { force: true });
    output.say(`Encrypted again: ${resealed}. Nothing is encrypted with the previous key any more.`);
    output.say(
      ownsKey
        ? `The key is in ${dataKeyFiles(config).current}: back it up.`
        : 'Remove DATA_KEY_PREVIOUS and restart every process.',
    );
    output.result({ resealed, unreadable });
    return 0;
  });
});

/** After copying the present key. A rotation that was begun keeps its keys. */
async function generateKey(config: Config): Promise<void> {
  const { current, previous } = dataKeyFiles(config);
  const present = (await findDataKeys(config)).current;
  const kept = await readSecretFile(previous);
  if (kept !== null && kept !== present) return;
  await writeSecretFile(previous, present);
  await writeSecretFile(current, randomSecret(''));
}
