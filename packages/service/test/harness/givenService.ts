import { afterAll, beforeAll } from 'vitest';
import type { TestService } from './service.js';

/**
 * The service of all tests in a `describe` or file: started before the first of them and closed after the
 * last. Its members exist only while tests and hooks run.
 */
export function givenService(start: () => Promise<TestService>): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  afterAll(() => service.close?.());
  return service;
}
