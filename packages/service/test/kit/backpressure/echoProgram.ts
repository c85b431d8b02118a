import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { serveHelper } from '../../../src/kit/backpressure/helperProgram.js';

export type EchoTask =
  | { kind: 'echo' | 'fail'; text: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'bytes'; length: number }
  | { kind: 'untilStopped' }
  | { kind: 'die' };

serveHelper<EchoTask, string>(({ notify }) => ({
  async run(task, until) {
    switch (task.kind) {
      case 'echo':
        notify(task.text);
        return { result: `${workerData} ${task.text}` };
      case 'fail':
        throw new Error(task.text);
      case 'wait':
        await pause(task.ms);
        return { result: 'waited' };
      case 'bytes': {
        const bytes = new Uint8Array(task.length).fill(7);
        return { result: bytes, transfer: [bytes.buffer] };
      }
      case 'untilStopped':
        while (!until.aborted) await pause(5);
        return { result: 'stopped' };
      case 'die':
        setImmediate(() => {
          throw new Error('it is over');
        });
        await pause(10_000);
        return { result: null };
    }
  },
  serializeError: (error) => (error instanceof Error ? error.message : String(error)),
  close: async () => {},
}));
