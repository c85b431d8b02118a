import { systemClock } from '../../../packages/service/src/kit/clock.js';
import { createVault } from '../../../packages/service/src/kit/crypto.js';
import type { KeyCaller } from '../../../packages/service/src/kit/http/route.js';
import { createLog } from '../../../packages/service/src/kit/log.js';
import { openDatabase } from '../../../packages/service/src/shape/openDatabase.js';
import { buildApp, loadParts } from '../../../packages/service/src/start/build.js';
import { readConfig } from '../../../packages/service/src/start/config.js';

// The service on a database that it has prepared, without admission: every request runs as the first platform. Key, scope, limit
// and quota are not checked and nothing is metered. Arguments: port, database.
const [port, databaseUrl] = process.argv.slice(2);

const config = readConfig({ DATABASE_URL: databaseUrl, PORT: port, LOG_LEVEL: 'warn' });
const log = createLog(config.logLevel, {});
const db = await openDatabase({ databaseUrl: config.databaseUrl, poolSize: config.databasePoolSize, log });
const caller = await firstPlatform();
const app = buildApp(
  {
    config,
    db,
    log,
    vault: createVault('a bench seals nothing'),
    adminSecret: undefined,
    clock: systemClock,
    admission: { authenticator: { identify: () => caller, authorize: () => undefined } },
  },
  await loadParts('all', false),
);
app.markReady();
await app.open();
app.startWork();
await app.server?.listen({ port: config.port, host: config.host });
process.once('SIGTERM', () => process.exit(0));

async function firstPlatform(): Promise<KeyCaller> {
  const [platform] = await db.query<{ platformId: string; name: string }>(
    'select platform_id, name from platform order by platform_id limit 1',
  );
  if (!platform) throw new Error('the database holds no platform');
  return {
    kind: 'key',
    platformId: platform.platformId,
    platformName: platform.name,
    keyId: platform.platformId,
    actor: `key:${platform.platformId}`,
    livemode: true,
    scopes: [],
    trustTier: 'STARTER',
    plan: 'enterprise',
    velocityExempt: false,
    rateLimitPerMinute: 0,
    monthlyQuota: 0,
    maxKeyLifetimeDays: null,
    confirmationsRequireWrite: false,
    group: 0,
  };
}
