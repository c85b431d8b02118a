import type { ServiceDeps } from '../serviceDeps.js';
import { announceEndingKeys } from './platforms/announceKeys.js';
import { removeOldUsage } from './usage/window.js';

export function tenancySweeps(deps: ServiceDeps) {
  return { reminders: [announceEndingKeys(deps)], retention: [removeOldUsage(deps.db)] };
}
