import { serveHelper } from '#kit/backpressure/helperProgram.js';
import { garbageCollector } from '#kit/memoryAtRest.js';
import { detectFormats } from '../features/intake/imports/detect.js';
import {
  type ImportTask,
  separateInThread,
  serializeError,
  takeFile,
} from '../features/intake/imports/importThread.js';
import { checkCareer } from '../features/subjects/career/checkCareer.js';
import type { CareerTask } from '../features/subjects/career/importCareer.js';

// The program of the helper threads that read large files (docs/ARCHITECTURE.md, Backpressure).
const collectGarbage = garbageCollector();

serveHelper<ImportTask | CareerTask>({
  async run(task) {
    try {
      if ('json' in task) return separateInThread(task);
      if ('career' in task) return { result: await checkCareer(task.career) };
      if ('unknown' in task) return { result: await detectFormats(task.unknown) };
      const result = await takeFile(task.file);
      return { result, transfer: [...new Set(result.chunks.map(({ buffer }) => buffer))] };
    } finally {
      // A file leaves several times its bytes, and V8 collects only when something is allocated.
      setImmediate(collectGarbage);
    }
  },
  serializeError,
});
