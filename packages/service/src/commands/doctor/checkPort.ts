import type { Config } from '../../start/config.js';
import { assertAddressFree } from '../../start/listening.js';
import { localAddress } from '../../start/welcome.js';
import { type Finding, failed, fine } from './check.js';

const PROBE_MS = 2_000;

export async function* checkPort(config: Config): AsyncGenerator<Finding> {
  const { role, host, port } = config;
  if (role === 'worker') return yield fine('ROLE=worker does not listen.');
  const address = localAddress(host, port);
  if (port > 0 && (await isService(address)))
    return yield failed(`The service already runs at ${address}. Stop it, or set PORT to a free port.`);
  await assertAddressFree(config);
  yield fine(`${port} on ${host} is free.`);
}

async function isService(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    const body = (await answer.json()) as { status?: unknown };
    return typeof body.status === 'string';
  } catch {
    return false;
  }
}
