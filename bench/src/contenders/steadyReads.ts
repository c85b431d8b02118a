import { Agent, request } from 'node:http';

// Reads an address at a fixed rate that does not wait for answers. A separate process keeps other work out of the times.
// Arguments: address, key, reads per second. On SIGTERM it prints when each read was sent (Unix milliseconds) and how long it took
// (milliseconds).
const [address = '', key = '', perSecond = ''] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const agent = new Agent({ keepAlive: true });
const reads: [sentAtMs: number, tookMs: number][] = [];
const underWay = new Set<Promise<void>>();

const timer = setInterval(() => {
  const read = timeRead().finally(() => underWay.delete(read));
  underWay.add(read);
}, 1000 / Number(perSecond));

process.once('SIGTERM', async () => {
  clearInterval(timer);
  await Promise.all(underWay);
  process.stdout.write(JSON.stringify(reads), () => process.exit());
});

function timeRead(): Promise<void> {
  const sentAtMs = Date.now();
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers, agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode !== 200) reject(new Error(`a read was answered with ${answer.statusCode}`));
        reads.push([sentAtMs, Math.round((performance.now() - startedAt) * 1000) / 1000]);
        resolve();
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}
