import type { Extension } from '../../src/extension.js';
import type { Environment } from '../../src/kernel/context.js';
import type { Log } from '../../src/kernel/log.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { Registry } from '../../src/api/operation/registry.js';
import { CredentialResolver } from '../../src/api/access/ports.js';
import { Ports } from '../../src/store/discovery/ports.js';
import { startApp, type TestApp } from './app.js';
import { Client } from './client.js';
import type { OpenApi } from './law-document.js';

/** The running application with its registry and OpenAPI document, from which the laws are made. */
export interface DocumentedApp extends TestApp {
  readonly operations: readonly RegisteredOperation[];
  readonly registry: Registry;
  readonly document: OpenApi;
}

/** Trusts 127.0.0.1 as a proxy, so that a law can set any client address with X-Forwarded-For. */
export async function startDocumentedApp(
  env: Record<string, string> = {},
  log?: Log,
  extensions?: readonly Extension[],
): Promise<DocumentedApp> {
  const app = await startApp({ TRUSTED_PROXIES: '127.0.0.1', ...env }, log, extensions);
  const registry = app.app.get(Registry);
  const document = (await new Client(app.url).get('/openapi.json')).body as OpenApi;
  return { ...app, operations: registry.operations, registry, document };
}

/** Rows for `describe.each` and `it.each`: the id as the name, and the object. */
export const named = <T extends { readonly id: string }>(things: readonly T[]): [string, T][] => things.map((thing) => [thing.id, thing]);

/** Where the operation is. */
export const environmentsOf = ({ environment }: RegisteredOperation): Environment[] => (environment ? [environment] : ['test', 'live']);
export const writesOf = ({ operations }: DocumentedApp): RegisteredOperation[] => operations.filter(({ isWrite }) => isWrite);
export const keyedOf = ({ operations }: DocumentedApp): RegisteredOperation[] => operations.filter(({ needsKey }) => needsKey);
export const byIdOf = ({ operations }: DocumentedApp): RegisteredOperation[] => operations.filter(({ pathIds }) => pathIds.length > 0);

/** The operations that return pages: those with `page` and `page_size`. */
export function listsOf({ operations }: DocumentedApp): RegisteredOperation[] {
  return operations.filter(({ query }) => {
    const fields = Object.keys(query ? new query() : {});
    return fields.includes('page') && fields.includes('page_size');
  });
}

/** Those of extensions in which a proxy states a credential. */
export const headersOfCredentials = ({ app }: TestApp): string[] =>
  app
    .get(Ports)
    .all(CredentialResolver)
    .flatMap(({ header }) => header ?? []);
