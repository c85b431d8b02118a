import { isIP } from 'node:net';
import { z } from 'zod';
import { anonymousRateLimitPerMinute } from '#domain/catalogues/plans.js';
import { parseWitnessedLogs, parseWitnesses } from '#domain/logWitnesses.js';
import { HOUR_MS } from '#domain/timestamp.js';
import { isPrivateTarget, parseNetworks } from '#kit/addressGuard.js';
import type { AiAddress } from '#kit/ai.js';
import { parseDatabaseUrl } from '#kit/db/databaseUrl.js';
import { parseOtlpHeaders } from '#kit/otlpHeaders.js';

/** All settings (RULES O1). Read once; a wrong value stops the start. */
export type Config = z.output<typeof Environment>;

/** @param parse throws an Error whose message continues the name of the setting. */
const readBy = <Value>(parse: (text: string) => Value) =>
  z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

/** More would only wait for processors: one machine has few more. */
const MAX_PROCESSES = 128;
const processes = readBy((text): 'auto' | number => {
  const count = Number(text);
  if (text === 'auto') return text;
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PROCESSES) return count;
  throw new Error(`must be auto, or a number from 1 to ${MAX_PROCESSES}`);
});
const whole = (min: number, max: number) =>
  z.coerce.number(`must be a whole number from ${min} to ${max}`).int().min(min).max(max);
const count = (fallback: number, max = 1_000_000_000) => whole(1, max).default(fallback);
/** Fractions allowed. */
const amount = (max: number) =>
  z.coerce.number(`must be a number above 0 and not above ${max}`).gt(0).max(max);
const TEN_YEARS_IN_HOURS = 87_600;
const hours = (fallback: number) => amount(TEN_YEARS_IN_HOURS).default(fallback);
const platformKey = (mode: 'live' | 'test', form: RegExp) =>
  z.string().regex(form, `must be crd_${mode}_ and at least 22 characters of base64url`).optional();

/** The number of proxies in front of the service, or their networks. */
const trustedProxies = readBy((text): number | string[] => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  throw new Error('must be the number of proxies (1), or their addresses or networks (10.0.0.0/8,fd00::/8)');
});

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  if (version === 0 || text.split('/').length > 2) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Seconds before each attempt of a delivery, fractions allowed: "0,5,60". */
const retrySchedule = readBy((text): readonly number[] => {
  const seconds = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (seconds.length <= MAX_ATTEMPTS && seconds.every((wait) => wait >= 0 && wait <= MAX_WAIT_SECONDS)) {
    return seconds;
  }
  throw new Error(`must be 1 to ${MAX_ATTEMPTS} numbers of seconds, separated by commas (0,5,60)`);
});

const MAX_ATTEMPTS = 50;
const MAX_WAIT_SECONDS = 7 * 24 * 60 * 60;
/** 0, 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (RULES H4). */
const DEFAULT_RETRY_SCHEDULE = '0,5,60,300,1800,7200,18000,36000,50400,72000,86400';

/** Copied unchanged into a line of security.txt. */
const securityContact = z.string().refine((text) => {
  if (/[^\x21-\x7e]/.test(text)) return false;
  if (text.startsWith('mailto:')) return z.email().safeParse(text.slice('mailto:'.length)).success;
  return z.url({ protocol: /^https$/ }).safeParse(text).success && new URL(text).username === '';
}, 'must be an address such as mailto:security@example.com or https://example.com/security');

const secret = (length: number) =>
  z.string().min(length, `must have at least ${length} characters`).optional();
const urlOf = (protocol: RegExp, error: string) => z.url({ protocol, error: `must be ${error}` }).optional();

const databaseAddress = readBy((text) => {
  parseDatabaseUrl(text);
  return text;
}).optional();

const replicaAddress = databaseAddress.refine(
  (text) => text === undefined || parseDatabaseUrl(text).servers.length === 1,
  'must name one server',
);

const aiAddress = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://ai.example/v1', abort: true })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return username + password + search + hash === '';
  }, 'must not contain a password or a query; set the key as AI_API_KEY');

/** Over plain http only where nobody else is on the way: on this machine or in a private network. */
const issuerAddress = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://accounts.example.com', abort: true })
  .refine((text) => {
    const { protocol, username, password, search, hash } = new URL(text);
    return username + password + search + hash === '' && (protocol === 'https:' || isPrivateTarget(text, []));
  }, 'must begin with https:// (http:// only for a private address), without a password or a query')
  .optional();

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

/** `MAX_CONNECTIONS` is `maxConnections`. */
function inCamelCase<Env extends object>(env: Env) {
  const named = Object.entries(env).map(([name, value]) => [
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named) as { [Name in keyof Env & string as CamelCase<Name>]: Env[Name] };
}

/** Each variable, as it is given. docs/CONFIGURATION.md is made from these and configuration.json. */
export const variables = {
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  BASE_URL: urlOf(/^https?$/, 'an http or https URL'),
  DATABASE_URL: databaseAddress,
  DATABASE_MIGRATION_URL: databaseAddress,
  DATABASE_REPLICA_URL: replicaAddress,
  REPLICA_MAX_LAG_MS: count(1000, 3_600_000),
  DATABASE_POOL_SIZE: whole(1, 1000).optional(),
  DATA_DIR: z.string().default('./data'),
  ADMIN_SECRET: secret(16),
  BOOTSTRAP_LIVE_KEY: platformKey('live', /^crd_live_[A-Za-z0-9_-]{22,}$/),
  BOOTSTRAP_TEST_KEY: platformKey('test', /^crd_test_[A-Za-z0-9_-]{22,}$/),
  DATA_KEY: secret(32),
  DATA_KEY_PREVIOUS: secret(32),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  PROCESSES: processes.prefault('1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_CONNECTIONS: count(5000, 100_000),
  CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .transform((text) => text === 'on'),
  OIDC_ISSUER: issuerAddress,
  OIDC_CLIENT_ID: z.string().max(512).optional(),
  OIDC_CLIENT_SECRET: z.string().max(2048).optional(),
  SECURITY_CONTACT: securityContact.optional(),
  METRICS_TOKEN: secret(16),
  ANONYMOUS_RATE_LIMIT_PER_MINUTE: count(anonymousRateLimitPerMinute),
  TRUST_PROXY: trustedProxies.optional(),
  REDIS_URL: urlOf(/^rediss?$/, 'a URL such as redis://host:6379'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(/^https?$/, 'a URL such as http://collector:4318'),
  OTEL_EXPORTER_OTLP_HEADERS: readBy(parseOtlpHeaders).prefault(''),
  OTEL_SERVICE_NAME: z.string().max(255).default('reliability'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number from 0 to 1').min(0).max(1).default(1),
  QUOTA_WARNING_SHARE: amount(1).default(0.8),
  VELOCITY_MAX_PER_HOUR: count(500),
  DISPUTE_WINDOW_HOURS: hours(336),
  REVIEW_WINDOW_HOURS: hours(336),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule.prefault(DEFAULT_RETRY_SCHEDULE),
  WEBHOOK_ALLOWED_PRIVATE_CIDRS: readBy(parseNetworks).prefault(''),
  SMTP_URL: urlOf(/^smtps?$/, 'a URL such as smtp://user:password@host:587'),
  SMTP_FROM: z.email('must be an email address').optional(),
  AI_BASE_URL: aiAddress.optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must contain only visible ASCII characters')
    .optional(),
  AI_MODEL: z.string().max(200).optional(),
  EVENT_EXPORT_MAX_ROWS: count(50_000),
  BOOK_EXPORT_MAX_ROWS: count(50_000),
  BOOK_SUMMARY_MAX: count(200_000),
  ANALYTICS_MAX_DAYS: count(365, 3660),
  IMPORT_MAX_ROWS: count(50_000, 200_000),
  IMPORT_MAX_STORED_ERRORS: count(1000, 100_000),
  LOG_STATE_DIR: z.string().optional(),
  LOG_WITNESSES: readBy(parseWitnesses).prefault(''),
  LOG_WITNESS_QUORUM: z.coerce.number('must be a whole number, 0 or more').int().min(0).default(0),
  LOG_WITNESS_FOR: readBy(parseWitnessedLogs).prefault(''),
  CONFIRMATION_EXPIRY_HOURS: hours(336),
  CONFIRMATION_REMINDER_AFTER_HOURS: hours(48),
  CONFIRMATION_EXPIRING_WITHIN_HOURS: hours(24),
  RETENTION_TEXT_DAYS: amount(36_500).optional(),
  BENCHMARK_MIN_COHORT: count(20, 1_000_000),
  SCREENING_STALE_MINUTES: amount(10_080).default(15),
};

type Variables = z.output<ReturnType<typeof z.object<typeof variables>>>;

/** Settings that do not fit each other: which to change, and why. */
function* contradictions(env: Variables): Iterable<[name: keyof Variables, message: string]> {
  const { DATA_KEY_PREVIOUS, LOG_WITNESSES, LOG_WITNESS_QUORUM } = env;
  const isSet = (name: keyof Variables) => env[name] !== undefined;
  // A key alone has no effect.
  for (const [name, missing] of [
    ['AI_MODEL', 'AI_BASE_URL'],
    ['AI_BASE_URL', 'AI_MODEL'],
  ] as const) {
    if (isSet(name) && !isSet(missing)) yield [missing, `must be set too, because ${name} is set`];
  }
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const given = oidc.find(isSet);
  for (const name of oidc)
    if (given && !isSet(name)) yield [name, `must be set too, because ${given} is set`];
  // The embedded database has one role and no replica.
  for (const name of ['DATABASE_MIGRATION_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (isSet('DATABASE_URL') || !isSet(name)) continue;
    const why = `${name} is set: it names the primary, with the role of the application`;
    yield ['DATABASE_URL', `must be set too, because ${why}`];
  }
  if (DATA_KEY_PREVIOUS !== undefined && DATA_KEY_PREVIOUS === env.DATA_KEY) {
    const remedy = 'set DATA_KEY to a new key, or remove DATA_KEY_PREVIOUS';
    yield ['DATA_KEY_PREVIOUS', `is the same as DATA_KEY: ${remedy}`];
  }
  // Otherwise no checkpoint would ever be published.
  const { length } = LOG_WITNESSES;
  if (LOG_WITNESS_QUORUM > length)
    yield ['LOG_WITNESS_QUORUM', `must not exceed the number of LOG_WITNESSES, which is ${length}`];
}

function aiOf({ AI_BASE_URL: url, AI_API_KEY: apiKey, AI_MODEL: model }: Variables): AiAddress | null {
  return url && model ? { baseUrl: url.replace(/(?<!\/)\/+$/, ''), apiKey, model } : null;
}

function oidcOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret }: Variables) {
  return issuer && clientId && secret ? { issuer, clientId, clientSecret: secret } : null;
}

function tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env }: Variables) {
  if (endpoint === undefined) return undefined;
  const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: serviceName } = env;
  return { endpoint, headers, serviceName, share: env.OTEL_TRACES_SAMPLER_ARG };
}

const Environment = z
  .object(variables)
  .superRefine((env, context) => {
    for (const [name, message] of contradictions(env))
      context.addIssue({ code: 'custom', path: [name], message });
  })
  .transform((env) => ({
    ...inCamelCase(env),
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    logStateDir: env.LOG_STATE_DIR ?? (env.DATABASE_URL === undefined ? env.DATA_DIR : undefined),
    stateFolder: { path: env.LOG_STATE_DIR ?? env.DATA_DIR, mayCreate: env.LOG_STATE_DIR !== undefined },
    ai: aiOf(env),
    oidc: oidcOf(env),
    disputeWindowMs: Math.round(env.DISPUTE_WINDOW_HOURS * HOUR_MS),
    reviewWindowMs: Math.round(env.REVIEW_WINDOW_HOURS * HOUR_MS),
    traces: tracesOf(env),
  }));

/** A setting that cannot be used; the message names it and says what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @param env as in `process.env`; an empty value counts as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = Environment.safeParse(given);
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => {
    const name = path.join('.');
    return `${name}${printedValue(name, given[name])}: ${message}`;
  });
  throw new ConfigError(`Invalid environment variables:\n  ${errors.join('\n  ')}`);
}

/** Secrets stay out of messages; URLs may contain a password. */
function printedValue(name: string, value: string | undefined): string {
  return value === undefined || /KEY|SECRET|TOKEN|URL/.test(name) ? '' : `=${value}`;
}
