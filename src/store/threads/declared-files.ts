/** Files that declare to computations what extensions add. */
const files = new Set<string>();

/** `url` is that of a `….computation.ts`: each thread loads it before its first computation, and so declares the same. */
export const declareInThreads = (url: string): unknown => files.add(url);

/** In the order of their declaration. */
export const filesDeclared = (): readonly string[] => [...files];
