import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { seededRandom } from '#kit/seededRandom.js';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const REFUSED_SHARE = 0.1;

/** A platform's webhook endpoint, which survives the kills: accepts most deliveries and refuses some. */
export async function startReceiver(seed: number) {
  const random = seededRandom(seed);
  /** Accepted bodies by envelope id. */
  const taken = new Map<string, string>();
  /** A wrong signature, or a different body under a known id. */
  const violations: string[] = [];
  /** Deliveries before the secret of the endpoint is set are refused. */
  const unset = { secret: null as string | null };
  const receiver = { url: '', ...unset, taken, violations, refusedOnPurpose: 0, close };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null); // null: the sender was killed halfway
    if (body === null) return;
    response.statusCode = answerTo(request, body);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;

  function answerTo(request: IncomingMessage, body: string): number {
    if (receiver.secret === null) return 503;
    if (random.fraction() < REFUSED_SHARE) {
      receiver.refusedOnPurpose += 1;
      return 500;
    }
    const id = String(request.headers['webhook-id']);
    try {
      new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
    } catch (error) {
      violations.push(`the delivery of ${id} cannot be verified: ${String(error)}`);
    }
    const known = taken.get(id);
    if (known !== undefined && known !== body)
      violations.push(`envelope ${id} came with two different bodies`);
    taken.set(id, body);
    return 204;
  }

  function close(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }
}
