/** What Nest throws when it cannot make a provider: which one, and which parameter of its constructor. */
interface Unresolved {
  readonly type: unknown;
  readonly context: { readonly index?: number; readonly dependencies?: readonly unknown[] };
}

/** What TypeScript leaves of a parameter whose class was imported as a type. */
const NO_CLASSES: readonly unknown[] = [Object, Function, undefined];

/** Undefined if the error is another one. Nest itself would call the missing class `Function`. */
export function describeNotInjected(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.constructor.name !== 'UnknownDependenciesException') return undefined;
  const { type, context } = error as Error & Unresolved;
  const { index, dependencies = [] } = context;
  if (index === undefined || !NO_CLASSES.includes(dependencies[index])) return undefined;
  const name = typeof type === 'function' ? type.name : String(type);
  const taken = dependencies.map((one, at) => (at === index || typeof one !== 'function' ? '?' : one.name)).join(', ');
  return (
    `Nothing can be injected as parameter ${index + 1} of the constructor ${name}(${taken}): its class was imported as a type only. ` +
    'Import it as a value, or name what is meant with @Inject().'
  );
}
