/** An object that is the target but for some members of its own. */
export function over<Target extends object>(target: Target, own: object): Target {
  return new Proxy(target, {
    get(of, name) {
      const value = Reflect.get(Object.hasOwn(own, name) ? own : of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
