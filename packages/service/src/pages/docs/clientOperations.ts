interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/**
 * Whether the client has a method for the operation. Left out: pages, the protocols of wallets and of
 * agents, and second addresses of an operation.
 */
export function isForPrograms(path: string, { operationId, responses }: Operation): boolean {
  if (/AtRoot$|^serveMcp$/.test(operationId) || !/^\/(api|log|\.well-known)\//.test(path)) return false;
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return Object.keys(success?.content ?? { none: true }).some((type) =>
    /json|none|text\/(plain|event-stream)/.test(type),
  );
}
