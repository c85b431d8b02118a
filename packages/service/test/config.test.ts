import { formatVerifierKey, signatureTypes } from '@reliability/proof';
import { describe, expect, test } from 'vitest';
import { testSigner } from '../../proof/test/keys.js';
import { ConfigError, readConfig } from '../src/start/config.js';

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the environment was accepted');
}

describe('the environment', () => {
  test('is complete when empty: embedded database, loopback, port 3000, every role', () => {
    const config = readConfig({});
    const { adminSecret, trustProxy, redisUrl } = config;
    expect({ adminSecret, trustProxy, redisUrl }).toEqual({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      dataDir: './data',
      role: 'all',
      logLevel: 'info',
      anonymousRateLimitPerMinute: 120,
      quotaWarningShare: 0.8,
      velocityMaxPerHour: 500,
      ai: null,
      eventExportMaxRows: 50_000,
      bookExportMaxRows: 50_000,
      bookSummaryMax: 200_000,
      analyticsMaxDays: 365,
      benchmarkMinCohort: 20,
    });
  });

  test('an empty value counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_SECRET: '', ROLE: '' })).toEqual(readConfig({}));
  });

  test('trusted proxies are a number or addresses', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1']);
  });

  test('the base address follows the port by default and has no trailing slash', () => {
    expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
    expect(readConfig({ BASE_URL: 'https://scores.example/' }).baseUrl).toBe('https://scores.example');
  });

  const refused: Readonly<Record<string, string[]>> = {
    PORT: ['eighty', '70000', '80.5', '-1'],
    BASE_URL: ['scores.example', 'ftp://scores.example'],
    DATABASE_URL: [
      'mysql://root@localhost/scores',
      'localhost:5432',
      'postgres://one,two/name?target_session_attrs=standby',
    ],
    DATABASE_POOL_SIZE: ['0'],
    DATABASE_REPLICA_URL: ['postgres://one,two/name'],
    REPLICA_MAX_LAG_MS: ['0'],
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: ['0'],
    TRUST_PROXY: ['0', 'true', 'proxy.internal', '10.0.0.0/33', '10.0.0.1,'],
    REDIS_URL: ['localhost:6379', 'http://localhost:6379'],
    QUOTA_WARNING_SHARE: ['0', '80'],
    ADMIN_SECRET: ['short'],
    BOOTSTRAP_LIVE_KEY: ['crd_live_short', `crd_test_${'x'.repeat(43)}`],
    BOOTSTRAP_TEST_KEY: [`crd_live_${'x'.repeat(43)}`, `crd_test_${'?'.repeat(43)}`],
    ROLE: ['boss'],
    LOG_LEVEL: ['loud'],
    METRICS_TOKEN: ['short'],
    SECURITY_CONTACT: [
      'security@scores.example',
      'mailto:security',
      'http://scores.example/security',
      'https://me:secret@scores.example',
      'https://scores.example/a\nContact: https://evil.example',
    ],
    VELOCITY_MAX_PER_HOUR: ['0'],
    DISPUTE_WINDOW_HOURS: ['0', 'two weeks'],
    REVIEW_WINDOW_HOURS: ['0', 'two weeks'],
    CONFIRMATION_EXPIRY_HOURS: ['0'],
    CONFIRMATION_REMINDER_AFTER_HOURS: ['-1'],
    CONFIRMATION_EXPIRING_WITHIN_HOURS: ['a day'],
    AI_BASE_URL: ['ai.example/v1', 'https://user:sk-123@ai.example/v1', 'https://ai.example/v1?key=1'],
    AI_API_KEY: ['sk of mine'],
    RETENTION_TEXT_DAYS: ['0', 'a year'],
    EVENT_EXPORT_MAX_ROWS: ['all'],
    IMPORT_MAX_ROWS: ['0'],
    IMPORT_MAX_STORED_ERRORS: ['all'],
  };
  test.each(
    Object.entries(refused).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  )('%s=%s is refused by name and value', (name, value) => {
    const isSecret = /KEY|SECRET|TOKEN|URL/.test(name);
    expect(refusalOf({ [name]: value })).toContain(`\n  ${name}${isSecret ? '' : `=${value}`}: `);
  });

  test('the default dispute window is two weeks; fractions of an hour are allowed', () => {
    expect(readConfig({}).disputeWindowMs).toBe(14 * 24 * 60 * 60 * 1000);
    expect(readConfig({ DISPUTE_WINDOW_HOURS: '0.0005' }).disputeWindowMs).toBe(1800);
  });

  test('an AI needs both an address and a model', () => {
    const env = { AI_BASE_URL: 'http://127.0.0.1:11434/v1/', AI_MODEL: 'small-model' };
    const baseUrl = 'http://127.0.0.1:11434/v1';
    expect(readConfig(env).ai).toEqual({ baseUrl, apiKey: undefined, model: 'small-model' });
    expect(readConfig({ ...env, AI_API_KEY: 'sk-123' }).ai?.apiKey).toBe('sk-123');
    expect(readConfig({ AI_API_KEY: 'sk-123' }).ai).toBeNull();
    const { AI_BASE_URL, AI_MODEL } = env;
    expect(refusalOf({ AI_BASE_URL })).toContain('\n  AI_MODEL: must be set too, because AI_BASE_URL is set');
    expect(refusalOf({ AI_MODEL })).toContain('\n  AI_BASE_URL: must be set too, because AI_MODEL is set');
  });

  test('witnesses are keys with addresses, and no quorum exceeds their number', () => {
    const [witness, log] = [signatureTypes.cosignature, signatureTypes.ed25519].map((type) =>
      formatVerifierKey(testSigner('a.example/log', type).key),
    );
    const LOG_WITNESSES = `${witness} http://10.0.0.7:3000/log/witness/`;
    const { logWitnesses, logWitnessQuorum } = readConfig({ LOG_WITNESSES, LOG_WITNESS_QUORUM: '1' });
    expect(logWitnesses).toMatchObject([{ url: 'http://10.0.0.7:3000/log/witness' }]);
    expect(logWitnessQuorum).toBe(1);
    expect(refusalOf({ LOG_WITNESSES, LOG_WITNESS_QUORUM: '2' })).toContain('which is 1');
    expect(refusalOf({ LOG_WITNESSES: `${witness}` })).toContain('"key address"');
    expect(refusalOf({ LOG_WITNESSES: `${log} https://a.example` })).toContain('key of a log');
    expect(refusalOf({ LOG_WITNESSES: `${witness} https://a:b@c.example` })).toContain('addresses such as');
    expect(refusalOf({ LOG_WITNESSES: `${LOG_WITNESSES},${LOG_WITNESSES}` })).toContain('twice');
    expect(readConfig({ LOG_WITNESS_FOR: `${log}` }).logWitnessFor).toHaveLength(1);
    expect(refusalOf({ LOG_WITNESS_FOR: `${witness}` })).toContain('key of a witness');
  });

  test('all errors are reported at once, and never repeat a secret', () => {
    const secrets = {
      PORT: 'x',
      ROLE: 'y',
      ADMIN_SECRET: 'hunter2',
      METRICS_TOKEN: 'tok3n',
      BOOTSTRAP_LIVE_KEY: 'crd_live_guessed!',
      BOOTSTRAP_TEST_KEY: 'crd_test_guessed!',
      DATABASE_URL: 'mysql://root:passw0rd@localhost/scores',
    };
    const message = refusalOf(secrets);
    for (const name of ['PORT', 'ROLE']) expect(message).toContain(`  ${name}=`);
    for (const secret of ['hunter2', 'tok3n', 'guessed', 'passw0rd']) expect(message).not.toContain(secret);
  });
});
