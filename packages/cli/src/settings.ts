import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Options } from '../../service/src/commands/options.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';

type Env = Context['env'];

/** Which service to call, with which key. */
export interface Settings {
  readonly url: string;
  readonly key: string | undefined;
}

/** A saved address and key. */
export interface Profile {
  url?: string;
  key?: string;
}

export const apiOptions: Options = {
  url: {
    value: 'ADDRESS',
    help: 'address of the service; default: RELIABILITY_URL, then http://localhost:3000',
  },
  key: {
    value: 'KEY',
    help: 'API key; better RELIABILITY_KEY or a profile, which stay out of the shell history',
  },
  profile: { value: 'NAME', help: 'saved address and key; default: RELIABILITY_PROFILE, then "default"' },
};

export const DEFAULT_URL = 'http://localhost:3000';
export const DEFAULT_PROFILE = 'default';

/** From the options, then the environment, then the profile. Throws UsageError. */
export async function readSettings({ args, env }: Pick<Context, 'args' | 'env'>): Promise<Settings> {
  const named = args.text('profile') ?? env.RELIABILITY_PROFILE;
  const given = {
    url: args.text('url') ?? env.RELIABILITY_URL,
    key: args.text('key') ?? env.RELIABILITY_KEY,
  };
  // A broken profile is no obstacle for a command that does not need it.
  const saved = given.url && given.key && named === undefined ? {} : await readProfile(env, named);
  const url = given.url || saved.url || DEFAULT_URL;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`The address ${url} is invalid. Write it as http://host:port or https://host.`);
  }
  return { url: url.replace(/(?<!\/)\/+$/, ''), key: given.key || saved.key };
}

/** The same with a key. Throws UsageError. */
export async function requireKey(
  context: Pick<Context, 'args' | 'env'>,
): Promise<Settings & { key: string }> {
  const { url, key } = await readSettings(context);
  if (key) return { url, key };
  throw new UsageError(
    'The API key is missing. Set RELIABILITY_KEY, save one with `reliability profile save`, or give --key.',
  );
}

/** Throws UsageError if the named profile does not exist, or if other users can read the file. */
async function readProfile(env: Env, name: string | undefined): Promise<Profile> {
  const profile = (await readProfiles(env))[name ?? DEFAULT_PROFILE];
  if (profile || name === undefined) return profile ?? {};
  throw new UsageError(
    `There is no profile ${name} in ${profileFile(env)}. Save one with \`reliability profile save\`.`,
  );
}

/** `~/.config/reliability/profiles.json`, or below XDG_CONFIG_HOME. */
export function profileFile(env: Env): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'reliability', 'profiles.json');
}

const OTHERS = 0o077;

export async function readProfiles(env: Env): Promise<Record<string, Profile>> {
  const path = profileFile(env);
  const file = await stat(path).catch(() => null);
  if (!file) return {};
  // Windows has no such modes.
  if (process.platform !== 'win32' && (file.mode & OTHERS) !== 0) {
    const mode = (file.mode & 0o777).toString(8);
    throw new UsageError(
      `${path} contains keys and has the mode ${mode}, so other users can read it. Run: chmod 600 '${path}'`,
    );
  }
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof content === 'object' && content !== null) return content as Record<string, Profile>;
  } catch {}
  throw new UsageError(
    `${path} is not the JSON that \`reliability profile save\` writes. Mend it or delete it.`,
  );
}

/** Atomic, and readable by the owner alone from the first byte on. */
export async function writeProfiles(env: Env, profiles: Record<string, Profile>): Promise<void> {
  const path = profileFile(env);
  const draft = `${path}.${process.pid}.draft`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}
