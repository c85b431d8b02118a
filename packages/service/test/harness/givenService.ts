import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.js';
import { joinTestService, startTestService, type TestService } from './service.js';

type Options = NonNullable<Parameters<typeof startTestService>[1]>;

/**
 * A service of the suite's own, started before its tests and closed after them. Its members exist only while
 * tests and hooks run.
 * @param options a function: what an earlier hook has made.
 */
export function givenService(engine: Engine, options: Options | (() => Options) = {}): TestService {
  return suiteOn(() => startTestService(engine, typeof options === 'function' ? options() : options));
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
  afterAll(() => service.close?.());
  return service;
}
