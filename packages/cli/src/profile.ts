import { text } from 'node:stream/consumers';
import { positionalsOf } from './arguments.js';
import type { Context } from './command.js';
import { UsageError } from './commandError.js';
import { exitCodes } from './exitCodes.js';
import { DEFAULT_PROFILE, DEFAULT_URL, profileFile, readProfiles, writeProfiles } from './settings.js';

const ACTIONS = 'list|save|remove';

/** Lists, saves and removes profiles. Keys are never printed as a whole. */
export async function profile(context: Context): Promise<number> {
  const action = positionalsOf(context.args, ACTIONS)[ACTIONS];
  switch (action) {
    case 'list':
      return list(context);
    case 'save':
      return save(context);
    case 'remove':
      return remove(context);
    default:
      throw new UsageError(`profile needs list, save or remove, not '${action}'.`);
  }
}

async function list({ env, output }: Context): Promise<number> {
  const profiles = Object.entries(await readProfiles(env)).map(([name, { url = DEFAULT_URL, key = '' }]) => ({
    name,
    url,
    key: shortened(key),
  }));
  output.result({ file: profileFile(env), profiles }, () =>
    profiles.length === 0
      ? [`There is no profile in ${profileFile(env)}. Save one with \`reliability profile save\`.`]
      : profiles.map(({ name, url, key }) => `${name.padEnd(12)}  ${url}  ${key}`),
  );
  return exitCodes.done;
}

/** Enough to recognise a key, too little to use it. */
function shortened(key: string): string {
  return key && `${key.slice(0, 'crd_live_'.length + 4)}…`;
}

const KEY = /^crd_(live|test)_[A-Za-z0-9_-]{22,}$/;

async function save({ args, env, output }: Context): Promise<number> {
  const name = nameOf({ args, env });
  const url = args.text('url') ?? env.RELIABILITY_URL ?? DEFAULT_URL;
  if (!URL.canParse(url)) throw new UsageError(`The address ${url} is invalid.`);
  const key = args.text('key') ?? env.RELIABILITY_KEY ?? (await keyOnStdin());
  if (!KEY.test(key)) throw new UsageError('A key begins with crd_live_ or crd_test_ and has no spaces.');
  await writeProfiles(env, {
    ...(await readProfiles(env)),
    [name]: { url: url.replace(/(?<!\/)\/+$/, ''), key },
  });
  output.result({ file: profileFile(env), name }, [`Saved profile ${name} in ${profileFile(env)}.`]);
  return exitCodes.done;
}

async function keyOnStdin(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  throw new UsageError('The key is missing. Set RELIABILITY_KEY, or pass the key on stdin.');
}

async function remove({ args, env, output }: Context): Promise<number> {
  const name = nameOf({ args, env });
  const { [name]: found, ...others } = await readProfiles(env);
  if (!found) throw new UsageError(`There is no profile ${name} in ${profileFile(env)}.`);
  await writeProfiles(env, others);
  output.result({ file: profileFile(env), name }, [`Removed profile ${name}.`]);
  return exitCodes.done;
}

function nameOf({ args, env }: Pick<Context, 'args' | 'env'>): string {
  return args.text('profile') ?? env.RELIABILITY_PROFILE ?? DEFAULT_PROFILE;
}
