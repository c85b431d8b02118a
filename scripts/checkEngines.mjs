// Every package in the lockfile must say that it runs on the oldest Node the project promises: npm only warns.
import { readFileSync } from 'node:fs';
import semver from 'semver';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const oldest = semver.minVersion(engines.node);
const misfits = Object.entries(packages).filter(
  ([path, { engines: own, optional }]) =>
    path !== '' && !optional && own?.node && !semver.satisfies(oldest, own.node),
);
for (const [path, { version, engines: own }] of misfits) {
  console.error(`${path}@${version} wants Node ${own.node}, the project promises ${oldest.version}`);
}
console.log(
  `engines: ${Object.keys(packages).length} packages looked at, ${misfits.length} do not run on Node ${oldest.version}`,
);
process.exitCode = misfits.length === 0 ? 0 : 1;
