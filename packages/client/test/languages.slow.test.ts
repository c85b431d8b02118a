import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageSigner, signDelivery } from '../../service/src/features/notify/webhooks/signDelivery.js';
import { thumbprintOf } from '../../service/src/ledger/signingKeys.js';
import { givenSharedService } from '../../service/test/harness/givenService.js';

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

const PYTHON = folderOf('python');
const GO = folderOf('go');
/** The usual one, and the oldest that is supported, if it is another. */
const pythons = [
  ...new Map(
    ['python3.9', 'python3'].map((name) => [String(spawnSync(name, ['--version']).stdout), name]),
  ).entries(),
].flatMap(([version, name]) => (version.startsWith('Python') ? [name] : []));
const builder = ['python3', '/usr/bin/python3'].find((name) =>
  succeeds(name, '-c', 'import setuptools, wheel'),
);
const hasMypy = succeeds('mypy', '--version');
const hasGo = succeeds('go', 'version');
const missing = [
  pythons.length === 0 && 'python3',
  !builder && 'python3-setuptools python3-wheel',
  !hasMypy && 'mypy',
  !hasGo && 'golang-go',
].filter(Boolean);
if (missing.length > 0) console.warn(`tests of clients are skipped: install ${missing.join(' ')}`);

// Not the server of all files: their open transactions would keep the newest event off the export.
const service = givenSharedService('pglite');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, args: readonly string[], cwd: string, env: object = {}): Promise<string> {
  const given = {
    RELIABILITY_URL: service.url,
    RELIABILITY_KEY: service.liveKey,
    WEBHOOK: JSON.stringify(signedWebhook()),
    PYTHONDONTWRITEBYTECODE: '1',
    ...{ GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
    ...env,
  };
  const ended = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...given } });
  const { stdout, stderr } = await ended.catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(`${failed.stdout}${failed.stderr}`);
  });
  return stdout + stderr;
}

/** As the service signs it, now. */
function signedWebhook(): object {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const keyId = thumbprintOf(publicJwk);
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const url = 'https://receiver.example/hooks/scores?tenant=7';
  const envelopeId = randomUUID();
  const body = JSON.stringify({
    id: envelopeId,
    type: 'score.updated',
    livemode: true,
    data: { name: 'Zoë' },
  });
  const agent = messageSigner('https://svc.example', { keyId, privateKey, publicJwk });
  const headers = signDelivery({ url, body, envelopeId, at: new Date(), secrets: [secret], agent });
  return { url, body, headers, secret, keys: [{ ...publicJwk, kid: keyId }] };
}

describe('the client for Python', () => {
  test.each(pythons)('keeps its promises on %s', async (python) => {
    const args = ['-m', 'unittest', 'discover', '-s', 'tests'];
    expect(await run(python, args, PYTHON, { PYTHONPATH: 'src' })).toMatch(/^OK$/m);
  });

  test.runIf(hasMypy)('passes a strict type checker, which finds what is wrong in a program', async () => {
    const cache = ['--cache-dir', join(folder, 'mypy')];
    expect(await run('mypy', [...cache, 'src'], PYTHON)).toContain('Success');
    const wrong = `from reliability_client import Client
client = Client('http://localhost')
client.record_event({'userId': 'u'})
client.read_score()
band: int = client.read_score('u')['scoreBand']
for user in client.list_users_each({'limit': 'five'}):
    user['nonsense']
`;
    const checked = run('mypy', ['--strict', ...cache, '-c', wrong], PYTHON, { MYPYPATH: 'src' });
    const found = await checked.then(String, (error: Error) => error.message);
    expect(found.match(/^<string>:\d+/gm)).toEqual(
      ['3', '4', '5', '6', '7'].map((line) => `<string>:${line}`),
    );
  });

  test.runIf(builder)('builds into a wheel and an archive of its sources without a network', async () => {
    const build = `import setuptools.build_meta as b; b.build_wheel('${folder}'); b.build_sdist('${folder}')`;
    // In a copy: setuptools writes beside the sources.
    await run('cp', ['-r', PYTHON, join(folder, 'sources')], folder);
    await run(builder ?? '', ['-c', build], join(folder, 'sources'));
    const [archive, wheel] = readdirSync(folder)
      .filter((name) => name.startsWith('reliability'))
      .sort();
    expect([archive, wheel]).toEqual(
      [
        'reliability_client-0.1.0-py3-none-any.whl',
        expect.stringMatching(/^reliability[_-]client-0\.1\.0\.tar\.gz$/),
      ].sort(),
    );
    const name = join(folder, 'reliability_client-0.1.0-py3-none-any.whl');
    const program = `import zipfile, reliability_client as r
assert 'reliability_client/py.typed' in zipfile.ZipFile('${name}').namelist()
assert r.__file__.startswith('${name}')
print(sorted(r.Client('${service.url}').list_plans()))`;
    expect(await run('python3', ['-c', program], folder, { PYTHONPATH: name })).toContain('plans');
  });
});

describe.runIf(hasGo)('the client for Go', () => {
  test('keeps its promises', async () => {
    expect(await run('go', ['test', '-count=1', './...'], GO)).toMatch(/^ok\s/);
  });

  test('is formatted and passes go vet', async () => {
    expect(await run('gofmt', ['-l', '.'], GO)).toBe('');
    expect(await run('go', ['vet', './...'], GO)).toBe('');
  });
});
