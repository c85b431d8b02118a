import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scratchFolder } from '#harness/scratchFolder.js';
import { serverProcess } from '../crash/serverProcess.js';
import {
  differences,
  expectedRows,
  linesOf,
  PAGE,
  pageTable,
  type Row,
  scoreTable,
  withTable,
} from './adversaryTable.js';
import { type Attack, attacks } from './attacks.js';
import { type Market, openMarket, type Subject } from './market.js';
import { type PageAttack, pageAttacks } from './pageAttacks.js';
import { openSite, type Site } from './site.js';

const LIMIT_MS = 180_000;

/*
 * `npm run test:adversary [-- --write]` plays each attack on the built service over HTTP and prints
 * what it costs and reaches. Exit code 1: the table differs from that of docs/ADVERSARIES.md. With
 * --write it becomes that of the page.
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
  const found: Row[] = [];
  for (const [name, attack] of Object.entries(attacks)) found.push(await play(name, attack, market));
  const site = openSite(server.url, adminSecret);
  const opened: Row[] = [];
  for (const [name, attack] of Object.entries(pageAttacks))
    opened.push(await playOnPages(name, attack, site));
  await server.stop();
  const tables = [
    [scoreTable, found],
    [pageTable, opened],
  ] as const;
  for (const [table, rows] of tables) for (const line of linesOf(table, rows)) say(line);
  if (values.write) {
    const page = tables.reduce(
      (text, [table, rows]) => withTable(text, table, rows),
      readFileSync(PAGE, 'utf8'),
    );
    return writeFileSync(PAGE, page);
  }
  const broken = tables.flatMap(([table, rows]) => differences(table, rows, expectedRows(table)));
  for (const sentence of broken) say(sentence);
  say(
    broken.length === 0
      ? `${found.length + opened.length} attacks, as expected.`
      : 'Mend the signal. If the change is wanted, run with --write.',
  );
  if (broken.length > 0) process.exitCode = 1;
}

async function play(name: string, attack: Attack, market: Market): Promise<Row> {
  const slug = name.replaceAll(/\W+/g, '-');
  const [honest, attacker] = [market(`honest-${slug}`), market(`attacker-${slug}`)];
  const helpers: Subject[] = [];
  const withHelpers: Market = (userId) => {
    const helper = market(userId);
    helpers.push(helper);
    return helper;
  };
  await attack(withHelpers, honest, attacker);
  const [fair, gamed] = await Promise.all([honest.read(), attacker.read()]);
  const { events, confirmations, days } = costOf([attacker, ...helpers]);
  return [
    name,
    ...[events, confirmations, days].map(String),
    ...[fair.finalScore, gamed.finalScore, gamed.cappedScore].map((score) => score.toFixed(1)),
    ...[gamed, fair].map(signalsOf),
  ];
}

async function playOnPages(name: string, attack: PageAttack, site: Site): Promise<Row> {
  const { through, visitors } = await attack(site);
  const tallies = visitors.map((visitor) => visitor.tally());
  const requests = tallies.reduce((sum, { requests: own }) => sum + own, 0);
  const statuses = new Set(tallies.flatMap(({ statuses: own }) => [...own]));
  return [name, String(requests), String(through), [...statuses].sort().join(', ')];
}

function signalsOf({ signals }: Awaited<ReturnType<Subject['read']>>): string {
  return signals.map(({ code, severity }) => `${code} ${severity}`).join(', ') || 'none';
}

function costOf(subjects: readonly Subject[]) {
  const costs = subjects.map((subject) => subject.cost());
  return {
    events: costs.reduce((sum, { events }) => sum + events, 0),
    confirmations: costs.reduce((sum, { confirmations }) => sum + confirmations, 0),
    days: Math.max(...costs.map(({ days }) => days)),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
