import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type Day, dayFromIso } from '@reliability/scoring';
import type { OtherFormula } from '../../domain/backtest/backtest.js';
import {
  type BacktestOptions,
  DEFAULT_EVERY_DAYS,
  DEFAULT_HORIZON_DAYS,
  MAX_STEP_DAYS,
} from '../../domain/backtest/cutoffs.js';
import { ModelError, otherFormulaOf } from '../../domain/backtest/otherFormula.js';
import { CommandError } from '../commandError.js';

export const USAGE = `reliability backtest [options]
  --platform ID    id or name of one platform; default: all
  --by CLOCK       recorded: what was in the ledger before each cut-off (default)
                   outcome: what had happened before it; for imported history and the demo
  --from DAY       first cut-off, YYYY-MM-DD; default: the day of the first event
  --to DAY         last possible cut-off; default: the last whose horizon has ended
  --every DAYS     days between two cut-offs; default: ${DEFAULT_EVERY_DAYS}
  --horizon DAYS   days after a cut-off whose outcomes count; default: ${DEFAULT_HORIZON_DAYS}
  --model FILE     JSON file with other constants of the formula, to compare
  --json [FILE]    prints the report as JSON, or writes it
  --html FILE      writes the report as a page with pictures`;

export interface CommandOptions {
  readonly platform: string | null;
  readonly options: BacktestOptions;
  readonly other: OtherFormula | null;
  /** Printed instead of the report for people. */
  readonly isJson: boolean;
  readonly jsonFile: string | null;
  readonly htmlFile: string | null;
}

/** The options of the command line. Throws CommandError. */
export function readOptions(given: readonly string[]): CommandOptions {
  const isJson = given.some((arg, index) => arg === '--json' && isOption(given[index + 1]));
  const args = isJson ? given.filter((arg) => arg !== '--json') : given;
  const values = valuesOf(args);
  const { by = 'recorded' } = values;
  if (by !== 'recorded' && by !== 'outcome')
    throw new CommandError(`--by must be recorded or outcome, not ${by}.`);
  const [from, to] = [dayOf('--from', values.from), dayOf('--to', values.to)];
  if (from !== null && to !== null && from > to)
    throw new CommandError(`--from ${values.from} is after --to ${values.to}.`);
  const everyDays = daysOf('--every', values.every, DEFAULT_EVERY_DAYS);
  const horizonDays = daysOf('--horizon', values.horizon, DEFAULT_HORIZON_DAYS);
  return {
    platform: values.platform ?? null,
    options: { by, everyDays, horizonDays, from, to },
    other: values.model === undefined ? null : readModel(values.model),
    isJson,
    jsonFile: writable('--json', values.json),
    htmlFile: writable('--html', values.html),
  };
}

/** The value of --json may be missing, which parseArgs does not know. */
function isOption(arg: string | undefined): boolean {
  return arg === undefined || arg.startsWith('-');
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    platform: text,
    by: text,
    from: text,
    to: text,
    every: text,
    horizon: text,
    model: text,
    json: text,
    html: text,
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Errors of parseArgs are written for users.
    throw new CommandError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function dayOf(option: string, text: string | undefined): Day | null {
  if (text === undefined) return null;
  try {
    return dayFromIso(text);
  } catch {
    throw new CommandError(`${option} must be an existing day as YYYY-MM-DD, not ${text}.`);
  }
}

function daysOf(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const days = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_STEP_DAYS) return days;
  throw new CommandError(`${option} must be a whole number of days from 1 to ${MAX_STEP_DAYS}, not ${text}.`);
}

function readModel(file: string): OtherFormula {
  try {
    return otherFormulaOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof ModelError)
      throw new CommandError(`${file}:\n  ${error.message.replaceAll('\n', '\n  ')}`);
    if (error instanceof SyntaxError) throw new CommandError(`${file} is not valid JSON: ${error.message}.`);
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Found out before the work, not after it. */
function writable(option: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    accessSync(dirname(file), constants.W_OK);
    return file;
  } catch {
    throw new CommandError(`${option} ${file} cannot be written: the folder is missing or write-protected.`);
  }
}
