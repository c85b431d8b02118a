// Writes docs/CONFIGURATION.md from the variables of config.ts and their meanings in
// docs/configuration.json. With --check: fails if the page differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { variables } from '../packages/service/src/start/config.js';

interface Text {
  meaning: string;
  /** What happens without the variable, where it has no default value. */
  unset?: string;
}

const page = new URL('../docs/CONFIGURATION.md', import.meta.url);
const source = new URL('../docs/configuration.json', import.meta.url);
const texts: Record<string, Text> = JSON.parse(readFileSync(source, 'utf8'));
const written = pageOf(texts);
if (!process.argv.includes('--check')) writeFileSync(page, written);
else if (readFileSync(page, 'utf8') !== written)
  throw new Error('docs/CONFIGURATION.md differs from config.ts: run `npm run generate:configuration`');

function pageOf({ introduction, ...meanings }: Record<string, Text>): string {
  const unknown = Object.keys(meanings).filter((name) => !(name in variables));
  if (unknown.length > 0) throw new Error(`docs/configuration.json: config.ts has no ${unknown.join(', ')}`);
  const rows = Object.entries(variables).map(([name, { def }]) => {
    const text = meanings[name];
    if (!text) throw new Error(`docs/configuration.json has no ${name}: say what it means`);
    return `| \`${name}\` | ${text.unset ?? defaultOf(name, def)} | ${text.meaning} |`;
  });
  const head = ['| Variable | Default | Meaning |', '|---|---|---|'];
  return `# Configuration\n\n${introduction?.meaning}\n\n${[...head, ...rows].join('\n')}\n`;
}

/** Of `.default(…)` or `.prefault(…)`, also in front of a transform. */
function defaultOf(name: string, def: object): string {
  if ('defaultValue' in def) return `\`${def.defaultValue}\``;
  if ('in' in def) return defaultOf(name, (def.in as { def: object }).def);
  throw new Error(`${name} has no default: say in docs/configuration.json what happens without it`);
}
