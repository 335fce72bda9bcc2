import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { controllerPath, isRoute, routesOf } from '../../api/operation/nest-metadata.js';
import { declarationOf } from '../../api/operation/operation.js';
import { methodsOf } from '../../store/discovery/methods-of.js';
import type { LoadedExtension } from './listed-packages.js';

type Import = Type<unknown> | DynamicModule | ForwardReference | Promise<DynamicModule>;

export function describeOwner(owner: LoadedExtension | undefined): string {
  if (owner === undefined) return 'the product';
  const { extension, from } = owner;
  return `the extension ${extension.name}${from ? ` (${from.name} ${from.version})` : ''}`;
}

/** The owner of an event that is there before packages are loaded. Undefined for the product, whose events others may emit as well. */
export function ownerOfEvent(kind: string, product: readonly Type<unknown>[], loaded: readonly LoadedExtension[]) {
  const emits = (modules: readonly Import[]): boolean => namesIn(modules, new Set()).has(`event ${kind}`);
  return emits(product) ? undefined : loaded.find(({ extension }) => emits(extension.modules));
}

/** A sentence for each name that two of them have, with both. */
export function clashesOf(product: readonly Type<unknown>[], loaded: readonly LoadedExtension[]): string[] {
  // A module that several import is of the one that lists it.
  const listed = new Set<unknown>([...product, ...loaded.flatMap(({ extension }) => extension.modules.map(classOf))]);
  const [owners, clashes] = [new Map<string, LoadedExtension | undefined>(), [] as string[]];
  for (const name of namesIn(product, new Set())) owners.set(name, undefined);
  for (const owner of loaded)
    for (const name of [`name ${owner.extension.name}`, ...namesIn(owner.extension.modules, listed)])
      if (!owners.has(name)) owners.set(name, owner);
      else if (!mayShare(name, owners.get(name), owner))
        clashes.push(`The ${name} is declared by ${describeOwner(owners.get(name))} and by ${describeOwner(owner)}: choose another.`);
  return clashes;
}

/**
 * An event may be emitted by several: it was declared once, or it could not be loaded. An operation beside those of others is called with
 * their scope: of the product, of the same repository, or of a package that it needs.
 */
function mayShare(name: string, earlier: LoadedExtension | undefined, later: LoadedExtension): boolean {
  if (!name.startsWith('scope ')) return name.startsWith('event ');
  const [one, other] = [earlier?.from, later.from];
  return !earlier || (!one && !other) || (one !== undefined && other?.needs.includes(one.name) === true);
}

const classOf = (given: Import): unknown =>
  'module' in given ? given.module : 'forwardRef' in given ? (given as { forwardRef(): unknown }).forwardRef() : given;

/** What the controllers and entities of modules are called, such as `table suppliers`, without those of modules that another one lists. */
function namesIn(modules: readonly Import[], listed: ReadonlySet<unknown>): Set<string> {
  const [names, seen] = [new Set<string>(), new Set<unknown>()];
  const visit = (given: Import): void => {
    const type = classOf(given);
    if (seen.has(given) || typeof type !== 'function') return;
    seen.add(given);
    const dynamic: Partial<DynamicModule> = 'module' in given ? given : {};
    const partsOf = (kind: 'imports' | 'controllers'): unknown[] =>
      ([Reflect.getMetadata(kind, type), dynamic[kind]] as (unknown[] | undefined)[]).flatMap((part) => part ?? []);
    for (const name of [...(partsOf('controllers') as Type[]).flatMap(namesOfController), ...tablesIn(dynamic)]) names.add(name);
    for (const inner of partsOf('imports') as Import[]) if (!listed.has(classOf(inner))) visit(inner);
  };
  for (const each of modules) visit(each);
  return names;
}

function namesOfController(controller: Type<unknown>): string[] {
  const pathOf = (below: string): string => `/${controllerPath(controller)}/${below}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '');
  return [...methodsOf(controller.prototype as object)].flatMap(([, handler]) => {
    if (!isRoute(handler)) return [];
    const { method, paths } = routesOf(handler);
    // Parameters may be called otherwise, and it is the same route.
    const routes = paths.map((path) => `route ${method} ${pathOf(path).replaceAll(/:\w+/g, ':id')}`);
    const { id, tool, scope, emits = [] } = declarationOf(handler) ?? {};
    const named = [id && `operation ${id}`, tool && `tool ${tool.name}`, scope && `scope ${scope}`].filter((name) => name !== undefined);
    return [...routes, ...named, ...emits.map(({ kind }) => `event ${kind}`)];
  });
}

/** The module that TypeORM makes for entities has a provider for each, which names its table. */
function tablesIn({ providers = [] }: Partial<DynamicModule>): string[] {
  return providers.flatMap((provider) => {
    const { targetEntitySchema: table } = provider as { targetEntitySchema?: { readonly name?: string } };
    return table?.name === undefined ? [] : [`table ${table.name}`];
  });
}
