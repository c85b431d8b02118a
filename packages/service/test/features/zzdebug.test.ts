import net from 'node:net';
import { test } from 'vitest';
import { operationsOf } from '../../src/kit/http/route.js';
import { routeTable } from '../harness/routeTable.js';
import { startTestService } from '../harness/service.js';
const ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
test('which', async () => {
  const orig = net.Socket.prototype.destroy;
  const sockets = new Set<net.Socket>();
  const service = await startTestService('pglite', { env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '1000000' } });
  for (const { method, path } of operationsOf(routeTable())) {
    const c = new AbortController();
    const body = method === 'POST' || method === 'PATCH';
    const r = await fetch(service.url + path.replace(/\{\w+\}/g, ID), { method, signal: c.signal, headers: { Authorization: `Bearer ${service.liveKey}`, ...(body && { 'Content-Type': 'application/json' }) }, ...(body && { body: '{}' }) });
    if (r.status >= 400) await r.text(); c.abort();
    await new Promise((r) => setTimeout(r, 20));
    // biome-ignore lint: debug
    const handles = (process as any)._getActiveHandles().filter((h: any) => h instanceof net.Socket && h.remoteAddress);
    console.log('N', handles.length, method, path, r.status);
  }
  const done = await Promise.race([service.close().then(() => 'closed'), new Promise((r) => setTimeout(() => r('HANGS'), 4000))]);
  // biome-ignore lint: debug
  const handles = (process as any)._getActiveHandles().filter((h: any) => h instanceof net.Socket && h.remoteAddress);
  console.log('aborts', done, handles.map((h: any) => [h.localPort, h.remotePort, h.readableLength, h.writableLength, h._httpMessage?.req?.url, h.parser ? 'parser' : '']));
}, 60000);
