// Checks the import rules of .dependency-cruiser.cjs, and that modules were found at all: under TypeScript 7, which lacks the API,
// dependency-cruiser finds none and passes silently.
import { execFileSync } from 'node:child_process';

const MIN_MODULES = 80;
/** Files that the rules about AI name. After a rename the rules would no longer match. */
const NAMED_IN_RULES = ['kit/ai.ts', 'features/insight/trust/narrate.ts'];
const args = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'json',
  'packages/cli/src',
  'packages/client/src',
  'packages/console/src',
  'packages/proof/src',
  'packages/scoring/src',
  'packages/service/src',
];
const { summary, modules } = JSON.parse(cruise());
const seen = new Set(modules.map(({ source }) => source));
const missing = NAMED_IN_RULES.filter((name) => !seen.has(`packages/service/src/${name}`));
for (const name of missing) console.error(`The rules name ${name}, which does not exist`);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`import rules: ${summary.totalCruised} modules, ${summary.violations.length} violations`);
if (summary.totalCruised < MIN_MODULES)
  console.error(`fewer than ${MIN_MODULES} modules were found: dependency-cruiser does not see the sources`);
const isSound =
  summary.violations.length === 0 && summary.totalCruised >= MIN_MODULES && missing.length === 0;
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
    // It exits with the number of violations. The report is on stdout.
    return error.stdout;
  }
}
