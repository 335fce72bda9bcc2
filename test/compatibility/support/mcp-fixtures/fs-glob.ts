const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

// The conformance suite imports `globSync`, which Node.js 20 lacks, for a command that we do not use. Without it the suite does not load.
const FS = asModule(`export * from 'node:fs'; import fs from 'node:fs'; export const globSync = fs.globSync ?? (() => []);`);
const HOOKS = asModule(`export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(FS)}, shortCircuit: true }
    : next(specifier, context);`);

/** A module for `node --import` that adds what the conformance suite needs. */
export const FS_GLOB = asModule(`import { register } from 'node:module'; register(${JSON.stringify(HOOKS)});`);
