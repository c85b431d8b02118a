import type { FastifyReply, FastifyRequest } from 'fastify';
import { overloaded } from './errorAnswer.js';

/** Bytes of request bodies that are being read or worked on: what a burst of large ones may take of the memory. */
const PROCESS_BYTES = 160 * 1024 * 1024;
/** Of one platform: two files of the largest size at once, and the others still get in. */
const PLATFORM_BYTES = 80 * 1024 * 1024;
/** Smaller ones are not counted: connections bound them. */
const COUNTED_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the announced body is too small to be counted. */
    bodyShare: BodyShare | null;
  }
}

/** What one request holds of the budget until it is answered. */
export interface BodyShare {
  /** Throws OVERLOADED where so many bytes in all are not to be had. */
  growTo(bytes: number): void;
}

export type OpenShare = (platform: string, request: FastifyRequest, reply: FastifyReply) => void;

/** Takes what a request announces; what comes unannounced (chunked, compressed) is taken as it arrives. */
export function createBodyBudget(): OpenShare {
  const bytesOf = new Map<string, number>();
  let total = 0;
  return (platform, request, reply) => {
    const {
      'content-length': length,
      'transfer-encoding': chunked,
      'content-encoding': packed,
    } = request.headers;
    const announced = length === undefined ? 0 : Number(length);
    if (announced < COUNTED_BYTES && chunked === undefined && packed === undefined) return;
    const share = { bytes: 0, isOver: false };
    const take = (bytes: number) => {
      share.bytes += bytes;
      total += bytes;
      const ofPlatform = (bytesOf.get(platform) ?? 0) + bytes;
      if (ofPlatform === 0) bytesOf.delete(platform);
      else bytesOf.set(platform, ofPlatform);
    };
    // Also where the caller has left, or the request was refused.
    reply.raw.once('close', () => {
      share.isOver = true;
      take(-share.bytes);
    });
    request.bodyShare = {
      growTo(bytes) {
        const more = bytes - share.bytes;
        if (more <= 0 || bytes < COUNTED_BYTES || share.isOver) return;
        if (total + more > PROCESS_BYTES || (bytesOf.get(platform) ?? 0) + more > PLATFORM_BYTES)
          throw overloaded('The service reads as many large request bodies as its memory allows.');
        take(more);
      },
    };
    request.bodyShare.growTo(announced);
  };
}
