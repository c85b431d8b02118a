import { systemClock } from '#kit/clock.js';
import { createVault, type Vault } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { logSigner, noteKey, originOf } from '#ledger/log/logKey.js';
import {
  ensureSigningKey,
  forgetRetiredKeys,
  rotateSigningKey,
  signingPurposes,
} from '#ledger/signingKeys.js';
import { openGroups } from '../shape/groups/groups.js';
import { type Config, ConfigError, readConfig } from '../start/config.js';
import { assertDataKey, findDataKeys } from '../start/firstStart.js';
import { programs } from './options.js';
import { runProgram } from './runCommand.js';
import { withLedger } from './withLedger.js';

/* Exit codes: 0 done, 1 failed, 2 invalid configuration or argument. */
process.exitCode = await runProgram(programs.rotateSigningKey, async ({ values }, output) => {
  const named = values.purpose ?? 'message';
  const purpose = signingPurposes.find((known) => known === named);
  if (!purpose)
    throw new ConfigError(`--purpose must be one of ${signingPurposes.join(', ')}, not ${named}.`);
  const config = readConfig();
  return withLedger(config, 1, async (db) => {
    const keys = await findDataKeys(config);
    const vault = createVault(keys.current, keys.previous);
    // A key that is sealed under another DATA_KEY could sign nothing.
    await assertDataKey(db, vault);
    const announcedMs = values.compromised ? 0 : undefined;
    const { keyId, signsFrom } = await rotateSigningKey(db, vault, systemClock, purpose, announcedMs);
    if (values.compromised) await forgetRetiredKeys(db, purpose, systemClock.now());
    if (purpose === 'log' && signsFrom <= systemClock.now()) await noteNewKey(db, vault, config);
    output.say(`The new ${purpose} key ${keyId} is published and signs from ${signsFrom.toISOString()}.`);
    output.result({ purpose, keyId, signsFrom });
    return 0;
  });
});

/** The log must name the key before the one that it named last is missed. */
async function noteNewKey(db: Database, vault: Vault, { baseUrl }: Config): Promise<void> {
  const key = await ensureSigningKey(db, vault, systemClock, 'log');
  for (const group of await openGroups(db))
    await noteKey(group, logSigner(originOf(baseUrl, group.ledgers.own), key), systemClock.now());
}
