import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { media, serializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { findWitnessedLog } from '#ledger/log/witness/witnesses.js';
import { cosign, readSubmission, type WitnessDeps } from './cosign.js';

const TEXT = 'text/plain; charset=utf-8';
const SIZE_TYPE = 'text/x.tlog.size';
/** A note with the signatures of many witnesses. */
const BODY_LIMIT_BYTES = 64 * 1024;
const CACHE = { 'Cache-Control': 'public, max-age=2' };

const AddCheckpoint = z.string().max(BODY_LIMIT_BYTES);

const originPath = z.object({ originHash: z.string().max(64) });

/** Witnesses the logs of other installations (C2SP tlog-witness; RULES E23). */
export function witnessRoutes(deps: WitnessDeps): RouteTable {
  const { db, config } = deps;
  const isPublic = { access: everyone, tag: 'Transparency log' };
  const origins = new Map(config.logWitnessFor.map(({ name }) => [hashOf(name), name]));
  return {
    'POST !/log/witness/add-checkpoint': route({
      operationId: 'addCheckpoint',
      ...isPublic,
      textBody: true,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      body: AddCheckpoint,
      answers: {
        200: { media: [{ type: TEXT }] },
        409: { media: [{ type: SIZE_TYPE }] },
        422: { media: [{ type: TEXT }] },
      },
      errors: ['NOT_FOUND', 'FORBIDDEN', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
      async handle({ body, log }) {
        const submission = readSubmission(body);
        const { origin, size } = submission.checkpoint;
        const answer = await cosign(deps, submission);
        switch (answer.kind) {
          case 'cosigned':
            return media(TEXT, answer.lines);
          case 'conflict':
            // A Buffer: Fastify adds a charset to a string whose type has none.
            return sized(409, SIZE_TYPE, `${answer.size}\n`);
          default: {
            const { oldSize } = submission;
            const facts = { origin, oldSize, size };
            if (answer.isFork) {
              log().error(facts, 'a log that this service witnesses has signed two histories');
              return sized(409, SIZE_TYPE, `${size}\n`);
            }
            // Anybody can send a checkpoint with a wrong proof.
            log().warn(facts, 'a checkpoint does not continue the log that this service witnesses');
            const message = `The checkpoint of ${size} leaves does not continue the log of ${oldSize} leaves that was cosigned.\n`;
            return sized(422, TEXT, message);
          }
        }
      },
    }),
    'GET !/log/witness/{originHash}/checkpoint': route({
      operationId: 'readWitnessedCheckpoint',
      ...isPublic,
      params: originPath,
      answers: {
        200: { media: [{ type: TEXT }] },
        304: null,
      },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      async handle(context) {
        const origin = origins.get(context.params.originHash);
        const known = origin === undefined ? null : await findWitnessedLog(db, origin);
        if (!known) return fail('NOT_FOUND', { message: 'This service has cosigned no such log.' });
        return fixedText(TEXT, known.note, CACHE)(context);
      },
    }),
  };
}

function sized(status: 409 | 422, type: string, text: string) {
  return serializedAnswer({ status, body: Buffer.from(text), headers: { 'Content-Type': type } });
}

function hashOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex');
}
