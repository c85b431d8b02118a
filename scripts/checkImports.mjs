// Holds the import rules of .dependency-cruiser.cjs, and that there was something to hold: a cruise that finds no
// modules (as under TypeScript 7, which has no API for it) would pass in silence.
import { execFileSync } from 'node:child_process';

const LEAST_MODULES = 80;
const args = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'json',
  'packages/scoring/src',
  'packages/service/src',
];
const { summary } = JSON.parse(cruise());
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`import rules: ${summary.totalCruised} modules, ${summary.violations.length} violations`);
if (summary.totalCruised < LEAST_MODULES)
  console.error(`fewer than ${LEAST_MODULES} modules were seen: the cruise is blind`);
process.exitCode = summary.violations.length > 0 || summary.totalCruised < LEAST_MODULES ? 1 : 0;

function cruise() {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  try {
    return execFileSync(
      process.execPath,
      ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...args],
      options,
    );
  } catch (error) {
    // It exits with the number of violations, its report still on stdout.
    return error.stdout;
  }
}
