import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scratchFolder } from '#harness/scratchFolder.js';
import { serverProcess } from '../crash/serverProcess.js';
import { differences, expectedOutcomes, type Outcome, tableRows } from './adversaryTable.js';
import { attacks } from './attacks.js';
import { type Cost, type Market, openMarket, type Subject } from './market.js';

const LIMIT_MS = 180_000;

/*
 * `npm run test:adversary [-- --write]` plays each attack on the built service over HTTP and prints
 * what it costs and reaches. Exit code 1: the table differs from the expected one. With --write it
 * becomes the expected one.
 */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
setTimeout(() => {
  say(`The run took longer than ${LIMIT_MS / 1000} s.`);
  process.exit(1);
}, LIMIT_MS).unref();
process.once('SIGINT', () => process.exit(130));
const dataDir = scratchFolder('reliability-adversary-');
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
await main();

async function main(): Promise<void> {
  const adminSecret = 'admin-secret-of-the-adversary';
  // Each counterparty answers from a network of its own.
  const server = await serverProcess({
    DATA_DIR: dataDir,
    ADMIN_SECRET: adminSecret,
    LOG_LEVEL: 'error',
    TRUST_PROXY: '1',
  });
  server.start();
  await server.untilReady();
  const market = await openMarket(server.url, adminSecret);
  const found: Outcome[] = [];
  for (const attack of attacks) found.push(await play(attack, market));
  await server.stop();
  for (const line of aligned(tableRows(found))) say(line);
  if (values.write) return write(found);
  const broken = differences(found, expectedOutcomes);
  for (const sentence of broken) say(sentence);
  say(
    broken.length === 0
      ? `${found.length} attacks, as expected.`
      : 'Mend the signal. If the change is wanted, run with --write and update docs/ADVERSARIES.md.',
  );
  if (broken.length > 0) process.exitCode = 1;
}

async function play({ name, play: run }: (typeof attacks)[number], market: Market): Promise<Outcome> {
  const slug = name.replaceAll(/\W+/g, '-');
  const [honest, attacker] = [market(`honest-${slug}`), market(`attacker-${slug}`)];
  const helpers: Subject[] = [];
  const withHelpers: Market = (userId) => {
    const helper = market(userId);
    helpers.push(helper);
    return helper;
  };
  await run(withHelpers, honest, attacker);
  const [fair, gamed] = await Promise.all([honest.read(), attacker.read()]);
  return {
    attack: name,
    ...costOf([attacker, ...helpers]),
    honestScore: fair.finalScore,
    attackScore: gamed.finalScore,
    cappedScore: gamed.cappedScore,
    signals: gamed.signals,
    honestSignals: fair.signals,
  };
}

function costOf(subjects: readonly Subject[]): Cost {
  const costs = subjects.map((subject) => subject.cost());
  return {
    events: costs.reduce((sum, { events }) => sum + events, 0),
    confirmations: costs.reduce((sum, { confirmations }) => sum + confirmations, 0),
    days: Math.max(...costs.map(({ days }) => days)),
  };
}

function write(found: readonly Outcome[]): void {
  writeFileSync(new URL('./expected.json', import.meta.url), `${JSON.stringify(found, null, 2)}\n`);
  say('Written. Copy the table to docs/ADVERSARIES.md.');
}

/** A table for the terminal, which is Markdown, too. */
function aligned(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return [
    ...lines.slice(0, 1),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...lines.slice(1),
  ];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
