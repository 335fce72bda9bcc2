type Method = (...args: unknown[]) => unknown;

/** The methods of a class by name, inherited ones included. */
export function* methodsOf(prototype: object | null): Generator<[string, Method]> {
  const seen = new Set(['constructor']);
  for (let current = prototype; current && current !== Object.prototype; current = Object.getPrototypeOf(current) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(current))) {
      if (typeof value === 'function' && !seen.has(name)) yield [name, value as Method];
      seen.add(name);
    }
  }
}
