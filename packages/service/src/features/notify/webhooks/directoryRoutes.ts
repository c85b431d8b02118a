import { z } from 'zod';
import { everyone, type RouteTable, route } from '../../../kit/http/route.js';
import type { KeyRing } from '../../../ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { answerWithDirectory, DIRECTORY_MEDIA_TYPE } from './keyDirectory.js';

type DirectoryDeps = Pick<ServiceDeps, 'clock'> & {
  config: Pick<ServiceDeps['config'], 'baseUrl'>;
  messageKeys: KeyRing;
};

/** Receivers find here the keys that sign deliveries (RULES H9). */
export function directoryRoutes({ config, clock, messageKeys }: DirectoryDeps): RouteTable {
  const authority = new URL(config.baseUrl).host;
  return {
    'GET !/.well-known/http-message-signatures-directory': route({
      operationId: 'listMessageSigningKeys',
      access: everyone,
      tag: 'Webhooks',
      unmetered: true,
      answers: { 200: { media: [{ type: DIRECTORY_MEDIA_TYPE, schema: KeyDirectory }] }, 304: null },
      handle: async (context) =>
        answerWithDirectory({ authority, keys: await messageKeys.published(), now: clock.now() }, context),
    }),
  };
}

const KeyDirectory = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        use: z.literal('sig'),
        nbf: z.int(),
        exp: z.int(),
      }),
    ),
  })
  .meta({ id: 'KeyDirectory' });
