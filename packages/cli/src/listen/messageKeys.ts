import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessageSigner } from '../../../service/src/features/notify/webhooks/signDelivery.js';

/** A key for message signatures, and a directory on this machine that publishes it. */
export interface MessageKeys {
  readonly agent: MessageSigner;
  readonly directory: string;
  stop(): void;
}

const PATH = '/.well-known/http-message-signatures-directory';

/** The key of the service never leaves it, so `listen` signs with its own. */
export async function startMessageKeys(): Promise<MessageKeys> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x } = publicKey.export({ format: 'jwk' });
  // RFC 7638, as the service names its keys.
  const keyId = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  const body = JSON.stringify({ keys: [{ kty, crv, x, kid: keyId, use: 'sig' }] });
  const server = createServer((request, response) => {
    if (request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'application/http-message-signatures-directory+json');
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    agent: { origin, keyId, privateKey },
    directory: `${origin}${PATH}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
