import { lookup, Resolver } from 'node:dns/promises';
import { codeOf } from './outboundError.js';

/** All addresses of a host name, in the order to try. Rejects if there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers without a thread: with the look-up of the system, four names with silent
 * servers would block all others. It is used only with `knowsPrivateNames` and when the servers
 * have no address, for names from a hosts file.
 */
export function createHostResolver(options: {
  knowsPrivateNames: boolean;
  /** Used in place of the system's name servers, "address:port". */
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

/** A failed query says more than "no such record": a name may have only one kind of address. */
function worstOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors: unknown[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  return errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(codeOf(error))) ?? errors[0];
}
