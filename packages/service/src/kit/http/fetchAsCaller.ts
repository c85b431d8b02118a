import type { FastifyRequest } from 'fastify';

/**
 * Calls another operation of this service with the credentials and the address of a request. It passes the same
 * admission as every request: scopes, limits and metering hold.
 */
export async function fetchAsCaller(request: FastifyRequest, asked: Request): Promise<Response> {
  const { pathname, search } = new URL(asked.url);
  const { authorization } = request.headers;
  const answer = await request.server.inject({
    method: asked.method as 'GET',
    url: pathname + search,
    headers: {
      ...Object.fromEntries(asked.headers),
      ...(authorization !== undefined && { authorization }),
      'x-request-id': request.id,
    },
    ...(asked.body && { payload: await asked.text() }),
    remoteAddress: request.ip,
  });
  const headers = Object.entries(answer.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  const { statusCode: status } = answer;
  return new Response(status === 204 || status === 304 ? null : answer.payload, { status, headers });
}
