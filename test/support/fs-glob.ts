const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

// The conformance suite names `globSync` of a newer Node.js, for a command that is not used here. Without it the suite would not even load.
const FS = asModule(`export * from 'node:fs'; import fs from 'node:fs'; export const globSync = fs.globSync ?? (() => []);`);
const HOOKS = asModule(`export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/') ? { url: ${JSON.stringify(FS)}, shortCircuit: true } : next(specifier, context);`);

/** For `node --import`: what the conformance suite needs of Node.js, where it is not there. */
export const FS_GLOB = asModule(`import { register } from 'node:module'; register(${JSON.stringify(HOOKS)});`);
