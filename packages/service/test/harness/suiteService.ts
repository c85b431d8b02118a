import { afterAll, beforeAll } from 'vitest';
import type { TestService } from './service.js';

/** The service of a suite, from the start of its tests to their end. Before them it has no member. */
export function suiteService(start: () => Promise<TestService>): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  afterAll(() => service.close());
  return service;
}
