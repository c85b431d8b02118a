import { z } from 'zod';
import { subjectTypes } from '#domain/catalogues/enums.js';
import { fail } from '#domain/errors.js';
import { LogInclusion } from '#domain/logProofs.js';
import { scoreFields } from '#domain/scoreFields.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { API_PREFIX, byShareToken, everyone, type RouteTable, route } from '#kit/http/route.js';
import type { Issuer } from '#ledger/issuing/issuer.js';
import { lifetimeOf } from '#ledger/issuing/lifetime.js';
import type { LoadInclusion } from '#ledger/log/inclusion.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { REVALIDATE, sharePath } from './verify/readShared.js';
import type { LoadShared } from './verify/sharedRecords.js';

const AgentCard = z
  .object({
    id: z.url(),
    subjectType: z.enum(subjectTypes),
    finalScore: scoreFields.finalScore,
    scoreBand: scoreFields.scoreBand,
    confidence: scoreFields.confidence,
    totalEvents: scoreFields.totalEvents,
    verifiedEvents: scoreFields.verifiedEvents,
    frozen: scoreFields.frozen,
    formulaVersion: scoreFields.formulaVersion,
    computedAt: z.iso.datetime(),
    log: LogInclusion.nullable(),
    proofUrl: z.url(),
    issuer: z.string(),
    issuedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    signatures: z.array(z.object({ protected: z.string(), signature: z.string() })),
  })
  .meta({ id: 'AgentCard' });

interface CardDeps extends Pick<ServiceDeps, 'config' | 'clock'> {
  issuer: Issuer;
  loadShared: LoadShared;
  loadInclusion: LoadInclusion;
}

const TTL_SECONDS = 86_400;

/** What an agent shows to another one. The share token in its address is the permission (RULES C1). */
export function agentCardRoutes({ config, clock, issuer, loadShared, loadInclusion }: CardDeps): RouteTable {
  return {
    'GET !/agents/{token}/card.json': route({
      operationId: 'readAgentCard',
      access: everyone,
      tag: 'Verification',
      params: sharePath,
      groupOf: byShareToken,
      answers: { 200: AgentCard, 304: null },
      errors: ['NOT_FOUND', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
      async handle(context) {
        const { token } = context.params;
        const [shared, signer] = await Promise.all([loadShared(token), issuer.signer()]);
        const message = 'The share token is unknown or withdrawn, or its subject has no score yet.';
        if (!shared?.score) return fail('NOT_FOUND', { message });
        const { finalScore, scoreBand, confidence, totalEvents, verifiedEvents, frozen, ...score } =
          shared.score;
        const card = {
          id: `${config.baseUrl}/agents/${token}/card.json`,
          subjectType: shared.subjectType,
          ...{ finalScore, scoreBand, confidence, totalEvents, verifiedEvents, frozen },
          ...{ formulaVersion: score.formulaVersion, computedAt: score.computedAt },
          log: await loadInclusion(shared.subjectId, score.snapshotNo),
          proofUrl: `${config.baseUrl}${API_PREFIX}/verify/${token}`,
          issuer: issuer.did,
          ...lifetimeOf(clock.now(), TTL_SECONDS),
        };
        const signed = JSON.stringify({ ...card, signatures: [await signer.signDocument(card)] });
        return fixedText('application/json; charset=utf-8', signed, REVALIDATE)(context);
      },
    }),
  };
}
