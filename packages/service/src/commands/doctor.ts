import { type Config, readConfig } from '../start/config.js';
import { FAILED } from '../start/exit.js';
import { planProcesses } from '../start/processPlan.js';
import { type Check, checked, failed, fine } from './doctor/check.js';
import { checkClock } from './doctor/checkClock.js';
import { checkDatabase } from './doctor/checkDatabase.js';
import { checkDisk } from './doctor/checkDisk.js';
import { checkKeys } from './doctor/checkKeys.js';
import { checkPort } from './doctor/checkPort.js';
import { programs, readArguments } from './options.js';
import { programOutput } from './programOutput.js';
import { runCommand } from './runCommand.js';

/*
 * reliability doctor: checks what a start needs, before anything is made. Exit codes: 0 the service
 * can start, 1 a check failed, 2 invalid option.
 */
process.exitCode = await runCommand(doctor);

async function doctor(): Promise<number> {
  const { values } = readArguments(programs.doctor);
  const output = programOutput(values.json);
  const checks: Check[] = [];
  const config = readSettings();
  for await (const check of config instanceof Error
    ? [failed('environment', config.message)]
    : checksOf(config)) {
    checks.push(check);
    output.say(`${check.status.padEnd(4)}  ${check.name.padEnd(11)}  ${indented(check.text)}`);
  }
  const failures = checks.filter(({ status }) => status === 'FAIL').length;
  const isFine = failures === 0;
  output.say(
    isFine ? 'The service can start.' : `${failures === 1 ? 'One check' : `${failures} checks`} failed.`,
  );
  output.result({ ok: isFine, checks });
  return isFine ? 0 : FAILED;
}

function readSettings(): Config | Error {
  try {
    const config = readConfig();
    planProcesses(config);
    return config;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

async function* checksOf(config: Config): AsyncGenerator<Check> {
  yield fine('environment', `Node ${process.version}, settings are valid.`);
  yield* await checked('port', checkPort(config));
  yield* await checked('disk', checkDisk(config));
  const database = await checkDatabase(config);
  yield* database.checks;
  yield* await checked('clock', checkClock(config, database.serverNow));
  yield* await checked('keys', checkKeys(config, database.keyState));
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(19)}`);
}
