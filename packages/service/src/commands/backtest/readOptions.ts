import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Day, dayFromIso } from '@reliability/scoring';
import type { OtherFormula } from '#domain/backtest/backtest.js';
import {
  type BacktestOptions,
  DEFAULT_EVERY_DAYS,
  DEFAULT_HORIZON_DAYS,
  MAX_STEP_DAYS,
} from '#domain/backtest/backtest.js';
import { ModelError, otherFormulaOf } from '#domain/backtest/otherFormula.js';
import { programs, readArguments } from '../options.js';
import { CommandError } from '../runCommand.js';

export function readOptions(given: readonly string[]) {
  const isJson = given.some(
    // The value of --json may be missing, which parseArgs does not know.
    (arg, index) => arg === '--json' && (given[index + 1] ?? '-').startsWith('-'),
  );
  const args = isJson ? given.filter((arg) => arg !== '--json') : given;
  const { values } = readArguments({ options: { ...programs.backtest.options, json } }, args);
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
    options: { by, everyDays, horizonDays, from, to } as const satisfies BacktestOptions,
    other: values.model === undefined ? null : readModel(values.model),
    isJson,
    jsonFile: writable('--json', values.json),
    htmlFile: writable('--html', values.html),
  };
}

/** The file of --json, which the help shows as a switch. */
const json = { value: 'FILE', help: programs.backtest.options.json.help } as const;

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

function writable(option: string, file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    accessSync(dirname(file), constants.W_OK);
    return file;
  } catch {
    throw new CommandError(`${option} ${file} cannot be written: the folder is missing or write-protected.`);
  }
}
