import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../service/test/harness/freePort.js';
import { startReceiver } from '../../service/test/harness/receiver.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';
import { commands } from '../src/commands.js';
import { runCli, startCli } from './runCli.js';

let folder: string;
beforeEach(() => {
  folder = scratchFolder('reliability-cli-');
  return () => rmSync(folder, { recursive: true, force: true });
});

const KEY = `crd_test_${'k'.repeat(43)}`;
const AWAY = 'postgres://x@127.0.0.1:1/x';

describe('profiles', () => {
  const file = () => join(folder, '.config/reliability/profiles.json');

  test('are saved for the owner alone, listed without the key, used and removed', async () => {
    const env = { HOME: folder };
    const save = ['profile', 'save', '--profile', 'staging', '--url', 'http://127.0.0.1:7'];
    expect((await runCli(save, { env, stdin: `${KEY}\n` })).code).toBe(0);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const listed = await runCli(['profile', 'list'], { env });
    expect(listed.output).toMatch(/^staging +http:\/\/127\.0\.0\.1:7 {2}crd_test_kkkk…$/m);
    const used = await runCli(['score', 'ana', '--profile', 'staging'], { env });
    expect(used.errors).toContain('No answer from http://127.0.0.1:7');
    expect((await runCli(['profile', 'remove', '--profile', 'staging'], { env })).code).toBe(0);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({});
  });

  test('are refused if other users can read them', async () => {
    mkdirSync(join(folder, '.config/reliability'), { recursive: true });
    writeFileSync(file(), JSON.stringify({ default: { key: KEY } }));
    chmodSync(file(), 0o644);
    const { code, errors } = await runCli(['score', 'ana'], { env: { HOME: folder } });
    expect(code).toBe(2);
    expect(errors).toContain(`chmod 600 '${file()}'`);
    expect(errors).not.toContain(KEY);
  });
});

describe('reliability doctor', () => {
  async function doctor(env: Record<string, string> = {}) {
    const result = await runCli(['doctor', '--json'], {
      cwd: folder,
      env: { PORT: String(await freePort()), ...env },
    });
    const { checks } = JSON.parse(result.output) as {
      checks: { name: string; status: string; text: string }[];
    };
    return { code: result.code, failed: checks.filter(({ status }) => status === 'FAIL') };
  }

  test('passes where a start would, and makes nothing', async () => {
    expect(await doctor()).toEqual({ code: 0, failed: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each<[what: string, env: Record<string, string>, name: string, text: RegExp]>([
    ['a wrong setting', { LOG_LEVEL: 'loud' }, 'environment', /LOG_LEVEL=loud/],
    ['a folder that is a file', { DATA_DIR: '/etc/passwd/data' }, 'disk', /it is not a folder/],
    ['a server that is away', { DATABASE_URL: AWAY, DATA_KEY: 'k'.repeat(32) }, 'database', /ECONNREFUSED/],
    ['a role without a server', { ROLE: 'worker' }, 'database', /ROLE=worker needs DATABASE_URL/],
  ])('names %s', async (_, env, name, text) => {
    const { code, failed } = await doctor(env);
    expect(code).toBe(1);
    expect(failed).toContainEqual({ name, status: 'FAIL', text: expect.stringMatching(text) });
  });

  test('names a port in use, a missing DATA_KEY and a lost key file', async () => {
    const other = await startReceiver();
    const inUse = await doctor({ PORT: new URL(other.url).port });
    await other.close();
    expect(inUse.failed[0]).toMatchObject({ name: 'port', text: expect.stringContaining('already in use') });
    const noKey = await doctor({ DATABASE_URL: AWAY });
    expect(noKey.failed.at(-1)).toMatchObject({
      name: 'keys',
      text: expect.stringContaining('DATABASE_URL needs DATA_KEY'),
    });
    mkdirSync(join(folder, 'data/database'), { recursive: true });
    expect((await doctor()).failed).toMatchObject([
      { name: 'keys', text: expect.stringContaining('is missing. Restore') },
    ]);
  });
});

describe('reliability doctor beside a running service', () => {
  test('says that it runs and is ready, and what holds the database if it listens elsewhere', async () => {
    const env = { PORT: String(await freePort()) };
    const child = startCli(['start'], { cwd: folder, env });
    try {
      let text = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      await expect.poll(() => text).toContain('first secrets');
      const beside = await runCli(['doctor'], { cwd: folder, env });
      expect(beside).toMatchObject({ code: 0, output: expect.stringContaining('The service runs.') });
      expect(beside.output).toContain(`It runs at http://127.0.0.1:${env.PORT} and is ready`);
      expect(beside.output).toContain(`in use by process ${child.pid}, which is the service.`);
      const elsewhere = await runCli(['doctor'], { cwd: folder, env: { PORT: String(await freePort()) } });
      expect(elsewhere.code).toBe(1);
      expect(elsewhere.output).toMatch(
        new RegExp(`FAIL +database +.*in use by process ${child.pid}, and no service answers at`),
      );
      const other = await runCli(['doctor'], { cwd: '/', env: { ...env, DATA_DIR: join(folder, 'other') } });
      expect(other.output).toMatch(/FAIL +port +A service with another database already runs/);
    } finally {
      const isOver = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await isOver;
    }
  });
});

describe('reliability start', () => {
  test('refuses arguments, which it would not obey, before it makes anything', async () => {
    const { code, errors } = await runCli(['start', '--port', '4000'], { cwd: folder });
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining("'--port' is refused") });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the help', () => {
  test('lists every command, each with its options and the exit codes', async () => {
    const { code, output } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const name of Object.keys(commands)) expect(output).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const name of Object.keys(commands)) {
      const help = await runCli([...name.split(' '), '--help']);
      expect([help.code, help.errors], name).toEqual([0, '']);
      expect(help.output).toMatch(new RegExp(`^Usage: reliability ${name}`));
      expect(help.output).toContain('Exit codes');
    }
  });

  const programs = Object.entries(commands).flatMap(([name, { options = {}, ...rest }]) =>
    'program' in rest && name !== 'start' ? [[name, Object.entries(options)] as const] : [],
  );
  test.each(programs)('%s takes the options that its help names', async (name, options) => {
    for (const [option, { value }] of options) {
      const args = value === undefined ? [`--${option}`] : [`--${option}`, '1'];
      const { errors } = await runCli([name, ...args], { cwd: folder, env: { PORT: '0' } });
      expect(errors, option).not.toContain('Unknown option');
    }
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'says in one line that its output does not fit on the disk',
  async () => {
    const full = openSync('/dev/full', 'w');
    const { code, errors } = await runCli(['--help'], { stdout: full });
    closeSync(full);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/),
    });
  },
);

describe('completions', () => {
  const shells = ['bash', 'zsh', 'fish'].filter((shell) => {
    try {
      execFileSync(shell, ['-c', 'true']);
      return true;
    } catch {
      return false;
    }
  });

  async function complete(words: string[]): Promise<string[]> {
    const { output } = await runCli(['completion', 'bash']);
    const script = `${output}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _reliability; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: folder });
    return text.split('\n').filter(Boolean);
  }

  test('of bash complete commands, second words, options, their values and files', async () => {
    writeFileSync(join(folder, 'jobs.csv'), '');
    writeFileSync(join(folder, 'last year.csv'), '');
    for (const [words, completed] of [
      ['ex', 'explain'],
      ['events ', 'send'],
      ['events send --ve', '--verified'],
      ['events send --stake H', 'HIGH'],
      ['trigger score.b', 'score.band_changed'],
      ['import jo', 'jobs.csv'],
      ['import la', 'last year.csv'],
    ] as const)
      expect(await complete(['reliability', ...words.split(' ')]), words).toEqual([completed]);
  });

  test.each(shells)('of %s are valid', async (shell) => {
    const { code, output } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, output);
    execFileSync(shell, ['-n', file]);
  });

  test('of another shell are refused', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});
