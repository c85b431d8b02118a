import { writeFileSync } from 'node:fs';
import type { BacktestReport } from '#domain/backtest/report.js';
import { systemClock } from '#kit/clock.js';
import type { Queryable } from '#kit/db/database.js';
import { type Output, type ProgressBar, progressBar } from '#kit/terminal.js';
import { runBacktest } from '../features/insight/backtest/runBacktest.js';
import { backtestPage } from '../pages/backtest/backtestPage.js';
import { DataDirLockedError } from '../shape/embedded/dataDirLock.js';
import { openGroups } from '../shape/groups/groups.js';
import { readConfig } from '../start/config.js';
import { StartError } from '../start/exit.js';
import { readOptions } from './backtest/readOptions.js';
import { textReport } from './backtest/textReport.js';
import { CommandError, runCommand } from './runCommand.js';
import { withLedger } from './withLedger.js';

/* Only reads. Exit codes: 0 there is a report, 1 it failed, 2 invalid option, model file or settings. */
process.exitCode = await runCommand(() => backtest(readOptions(process.argv.slice(2))));

async function backtest(chosen: ReturnType<typeof readOptions>): Promise<number> {
  const { platform, options, other, isJson, jsonFile, htmlFile } = chosen;
  const config = readConfig();
  const report = await withLedger(config, 2, async (db) => {
    const found = platform === null ? null : await platformOf(db, platform);
    const progress = progressOn(process.stderr);
    const groups = await openGroups(db);
    const books = found ? groups.filter(({ ledgers }) => ledgers.own === found.group) : groups;
    const done = await runBacktest(books, {
      platformId: found?.platformId ?? null,
      livemode: true,
      options,
      now: systemClock.now(),
      ...(other && { other }),
      onProgress: progress.advanceTo,
    });
    progress.end();
    return done as BacktestReport; // null only where the caller can abort it
  }).catch(refuseLocked);
  if (jsonFile !== null) writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (htmlFile !== null) writeFileSync(htmlFile, String(backtestPage(config)(report).body));
  console.log(isJson ? JSON.stringify(report, null, 2) : textReport(report));
  return 0;
}

function refuseLocked(error: unknown): never {
  if (!(error instanceof DataDirLockedError)) throw error;
  throw new StartError(
    `${error.message}.\nThe embedded database has one user at a time. Stop the service and run the command again, or ask the ` +
      'running service: POST /api/v1/analytics/backtest.',
  );
}

async function platformOf(db: Queryable, idOrName: string) {
  const [found, another] = await db.query<{ platformId: string; group: number }>(
    'select platform_id, group_id as "group" from platform where platform_id::text = $1 or name = $1',
    [idOrName],
  );
  if (!found) throw new CommandError(`There is no platform with the id or name ${idOrName}.`);
  if (another) throw new CommandError(`Several platforms are named ${idOrName}. Give the id of one.`);
  return found;
}

function progressOn(output: Output) {
  let bar: ProgressBar | null = null;
  let shown = 0;
  return {
    advanceTo(done: number, total: number) {
      bar ??= progressBar(output, total);
      bar.advance(done - shown);
      shown = done;
    },
    end: () => bar?.end(),
  };
}
