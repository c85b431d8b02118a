// Holds the import rules of .dependency-cruiser.cjs, and that there was something to hold: a cruise that finds no
// modules (as under TypeScript 7, which has no API for it) would pass in silence.
import { execFileSync } from 'node:child_process';

const LEAST_MODULES = 80;
/** What the rules about AI speak of: under another name it would slip through them. */
const NAMED_IN_RULES = [
  'kit/ai.ts',
  'kit/aiAnswer.ts',
  'kit/aiCircuit.ts',
  'features/insight/trust/narrate.ts',
];
const args = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'json',
  'packages/scoring/src',
  'packages/service/src',
];
const { summary, modules } = JSON.parse(cruise());
const seen = new Set(modules.map(({ source }) => source));
const missing = NAMED_IN_RULES.filter((name) => !seen.has(`packages/service/src/${name}`));
for (const name of missing) console.error(`the rules name ${name}, which is not there`);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`import rules: ${summary.totalCruised} modules, ${summary.violations.length} violations`);
if (summary.totalCruised < LEAST_MODULES)
  console.error(`fewer than ${LEAST_MODULES} modules were seen: the cruise is blind`);
const isSound =
  summary.violations.length === 0 && summary.totalCruised >= LEAST_MODULES && missing.length === 0;
process.exitCode = isSound ? 0 : 1;

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
