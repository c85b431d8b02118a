import { type Config, readConfig } from '../start/config.js';
import { FAILED } from '../start/exit.js';
import { planProcesses } from '../start/processPlan.js';
import {
  type Check,
  checkClock,
  checkDatabase,
  checkDisk,
  checked,
  checkKeys,
  checkPort,
  checkRunning,
  type DatabaseFacts,
  failed,
  findRunning,
  fine,
} from './doctor/checks.js';
import { programs } from './options.js';
import { runProgram } from './runCommand.js';

/** The check of a service that runs already. */
const RUNNING = 'service';

/* Exit codes: 0 the service can start, or runs and is ready; 1 a check failed; 2 invalid option. */
process.exitCode = await runProgram(programs.doctor, async (_, output) => {
  const checks: Check[] = [];
  for await (const check of checksOf(readSettings())) {
    checks.push(check);
    output.say(
      `${check.status.padEnd(4)}  ${check.name.padEnd(11)}  ${check.text.replaceAll('\n', `\n${' '.repeat(19)}`)}`,
    );
  }
  const runs = checks.some(({ name }) => name === RUNNING);
  const failures = checks.filter(({ status }) => status === 'FAIL').length;
  const isFine = failures === 0;
  output.say(
    isFine
      ? `The service ${runs ? 'runs' : 'can start'}.`
      : `${failures === 1 ? 'One check' : `${failures} checks`} failed.`,
  );
  output.result({ ok: isFine, runs, checks });
  return isFine ? 0 : FAILED;
});

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

async function* checksOf(config: Config | Error): AsyncGenerator<Check> {
  const name = 'environment';
  if (config instanceof Error) return yield { name, ...failed(config.message) };
  yield { name, ...fine(`Node ${process.version}, settings are valid.`) };
  const facts: DatabaseFacts = { serverNow: null, keyState: null };
  const running = await findRunning(config);
  if (running.isOurs) yield* checked(RUNNING, checkRunning(running));
  else yield* checked('port', checkPort(config, running));
  yield* checked('disk', checkDisk(config));
  yield* checked('database', checkDatabase(config, facts, running));
  yield* checked('clock', checkClock(config, facts));
  yield* checked('keys', checkKeys(config, facts));
}
