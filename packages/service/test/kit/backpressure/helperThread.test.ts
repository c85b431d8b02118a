import { afterEach, expect, test } from 'vitest';
import {
  createHelperThread,
  type HelperProgram,
  type HelperThread,
} from '../../../src/kit/backpressure/helperThread.js';
import { quietLog } from '../../harness/quietLog.js';
import { typescriptFile } from '../../harness/typescriptFile.js';
import type { EchoTask } from './echoProgram.js';

const notices: string[] = [];
let thread: HelperThread<EchoTask>;
afterEach(() => thread.close());

const file = typescriptFile(new URL('./echoProgram.ts', import.meta.url).href);

function start(program: HelperProgram = { file, execArgv: [] }): HelperThread<EchoTask> {
  thread = createHelperThread<EchoTask, string>({
    program,
    workerData: 'hello',
    log: quietLog,
    onNotice: (notice) => notices.push(notice),
    revive: (fault) => new RangeError(String(fault)),
  });
  return thread;
}

test('tasks run side by side, each with its own end, and the thread says things by the way', async () => {
  const { run } = start();
  const slow = run({ kind: 'wait', ms: 50 });
  expect(await run({ kind: 'echo', text: 'a' })).toBe('hello a');
  await expect(run({ kind: 'fail', text: 'no' })).rejects.toThrow(new RangeError('no'));
  expect(await slow).toBe('waited');
  expect(notices).toEqual(['a']);
});

test('memory goes over whole', async () => {
  const bytes = await start().run<Uint8Array>({ kind: 'bytes', length: 1_000_000 });
  expect([bytes.length, bytes.at(-1)]).toEqual([1_000_000, 7]);
});

test('a task is told to stop', async () => {
  const stop = new AbortController();
  const ended = start().run({ kind: 'untilStopped' }, { until: stop.signal });
  stop.abort();
  expect(await ended).toBe('stopped');
});

test('a thread that dies fails what it had under way, and the next task gets another', async () => {
  const { run } = start();
  const waiting = run({ kind: 'wait', ms: 10_000 });
  const dying = run({ kind: 'die' });
  await expect(waiting).rejects.toThrow('it is over');
  await expect(dying).rejects.toThrow('it is over');
  expect(await run({ kind: 'echo', text: 'again' })).toBe('hello again');
});

test('closing lets what is under way end', async () => {
  const { run, close } = start();
  const slow = run({ kind: 'wait', ms: 100 });
  await close();
  expect(await slow).toBe('waited');
});

test('flags of the process that a thread cannot be given do not keep it from starting', async () => {
  process.execArgv.push('--single-threaded-gc');
  try {
    expect(await start({ file }).run({ kind: 'echo', text: 'a' })).toBe('hello a');
  } finally {
    process.execArgv.pop();
  }
});
