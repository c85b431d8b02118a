// Adds optional packages of other platforms to the lockfile that the registry did not serve when it was written. `npm ci` refuses a
// lockfile without them, although it would not install them here. Run this after `npm install`. Entries contain what npm needs to skip
// them: version, and os and cpu from the package's name.
import { readFileSync, writeFileSync } from 'node:fs';

const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
let added = 0;
for (const [path, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    if (lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev ? { dev } : {}),
      optional: true,
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`lockfile: ${added} packages of other platforms added`);

function platformOf(name) {
  const words = name.split(/[/-]/).map((word) => (word === 'ppc64le' ? 'ppc64' : word));
  const os = name === 'fsevents' ? ['darwin'] : OS.filter((known) => words.includes(known));
  const cpu = CPU.filter((known) => words.includes(known));
  if (os.length === 0 && cpu.length === 0)
    throw new Error(`${name}: its name contains no known platform. Add its entry by hand`);
  return { ...(cpu.length > 0 ? { cpu } : {}), ...(os.length > 0 ? { os } : {}) };
}
