import { afterEach, expect, test } from 'vitest';
import { typescriptFile } from '#harness/typescriptFile.js';
import { createHelperThread, type HelperProgram, type HelperThread } from '#kit/backpressure/helperThread.js';
import type { EchoTask } from './echoProgram.js';

let thread: HelperThread<EchoTask>;
afterEach(() => thread.close());

const file = typescriptFile(new URL('./echoProgram.ts', import.meta.url).href);

function start(program: HelperProgram = { file, execArgv: [] }): HelperThread<EchoTask> {
  thread = createHelperThread<EchoTask>({
    program,
    revive: (error) => new RangeError(String(error)),
  });
  return thread;
}

test('tasks run concurrently with their own results', async () => {
  const { run } = start();
  const slow = run({ kind: 'wait', ms: 50 });
  expect(await run({ kind: 'echo', text: 'a' })).toBe('a');
  await expect(run({ kind: 'fail', text: 'no' })).rejects.toThrow(new RangeError('no'));
  expect(await slow).toBe('waited');
});

test('a buffer arrives from the thread unchanged', async () => {
  const bytes = await start().run<Uint8Array>({ kind: 'bytes', length: 1_000_000 });
  expect([bytes.length, bytes.at(-1)]).toEqual([1_000_000, 7]);
});

test('a dead thread fails its tasks, and the next task gets a new thread', async () => {
  const { run } = start();
  const waiting = run({ kind: 'wait', ms: 10_000 });
  const dying = run({ kind: 'die' });
  await expect(waiting).rejects.toThrow('it is over');
  await expect(dying).rejects.toThrow('it is over');
  expect(await run({ kind: 'echo', text: 'again' })).toBe('again');
});

test('closing waits for running tasks', async () => {
  const { run, close } = start();
  const slow = run({ kind: 'wait', ms: 100 });
  await close();
  expect(await slow).toBe('waited');
});

test('process flags that are invalid for a thread do not prevent its start', async () => {
  process.execArgv.push('--single-threaded-gc');
  try {
    expect(await start({ file }).run({ kind: 'echo', text: 'a' })).toBe('a');
  } finally {
    process.execArgv.pop();
  }
});
