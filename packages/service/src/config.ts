import { z } from 'zod';

/** Everything that can be set from outside (DECISIONS 9). Read once; a wrong value stops the start. */
export type Config = z.output<typeof Environment>;

const port = z.coerce.number().int().min(0).max(65535);
const count = (fallback: number, max = 1_000_000_000) =>
  z.coerce.number().int().min(1).max(max).default(fallback);
const platformKey = (mode: 'live' | 'test') =>
  z
    .string()
    .regex(
      new RegExp(`^crd_${mode}_[A-Za-z0-9_-]{22,}$`),
      `must be crd_${mode}_ and at least 22 characters of base64url`,
    )
    .optional();

const Environment = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().default('127.0.0.1'),
    BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    DATABASE_URL: z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be a URL such as postgres://user:password@host:5432/name',
      })
      .optional(),
    DATABASE_POOL_SIZE: count(10, 100),
    DATA_DIR: z.string().default('./data'),
    ADMIN_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    BOOTSTRAP_LIVE_KEY: platformKey('live'),
    BOOTSTRAP_TEST_KEY: platformKey('test'),
    ROLE: z.enum(['all', 'api', 'worker']).default('all'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    VELOCITY_MAX_PER_HOUR: count(500),
    EVENT_EXPORT_MAX_ROWS: count(50_000),
    BOOK_EXPORT_MAX_ROWS: count(50_000),
  })
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    dataDir: env.DATA_DIR,
    adminSecret: env.ADMIN_SECRET,
    bootstrapLiveKey: env.BOOTSTRAP_LIVE_KEY,
    bootstrapTestKey: env.BOOTSTRAP_TEST_KEY,
    role: env.ROLE,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN,
    velocityMaxPerHour: env.VELOCITY_MAX_PER_HOUR,
    eventExportMaxRows: env.EVENT_EXPORT_MAX_ROWS,
    bookExportMaxRows: env.BOOK_EXPORT_MAX_ROWS,
  }));

/** A value of the environment that cannot be used; the message names it and says what it should be. */
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
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The environment cannot be used.\n  ${faults.join('\n  ')}`);
}
