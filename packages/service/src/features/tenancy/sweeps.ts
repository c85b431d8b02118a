import type { ServiceDeps } from '../serviceDeps.js';
import { announceEndingKeys } from './platforms/newKeys.js';
import { removeOldUsage } from './usage/store.js';

export function tenancySweeps(deps: ServiceDeps) {
  return { reminders: [announceEndingKeys(deps)], retention: [removeOldUsage(deps.db)] };
}
