import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.js';
import { joinTestService, type TestService } from './service.js';

/** The service for the tests of a file or of a `describe`: joined before the first, left after the last. */
export function useService(engine: Engine): TestService {
  let joined: TestService | undefined;
  beforeAll(async () => {
    joined = await joinTestService(engine);
  });
  afterAll(() => joined?.close());
  return new Proxy({} as TestService, { get: (_, name) => joined && Reflect.get(joined, name) });
}
