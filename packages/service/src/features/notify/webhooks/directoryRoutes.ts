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
        x: z.string().meta({ description: 'The public key, base64url.' }),
        kid: z.string().meta({ description: 'JWK thumbprint (RFC 7638), the `keyid` of signatures.' }),
        use: z.literal('sig'),
        nbf: z.int().meta({ description: 'When the key was created, in Unix seconds.' }),
        exp: z.int().meta({ description: 'The key stays listed at least until then, in Unix seconds.' }),
      }),
    ),
  })
  .meta({
    id: 'KeyDirectory',
    description: 'The keys that sign deliveries.',
    example: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
          kid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
          use: 'sig',
          nbf: 1_767_225_600,
          exp: 1_769_817_600,
        },
      ],
    },
  });
