import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.js';
import { joinTestService, startTestService, type TestService } from './service.js';

/** A service of the suite's own, started before its tests: before that the object is empty. */
export function givenService(
  engine: Engine,
  options: Parameters<typeof startTestService>[1] = {},
): TestService {
  return suiteOn(() => startTestService(engine, options));
}

/** The suite's own platform on the service that all files of this process share: see `joinTestService`. */
export function givenSharedService(engine: Engine, env: Record<string, string> = {}): TestService {
  return suiteOn(() => joinTestService(engine, env));
}

function suiteOn(start: () => Promise<TestService>): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  afterAll(() => service.close());
  return service;
}
