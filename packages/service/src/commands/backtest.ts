import { writeFileSync } from 'node:fs';
import { ConfigError, readConfig } from '../config.js';
import type { BacktestReport } from '../domain/backtest/report.js';
import { runBacktest } from '../features/insight/backtest/runBacktest.js';
import { StartError } from '../firstStart.js';
import { systemClock } from '../kit/clock.js';
import { type Database, DataDirLockedError, type Queryable } from '../kit/db/database.js';
import { type Output, type ProgressBar, progressBar } from '../kit/progressBar.js';
import { openGroups } from '../ledger/groups/groups.js';
import { backtestPage } from '../pages/backtest/backtestPage.js';
import { type CommandOptions, readOptions } from './backtest/readOptions.js';
import { type FoundPlatform, findPlatforms } from './backtest/store.js';
import { textReport } from './backtest/textReport.js';
import { CommandError } from './commandError.js';
import { withLedger } from './withLedger.js';

/*
 * npm run backtest: compares the live scores of a ledger with the outcomes that followed them. It only reads.
 * The report goes to stdout, progress to stderr. Exit codes: 0 there is a report, 1 it failed, 2 invalid option,
 * model file or configuration.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    await backtest(readOptions(process.argv.slice(2)));
    return 0;
  } catch (error) {
    console.error(textOf(error));
    return error instanceof CommandError || error instanceof ConfigError ? 2 : 1;
  }
}

function textOf(error: unknown): unknown {
  if (error instanceof DataDirLockedError)
    return (
      `${error.message}.\nThe embedded database has one user at a time. Stop the service and run the command again, or ask the ` +
      'running service: POST /api/v1/analytics/backtest.'
    );
  const isPlain = [CommandError, ConfigError, StartError].some((kind) => error instanceof kind);
  return isPlain && error instanceof Error ? error.message : error;
}

async function backtest({ platform, options, other, jsonFile, htmlFile }: CommandOptions): Promise<void> {
  const config = readConfig();
  const report = await withLedger(config, 2, async (db) => {
    const found = platform === null ? null : await platformOf(db, platform);
    const progress = progressOn(process.stderr);
    const done = await runBacktest(await booksOf(db, found), {
      platformId: found?.platformId ?? null,
      livemode: true,
      options,
      now: systemClock.now(),
      ...(other && { other }),
      onProgress: progress.advanceTo,
    });
    progress.end();
    return done as BacktestReport; // null only where the caller can abort it
  });
  if (jsonFile !== null) writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (htmlFile !== null) writeFileSync(htmlFile, String(backtestPage(config)(report).body));
  console.log(textReport(report));
}

/** The ledger group of the platform, or all groups. */
async function booksOf(db: Database, platform: FoundPlatform | null): Promise<readonly Database[]> {
  const groups = await openGroups(db);
  return platform ? groups.filter(({ group }) => group === platform.group) : groups;
}

async function platformOf(db: Queryable, idOrName: string): Promise<FoundPlatform> {
  const [found, another] = await findPlatforms(db, idOrName);
  if (!found) throw new CommandError(`There is no platform with the id or name ${idOrName}.`);
  if (another) throw new CommandError(`Several platforms are named ${idOrName}. Give the id of one.`);
  return found;
}

function progressOn(output: Output): { advanceTo(done: number, total: number): void; end(): void } {
  let bar: ProgressBar | null = null;
  let shown = 0;
  return {
    advanceTo(done, total) {
      bar ??= progressBar(output, total);
      bar.advance(done - shown);
      shown = done;
    },
    end: () => bar?.end(),
  };
}
