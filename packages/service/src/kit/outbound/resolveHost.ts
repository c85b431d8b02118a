import { lookup, Resolver } from 'node:dns/promises';
import { codeOf } from './outboundError.js';

/** Every address of a host name, in the order in which they are to be tried; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name servers without a thread: the system's own look-up would let four names with silent servers hold up every
 * other one. It is asked only for `knowsPrivateNames`, when the servers know nothing: names from a hosts file.
 */
export function createHostResolver(options: {
  knowsPrivateNames: boolean;
  /** Replaces the system's name servers, "address:port". */
  servers?: readonly string[];
}): ResolveHost {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (options.knowsPrivateNames)
      return (await lookup(hostname, { all: true })).map(({ address }) => address);
    throw worstOf(answers);
  };
}

const QUERY_TIMEOUT_MS = 2500;

/** "Could not be asked" says more than "has none": a name may have one kind of address alone. */
function worstOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors: unknown[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  return errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(codeOf(error))) ?? errors[0];
}
