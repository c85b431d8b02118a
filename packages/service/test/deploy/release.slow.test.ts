import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '#harness/findProgram.js';
import { scratchFolder } from '#harness/scratchFolder.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);
const tools = ['openssl', 'sha256sum'].every((name) => findProgram([name]) !== undefined);
if (!tools) console.warn('openssl or sha256sum is not installed: releases are not verified');

const folder = scratchFolder('reliability-release-');
const out = join(folder, 'out');
const key = join(folder, 'release.pem');
const release = (...args: string[]) => run(process.execPath, ['scripts/release.mjs', ...args], { cwd: root });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** The steps of OPERATIONS for a person who downloads. */
const verify = async () => {
  const asked = ['-verify', '-pubin', '-inkey', 'release.pub', '-rawin', '-in', 'SHA256SUMS'];
  await run('openssl', ['pkeyutl', ...asked, '-sigfile', 'SHA256SUMS.sig'], { cwd: out });
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
};

/** Changes one byte of a file, and restores it. */
async function withOneByteChanged(file: string, work: () => Promise<void>): Promise<void> {
  const path = join(out, file);
  const content = readFileSync(path);
  const changed = Buffer.from(content);
  const at = Math.floor(content.length / 2);
  changed[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(path, changed);
  await work().finally(() => writeFileSync(path, content));
}

describe('a release', () => {
  beforeAll(async () => {
    writeFileSync(key, keyOf('ed25519'));
    await release('--out', out, '--key', key, '--allow-dirty');
  });

  test('has the packages, a bill of materials and signed checksums of all of them', () => {
    const files = readdirSync(out);
    const kinds = files.map((file) => file.replace(/-\d+\.\d+\.\d+\.tgz$/, '.tgz')).sort();
    expect(kinds).toEqual([
      'SHA256SUMS',
      'SHA256SUMS.sig',
      'release.json',
      'release.pub',
      'reliability-cli.tgz',
      'reliability-client.tgz',
      'reliability-proof.tgz',
      'reliability-scoring.tgz',
      'sbom.cdx.json',
    ]);
    const summed = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(summed.map((line) => line.slice(66))).toEqual(
      files.filter((file) => !/^SHA256SUMS|^release\.pub/.test(file)).sort(),
    );
    expect(JSON.parse(readFileSync(join(out, 'release.json'), 'utf8')).commit).toMatch(/^[\da-f]{40}$/);
  });

  test('lists every package that the service needs at run time, and none of the tests', () => {
    const bill = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8'));
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual([
      'CycloneDX',
      'reliability-score-service',
    ]);
    const names: string[] = bill.components.map(({ name }: { name: string }) => name);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/service/package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) expect(names).toContain(name);
    for (const name of ['vitest', 'playwright-core', '@biomejs/biome', 'bench'])
      expect(names).not.toContain(name);
    expect(JSON.stringify(bill)).not.toContain(root);
  });

  test.skipIf(!tools)(
    'is verified by openssl and sha256sum, and refused after one changed byte',
    async () => {
      await verify();
      for (const file of readdirSync(out).filter((name) => name !== 'release.pub'))
        await withOneByteChanged(file, () => expect(verify(), file).rejects.toThrow());
    },
  );

  test.skipIf(!tools)('that somebody else signed is refused with the right public key', async () => {
    const signature = readFileSync(join(out, 'SHA256SUMS.sig'));
    const other = join(folder, 'other.pem');
    writeFileSync(other, keyOf('ed25519'));
    const args = ['-sign', '-inkey', other, '-rawin', '-in', 'SHA256SUMS', '-out', 'SHA256SUMS.sig'];
    await run('openssl', ['pkeyutl', ...args], { cwd: out });
    await expect(verify()).rejects.toThrow();
    writeFileSync(join(out, 'SHA256SUMS.sig'), signature);
  });
});

describe('the release program', () => {
  test('says what is missing, and writes nothing over a release', async () => {
    const refused = (...args: string[]) =>
      release(...args).then(
        () => expect.unreachable(),
        ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
      );
    expect(await refused('--out', out)).toMatch(/^2 Usage: .*openssl genpkey/);
    expect(await refused('--out', out, '--key', join(folder, 'none'))).toContain(
      'is not a readable private key',
    );
    const wrong = join(folder, 'wrong.pem');
    writeFileSync(wrong, keyOf('x25519'));
    expect(await refused('--out', out, '--key', wrong)).toContain('a key for x25519, not for Ed25519');
    writeFileSync(key, keyOf('ed25519'));
    expect(await refused('--out', out, '--key', key, '--allow-dirty')).toContain('is not empty');
  });
});
