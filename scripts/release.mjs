// @ts-check
// `npm run release -- --out DIR --key release.pem`: builds and packs a release, lists what it contains (CycloneDX), and signs the checksums.
// docs/OPERATIONS.md, Releases, says how to check one.
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packAll } from './pack.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const WORKSPACES = ['scoring', 'proof', 'client', 'console', 'service', 'cli'];
const NEW_KEY = 'openssl genpkey -algorithm ed25519 -out release.pem';

try {
  await release(optionsOf(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

/** @param {string[]} words */
function optionsOf(words) {
  const { values } = parseArgs({
    args: words,
    options: {
      out: { type: 'string' },
      key: { type: 'string' },
      'allow-dirty': { type: 'boolean', default: false },
    },
  });
  const { out, key } = values;
  if (out === undefined || key === undefined)
    throw new Error(
      `Usage: npm run release -- --out DIR --key FILE. FILE is an Ed25519 private key. Make one with: ${NEW_KEY}`,
    );
  return { folder: resolve(out), key: keyIn(key), allowDirty: values['allow-dirty'] };
}

/** @param {string} path */
function keyIn(path) {
  let key;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch {
    throw new Error(`${path} is not a readable private key. Make one with: ${NEW_KEY}`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `${path} is a key for ${key.asymmetricKeyType}, not for Ed25519. Make one with: ${NEW_KEY}`,
    );
  return key;
}

/** @param {{ folder: string, key: import('node:crypto').KeyObject, allowDirty: boolean }} options */
async function release({ folder, key, allowDirty }) {
  const commit = committed(allowDirty);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  mkdirSync(folder, { recursive: true });
  await packAll(folder);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  write('sbom.cdx.json', json(billOfMaterials()));
  write('release.json', json({ name, version, commit, node: process.version }));
  const names = readdirSync(folder).sort();
  write('SHA256SUMS', names.map((file) => `${sha256(join(folder, file))}  ${file}\n`).join(''));
  write('SHA256SUMS.sig', sign(null, readFileSync(join(folder, 'SHA256SUMS')), key));
  write('release.pub', createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  console.log(`${folder}: ${names.join(', ')}; SHA256SUMS, its signature, and the public key`);

  /**
   * @param {string} file
   * @param {string | Buffer} content
   */
  function write(file, content) {
    writeFileSync(join(folder, file), content);
  }
}

/**
 * The commit that is released.
 * @param {boolean} allowDirty
 */
function committed(allowDirty) {
  if (!allowDirty && run('git', ['status', '--porcelain']).trim() !== '')
    throw new Error('There are changes without a commit. Commit them, or add --allow-dirty.');
  return run('git', ['rev-parse', 'HEAD']).trim();
}

/**
 * Everything that is installed or bundled at run time, as npm knows it. `--omit=dev` of npm 11 also omits packages that a development
 * package needs besides the service, such as zod, so the packages are picked here. npm names workspaces by their folder, so names come
 * from the reference, `name@version`.
 */
function billOfMaterials() {
  const workspaces = WORKSPACES.map((name) => `--workspace=packages/${name}`);
  const bill = JSON.parse(
    run('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', ...workspaces]),
  );
  /** @type {Component[]} */
  const all = bill.components;
  const components = all.filter((component) => !isForDevelopment(component)).map(named);
  const root = named(bill.metadata.component);
  const refs = new Set([root, ...components].map((component) => component['bom-ref']));
  /** @type {{ ref: string, dependsOn: string[] }[]} */
  const edges = bill.dependencies;
  const dependencies = edges
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
  return { ...bill, metadata: { ...bill.metadata, component: root }, components, dependencies };
}

/** @typedef {{ 'bom-ref': string, properties?: { name: string, value: string }[] }} Component */

/** @param {Component} component */
function isForDevelopment({ properties = [] }) {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

/** @param {Component} component */
function named(component) {
  return { ...component, name: component['bom-ref'].replace(/@[^@]+$/, '') };
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  return execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** @param {string} path */
function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
