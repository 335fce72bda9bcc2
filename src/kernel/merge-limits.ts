/** The value of a setting with limits of `what`, merged into the defaults. `problemOf` says what is wrong with one. */
export function mergeLimits<Limits extends object>(
  defaults: Limits,
  value: unknown,
  what: string,
  problemOf: (name: keyof Limits & string, limit: unknown) => string | undefined,
): Limits {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`must be a JSON object of ${what}`);
  for (const [name, limit] of Object.entries(value)) {
    if (!Object.hasOwn(defaults, name)) throw new Error(`names "${name}", which is not one of ${Object.keys(defaults).join(', ')}`);
    const problem = problemOf(name as keyof Limits & string, limit);
    if (problem !== undefined) throw new Error(problem);
  }
  return { ...defaults, ...value };
}
