import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../commandError.js';
import { serviceProgram } from '../service.js';

/** The service with a clock that is moved (service/src/demo). */
export interface SteppedService {
  address: string;
  /** Where the clock was moved to. */
  now(): Date;
  /** Finishes what is queued, then moves the clock. */
  moveTo(at: Date): Promise<void>;
  /** Finishes what is queued. */
  settle(): Promise<void>;
  /** Finishes what is queued and ends. */
  end(): Promise<void>;
  kill(): void;
}

/** Throws CommandError if it does not start, and later if it dies. */
export async function startSteppedService(
  env: Readonly<Record<string, string | undefined>>,
  startAt: Date,
): Promise<SteppedService> {
  const program = fileURLToPath(serviceProgram('steppedService'));
  const child = spawn(process.execPath, ['--max-semi-space-size=32', program, String(startAt.getTime())], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env,
  });
  const answers = answersOf(child);
  const { address = '' } = await answers.next();
  let now = startAt;
  const ask = async (message: object) => {
    const answer = answers.next();
    child.send(message);
    await answer;
  };
  return {
    address,
    now: () => now,
    async moveTo(at) {
      await ask({ moveTo: at.getTime() });
      now = at;
    },
    settle: () => ask({ moveTo: now.getTime() }),
    end: () => ask({ end: true }),
    kill: () => child.kill('SIGKILL'),
  };
}

/** One at a time. */
function answersOf(child: ChildProcess) {
  let settle = (_answer: Answer | Error) => {};
  let death: Error | null = null;
  const die = () => {
    death = new CommandError('The service of the demo ended while the demo was made. See its output above.');
    settle(death);
  };
  child.on('message', (answer: Answer) => settle(answer));
  child.once('error', die);
  child.once('exit', die);
  return {
    next: () =>
      new Promise<Answer>((resolve, reject) => {
        settle = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
        if (death) reject(death);
      }),
  };
}

interface Answer {
  address?: string;
}
