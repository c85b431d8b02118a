import type { FastifyReply, FastifyRequest } from 'fastify';
import { overloaded } from './errorAnswer.js';

/** Bytes of request bodies in progress: limits how much memory a burst of large ones can take. */
const PROCESS_BYTES = 128 * 1024 * 1024;
/**
 * Per platform: a file of the largest size beside smaller ones. Reading a file takes four times its
 * bytes, and a process may take 512 MB (`npm run bench -- worstMemory`).
 */
const PLATFORM_BYTES = 38 * 1024 * 1024;
/**
 * What is parsed as a whole takes several times its bytes: up to so many of a body count fivefold. Of a
 * longer body the file is taken out and read in rows.
 */
const PARSED_BYTES = 1024 * 1024;
/** Smaller bodies are not counted: the cap on connections limits them. */
const COUNTED_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the body is too small to be counted. */
    bodyShare: BodyShare | null;
  }
}

/** The share of the budget that one request has until it is answered. */
export interface BodyShare {
  /** Throws OVERLOADED if the budget does not have so many bytes. */
  growTo(bytes: number): void;
}

export type OpenShare = (platform: string, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Counts bytes as they arrive: an announcement takes no memory, and connections that announce files
 * and send nothing would take the budget from everyone.
 */
export function createBodyBudget(): OpenShare {
  const bytesOf = new Map<string, number>();
  let total = 0;
  return (platform, request, reply) => {
    const { headers } = request;
    const isOpen = 'transfer-encoding' in headers || 'content-encoding' in headers;
    if (!isOpen && Number(headers['content-length'] ?? 0) < COUNTED_BYTES) return;
    const share = { bytes: 0, isOver: false };
    const take = (bytes: number) => {
      share.bytes += bytes;
      total += bytes;
      const ofPlatform = (bytesOf.get(platform) ?? 0) + bytes;
      if (ofPlatform === 0) bytesOf.delete(platform);
      else bytesOf.set(platform, ofPlatform);
    };
    // Also fires if the caller has disconnected or the request was refused.
    reply.raw.once('close', () => {
      share.isOver = true;
      take(-share.bytes);
    });
    request.bodyShare = {
      growTo(bytes) {
        const more = bytes + 4 * Math.min(bytes, PARSED_BYTES) - share.bytes;
        if (more <= 0 || bytes < COUNTED_BYTES || share.isOver) return;
        if (total + more > PROCESS_BYTES || (bytesOf.get(platform) ?? 0) + more > PLATFORM_BYTES)
          throw overloaded('The service is reading as many large request bodies as its memory allows.');
        take(more);
      },
    };
  };
}
