import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import { failUnknownMonitor } from './lockMonitor.js';
import { findMonitor } from './store.js';

/** GET /monitors/{id} */
export async function readMonitor({ db }: MonitorDeps, owner: WatchOwner, id: string): Promise<Answer> {
  const monitor = isUuid(id) ? await findMonitor(db, owner, id) : null;
  return ok(monitor ?? failUnknownMonitor());
}
