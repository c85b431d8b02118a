import { z } from 'zod';
import {
  envelopeSchema,
  envelopeTexts,
  envelopeTypes,
  exampleEnvelope,
} from '#domain/envelopes/catalogue.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { KEYS_CACHED_SECONDS, type KeyRing, type PublishedKey } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { contentDigest, signMessage } from './messageSignature.js';

const DIRECTORY_MEDIA_TYPE = 'application/http-message-signatures-directory+json';

interface Directory {
  /** Host of BASE_URL, with the port unless it is the scheme's default. */
  readonly authority: string;
  readonly keys: readonly PublishedKey[];
  readonly now: Date;
}

/**
 * The directory of the keys that sign what this installation sends (RULES H9). Each key proves
 * possession by a signature over the body and the authority of the directory.
 *
 * The authority is always that of BASE_URL, never the Host of the request. The proof prevents
 * another site from serving the same list (draft-ietf-webbotauth-httpsig-protocol, "Possession
 * Proof on the Directory Response"). Signing any Host would make a proof for each site that
 * forwards a request to us. Behind a proxy that rewrites Host, readers asked for BASE_URL anyway.
 */
function answerWithDirectory(
  { authority, keys, now }: Directory,
  context: { header(name: string): string | undefined },
): SerializedAnswer {
  const text = JSON.stringify({ keys: keys.map(entryOf) });
  const bytes = Buffer.from(text);
  const proof = proofOf(keys, authority, contentDigest(bytes), secondsOf(now));
  // A 304 also carries a new proof, which replaces that of the reader's copy.
  const answer = fixedText(DIRECTORY_MEDIA_TYPE, text, proof)(context);
  return {
    ...answer,
    // Bytes, because Fastify adds a charset to text, which this media type does not have.
    body: answer.body === null ? null : bytes,
    headers: { ...answer.headers, 'Cache-Control': `max-age=${KEYS_CACHED_SECONDS}` },
  };
}

/** Lists the members one by one, so that no private part of a key reaches an answer. */
function entryOf({ keyId, publicJwk, createdAt, publishedUntil }: PublishedKey): object {
  return {
    kty: publicJwk.kty,
    crv: publicJwk.crv,
    x: publicJwk.x,
    kid: keyId,
    use: 'sig',
    nbf: secondsOf(createdAt),
    exp: secondsOf(publishedUntil),
  };
}

function proofOf(
  keys: readonly PublishedKey[],
  authority: string,
  digest: string,
  created: number,
): Record<string, string> {
  const signatures = keys.map(({ keyId, privateKey }, index) =>
    signMessage(
      privateKey,
      `binding${index}`,
      [
        ['"@authority";req', authority],
        ['"content-digest"', digest],
      ],
      {
        created,
        // As long as a copy may be cached.
        expires: created + KEYS_CACHED_SECONDS,
        keyid: keyId,
        tag: 'http-message-signatures-directory',
      },
    ),
  );
  return {
    'Content-Digest': digest,
    'Signature-Input': signatures.map(({ input }) => input).join(', '),
    Signature: signatures.map(({ signature }) => signature).join(', '),
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** The body of `GET /webhooks/events`: each envelope type with its JSON Schema and an example. */
export const eventCatalogue = {
  events: envelopeTypes.map((type) => ({
    type,
    description: envelopeTexts[type].description,
    schema: openSchemaOf(envelopeSchema(type)),
    example: exampleEnvelope(type),
  })),
};

/**
 * JSON Schema 2020-12. Objects stay open: envelopes can gain fields at any time (RULES Y2), and a
 * receiver that validates them must not reject them then.
 */
function openSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
      // The pattern of a format is up to 300 characters long and says the same.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

export const EventCatalogue = z
  .object({
    events: z.array(
      z.object({
        type: z.enum(envelopeTypes),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'WebhookEventCatalogue' });

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
