// Fails if a package in the lockfile does not support the oldest Node that the project supports. npm only warns.
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
  console.error(`${path}@${version} needs Node ${own.node}, the project supports ${oldest.version}`);
}
console.log(
  `engines: ${Object.keys(packages).length} packages checked, ${misfits.length} do not run on Node ${oldest.version}`,
);
process.exitCode = misfits.length === 0 ? 0 : 1;
