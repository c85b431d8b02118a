import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@reliability/client';
import { DAY_MS } from '../../../service/src/domain/timestamp.js';
import { progressBar } from '../../../service/src/kit/terminal.js';
import { readSecretFile, writeSecretFile } from '../../../service/src/kit/wholeFile.js';
import { CommandError } from '../commandError.js';
import type { Output } from '../output.js';
import { YEAR_DAYS } from './book.js';
import { demoPeople, demoPlatforms } from './data.js';
import { liveYear } from './liveYear.js';
import { startSteppedService } from './steppedService.js';

/** What a later start needs to know of the demo. Its keys are of the demo alone. */
export interface DemoState {
  madeAt: string;
  /** Where its webhooks go. */
  receiverPort: number;
  /** Live keys, by the key of the platform. */
  keys: Readonly<Record<string, string>>;
  /** Pages with tokens, as paths. */
  pages: Readonly<Record<'verify' | 'confirm' | 'record', string>>;
  /** The subject of the first two. */
  shown: string;
}

const STATE = 'demo.json';
/** Where it is made, and where it is when it is whole. */
const DRAFT = 'making';
const DATA = 'data';

/** Null: there is no whole demo in the folder. */
export async function readDemo(folder: string): Promise<DemoState | null> {
  const text = await readSecretFile(join(folder, DATA, STATE));
  return text === null ? null : (JSON.parse(text) as DemoState);
}

/** The DATA_DIR of the demo. */
export function dataOf(folder: string): string {
  return join(folder, DATA);
}

/** An earlier start ended while it made the demo. */
export function wasInterrupted(folder: string): boolean {
  return existsSync(join(folder, DRAFT));
}

interface MakeOptions {
  folder: string;
  /** The settings of the service. */
  env: Readonly<Record<string, string | undefined>>;
  receiverPort: number;
  output: Output;
}

const SHOWN = 'ada-okafor';

/**
 * Makes the demo in a folder of its own, which is renamed when it is whole: an interrupted start
 * leaves nothing that a later one takes for a demo. Throws CommandError.
 */
export async function makeDemo({ folder, env, receiverPort, output }: MakeOptions): Promise<DemoState> {
  const draft = join(folder, DRAFT);
  await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  const now = new Date();
  const people = Object.values(demoPeople).flat().length;
  output.say(
    `Making the demo in ${folder}: a year of ${people} people on ${demoPlatforms.length} platforms. This takes some seconds, once.`,
  );
  const bar = progressBar(output.progress, YEAR_DAYS + 1);
  const firstKey = newKey('live');
  const settings = {
    ...env,
    DATA_DIR: draft,
    BOOTSTRAP_LIVE_KEY: firstKey,
    BOOTSTRAP_TEST_KEY: newKey('test'),
    ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000',
    TRUST_PROXY: '1',
  };
  const startAt = new Date(now.getTime() - (now.getTime() % DAY_MS) - YEAR_DAYS * DAY_MS);
  const service = await startSteppedService(settings, startAt);
  try {
    const adminSecret = (await readSecretFile(join(draft, 'admin-secret'))) ?? '';
    const operator = createClient({ baseUrl: service.address, adminSecret });
    const keys = await makePlatforms(operator, firstKey);
    const receiver = `http://127.0.0.1:${receiverPort}`;
    const answered = await liveYear({ service, operator, keys, receiver, now, onDay: () => bar.advance(1) });
    const client = createClient({ baseUrl: service.address, key: keys[demoPlatforms[0]?.key ?? ''] });
    const report: unknown = await client.readReliabilityReport(SHOWN, { format: 'html' });
    await writeFile(join(draft, REPORT), String(report), { mode: 0o600 });
    await service.end();
    bar.end();
    const pages = {
      verify: pathOf(answered.share?.verifyUrl),
      confirm: pathOf(answered.asked?.confirmUrl),
      record: pathOf(answered.record?.url),
    };
    const state = { madeAt: now.toISOString(), receiverPort, keys, pages, shown: SHOWN };
    await writeSecretFile(join(draft, STATE), JSON.stringify(state));
    await rename(draft, dataOf(folder));
    return state;
  } catch (error) {
    service.kill();
    throw error instanceof CommandError ? error : new CommandError(`The demo could not be made: ${error}`);
  }
}

export const REPORT = 'report.html';

/** The first platform is there from the first start on. @returns live keys */
async function makePlatforms(operator: ReturnType<typeof createClient>, firstKey: string) {
  const keys: Record<string, string> = {};
  const { platforms } = await operator.adminListPlatforms({ limit: 1 });
  for (const { key, name, trustTier } of demoPlatforms) {
    const [first] = platforms.splice(0, 1);
    if (first) await operator.adminUpdatePlatform(first.id, { name, trustTier });
    const made = first ? null : await operator.adminCreatePlatform({ name, trustTier, plan: 'enterprise' });
    keys[key] = made?.keys.live.key ?? firstKey;
  }
  return keys;
}

function newKey(mode: 'live' | 'test'): string {
  return `crd_${mode}_${randomBytes(32).toString('base64url')}`;
}

function pathOf(url: unknown): string {
  const { pathname, search } = new URL(String(url));
  return pathname + search;
}
