import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import { GOOD, registerAgent } from './subjectFixtures.js';

/** A declaration that another party runs the agent. */
export const ELSEWHERE = { platformIsOperator: false, operator: { name: 'Harbour Robotics Ltd' } };

/** Helpers for a suite about the agents of one platform. */
export function agentKit(engine: Engine) {
  let count = 0;
  const kit = {
    service: undefined as unknown as TestService,
    platform: undefined as unknown as OwnPlatform,
    /** An id that no agent has. */
    fresh: () => `agent-${++count}`,
    register: (body: object) => registerAgent(kit.service, kit.platform, body),
    /** Reports a verified good outcome. */
    post: (userId: string, more: object = {}, options: object = {}) =>
      report(kit.service, outcome({ userId, ...GOOD, ...more }), { key: kit.platform.live.key, ...options }),
  };
  beforeAll(async () => {
    kit.service = await joinTestService(engine);
    kit.platform = await addedPlatform(kit.service, 'Operator of agents');
  });
  afterAll(() => kit.service.close());
  return kit;
}
