import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import {
  messageSigner,
  signDelivery,
} from '../../../packages/service/src/features/notify/webhooks/signDelivery.js';
import { parseNetworks } from '../../../packages/service/src/kit/addressGuard.js';
import { createOutboundFetch } from '../../../packages/service/src/kit/outboundFetch.js';
import { envelopeText } from '../kit/envelopeText.js';

// The cost of the HTTP client and the signatures alone: the same posts, without claiming or storing anything.
// Arguments: seconds, concurrent sends per receiver, the receivers' ports.
const [seconds, atOnce, ...ports] = process.argv.slice(2).map(Number);

const outbound = createOutboundFetch({
  allowed: parseNetworks('127.0.0.0/8'),
  // A post starts while the pool still regards the previous connection as busy. Without this limit it would open another.
  connectionsPerOrigin: atOnce ?? 1,
});
const { privateKey } = generateKeyPairSync('ed25519');
const agent = messageSigner('https://bench.example', {
  keyId: randomBytes(32).toString('base64url'),
  privateKey,
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: '' },
});
const secret = `whsec_${randomBytes(32).toString('base64')}`;
let sent = 0;
const startedAt = performance.now();
const until = startedAt + (seconds ?? 1) * 1000;
const loops = ports.flatMap((port) => Array.from({ length: atOnce ?? 1 }, () => post(port)));
await Promise.all(loops);
console.log(JSON.stringify({ perSecond: (sent * 1000) / (performance.now() - startedAt) }));
await outbound.close();

async function post(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/`;
  while (performance.now() < until) {
    const envelopeId = randomUUID();
    const body = envelopeText(envelopeId, new Date(), 'worker-4711');
    const headers = signDelivery({ url, body, envelopeId, at: new Date(), secrets: [secret], agent });
    const { status } = await outbound.post({ url, headers, body, timeoutMs: 10_000, keepBytes: 1024 });
    if (status !== 204) throw new Error(`a receiver answered with ${status}`);
    sent += 1;
  }
}
