import { setTimeout as pause } from 'node:timers/promises';
import { serveHelper } from '#kit/backpressure/helperProgram.js';

export type EchoTask =
  | { kind: 'echo' | 'fail'; text: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'bytes'; length: number }
  | { kind: 'die' };

serveHelper<EchoTask>({
  async run(task) {
    switch (task.kind) {
      case 'echo':
        return { result: task.text };
      case 'fail':
        throw new Error(task.text);
      case 'wait':
        await pause(task.ms);
        return { result: 'waited' };
      case 'bytes': {
        const bytes = new Uint8Array(task.length).fill(7);
        return { result: bytes, transfer: [bytes.buffer] };
      }
      case 'die':
        setImmediate(() => {
          throw new Error('it is over');
        });
        await pause(10_000);
        return { result: null };
    }
  },
  serializeError: (error) => (error instanceof Error ? error.message : String(error)),
});
