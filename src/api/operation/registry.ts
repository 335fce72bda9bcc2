import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { declaredEvents, type EventDeclaration } from '../../kernel/declare-event.js';
import { lackOf, type Permission } from '../../kernel/permissions.js';
import type { UserRole } from '../../kernel/roles.js';
import { CUSTOM_FIELDS } from '../../store/database/columns.js';
import { Ports } from '../../store/discovery/ports.js';
import { RelatedTables } from '../../store/tenant/relations.js';
import { ChangeHook, hookProblems, hooksOf, withHooks } from '../call/change-hooks.js';
import { handleOf, handlerProblems } from '../call/executor.js';
import { HiddenAnswers } from '../call/hidden-answers.js';
import { type FindRead, writePoliciesOf } from '../call/write-policies.js';
import { HiddenFields } from '../access/hidden-fields.js';
import { checkOf, Policy, seesWrites } from '../access/policy.js';
import { methodsOf } from '../../store/discovery/methods-of.js';
import { controllerPath, isRoute, parameterClass, routesOf } from './nest-metadata.js';
import { capabilityOf, declarationOf, isIdParameter, isRead, isTagged, needsKey } from './operation.js';
import { parametersOf, protocolOf, splitRoute, successStatus, takesIfMatch } from './operation.js';
import type { CapabilityDeclaration, OpenRoute, OperationDeclaration, ProtocolDeclaration, RegisteredOperation } from './operation.js';
import { fieldsOf, isMergeable } from '../validation/field.js';
import { declarationProblems, descriptionProblems } from './registry-rules.js';

/** All operations, found by their `@Operation` at start. A bad declaration keeps the process from starting. */
@Injectable()
export class Registry implements OnModuleInit {
  readonly operations: RegisteredOperation[] = [];
  /** What each capability is, in the order of the documents. */
  readonly descriptions: (readonly [capability: string, CapabilityDeclaration])[] = [];
  /** The routes with `@Protocol`: their callers have no credential yet. */
  readonly openRoutes: OpenRoute[] = [];
  /** The routes of the console. People who are not signed in are sent to the sign-in page. */
  readonly consoleRoutes: OpenRoute[] = [];
  /** Of this application: another one in the same process has the same handlers, but policies and hooks of its own. */
  private readonly byHandler = new Map<object, RegisteredOperation>();
  private readonly byId = new Map<string, RegisteredOperation>();
  /** By method and path: `GET /v1/claim-projects/{project_id}`. */
  private readonly byRoute = new Map<string, RegisteredOperation>();
  private hiding: HiddenAnswers | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly ports: Ports,
    private readonly tables: RelatedTables,
  ) {}

  onModuleInit(): void {
    const problems: string[] = [];
    for (const { metatype, instance } of this.discovery.getControllers())
      problems.push(...this.readController(metatype as Type<unknown>, instance as object));
    problems.push(...hookProblems(this.hooks, this.operations), ...this.hidden.problems);
    problems.push(...declarationProblems(this.operations), ...descriptionProblems(this.capabilities, this.descriptions));
    for (const event of this.events)
      if (event.status !== 'test' && !event.read && !isRead(event.data))
        problems.push(`The event ${event.kind} has a record that no GET returns: \`read\` is expected, with the scope that it takes.`);
    if (problems.length > 0) throw new Error(`Bad declarations:\n  ${problems.join('\n  ')}`);
  }

  operationOf(handler: object): RegisteredOperation | undefined {
    return this.byHandler.get(handler);
  }

  /** The operation of a route, whose parameters begin with a colon; undefined for a route with `@Protocol`. */
  operationAt(method: string, url: string): RegisteredOperation | undefined {
    return this.byRoute.get(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  }

  /** Throws if there is none: pages of the console name operations. */
  operationCalled(id: string): RegisteredOperation {
    const found = this.byId.get(id);
    if (!found) throw new Error(`There is no operation ${id}.`);
    return found;
  }

  get scopes(): string[] {
    return [...new Set(this.operations.flatMap(({ scope }) => scope ?? []))].sort();
  }

  scopesFor(role: UserRole): string[] {
    return this.scopes.filter((scope) => this.operations.some((one) => one.scope === scope && !lackOf({ user: { role } }, one)));
  }

  /** What permits to read the record of an event, and so to be given the event: each of these. */
  readersOf({ data, read }: EventDeclaration): readonly Permission[] {
    return read ? [read] : this.operations.filter(({ method, returns }) => method === 'GET' && returns === data);
  }

  get events(): EventDeclaration[] {
    return declaredEvents();
  }

  get capabilities(): string[] {
    return [...new Set(this.operations.map(({ capability }) => capability))].sort();
  }

  /** What extensions hide. */
  get hidden(): HiddenAnswers {
    return (this.hiding ??= new HiddenAnswers([...this.ports.all(HiddenFields)]));
  }

  private get hooks(): ReturnType<typeof hooksOf> {
    return hooksOf(this.ports.all(ChangeHook));
  }

  private extended(operation: RegisteredOperation): RegisteredOperation {
    const named = operation.path.slice(0, operation.path.lastIndexOf('}') + 1);
    const findRead = (): RegisteredOperation | undefined => this.byRoute.get(`GET ${named}`);
    const related = this.withRelations(operation);
    return withHidden(withHooks(withPolicies(related, this.ports.all(Policy), findRead), this.hooks), this.hidden);
  }

  private withRelations(operation: RegisteredOperation): RegisteredOperation {
    const { method, body, capability, problems } = operation;
    const refused = new Set(problems);
    if (body && namesRecords(body)) refused.add('related_record_missing');
    if (method === 'DELETE' && this.tables.isKept(capability)) refused.add('record_in_use');
    return { ...operation, problems: [...refused] };
  }

  private readController(controller: Type<unknown>, instance: object): string[] {
    const problems: string[] = [];
    const before = this.operations.length;
    for (const [name, handler] of methodsOf(controller.prototype as object)) {
      if (!isRoute(handler)) continue;
      const declaration = declarationOf(handler);
      const protocol = protocolOf(handler);
      if (declaration) {
        const operation = this.extended(bindDeclaration(declaration, controller, name, instance));
        this.byHandler.set(handler, operation);
        this.byId.set(operation.id, operation);
        this.byRoute.set(`${operation.method} ${operation.path}`, operation);
        this.operations.push(operation);
        problems.push(...handlerProblems(controller, name, declaration));
      } else if (protocol) {
        const routes = openRoutesOf(protocol, controller, handler);
        if (protocol.limit === 'console') this.consoleRoutes.push(...routes);
        else this.openRoutes.push(...routes);
      } else {
        problems.push(`${controller.name}.${name} is a route with neither @Operation nor @Protocol.`);
      }
    }
    const [description, first] = [capabilityOf(controller), this.operations[before]];
    if (description && first) this.descriptions.push([first.capability, description]);
    return problems;
  }
}

function openRoutesOf(declaration: ProtocolDeclaration, controller: Type<unknown>, handler: object): OpenRoute[] {
  const { method, paths } = routesOf(handler);
  const parts = (path: string): string[] => [controllerPath(controller), path].flatMap((part) => part.split('/')).filter(Boolean);
  return paths.map((path) => ({ ...declaration, method, path: `/${parts(path).join('/')}` }));
}

function bindDeclaration(
  { ahead, ...declaration }: OperationDeclaration,
  controller: Type<unknown>,
  handlerName: string,
  instance: object,
): RegisteredOperation {
  const { method, path: below } = splitRoute(declaration.route);
  const base = controllerPath(controller);
  const path = `/${base}${below === '/' ? '' : below}`;
  const body = parameterClass(controller, handlerName, 'BODY');
  return {
    ...declaration,
    handle: handleOf(instance, controller, handlerName),
    lookAhead:
      ahead === undefined ? undefined : (...given) => (instance as Record<string, (...given: unknown[]) => unknown>)[ahead]!(...given),
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathIds: parametersOf(path).filter(isIdParameter),
    fileParam: parametersOf(path).find((name) => !isIdParameter(name)),
    mediaTypes: declaration.returnsFile ? [...new Set(Object.values(declaration.returnsFile))] : ['application/json'],
    body,
    query: parameterClass(controller, handlerName, 'QUERY'),
    capability: declaration.id.split('.')[0]!,
    status: successStatus(declaration),
    isWrite: method !== 'GET',
    takesMerge: method === 'PATCH' && body !== undefined && [...fieldsOf(body.prototype as object).values()].some(isMergeable),
    needsKey: needsKey(method),
    isTagged: isTagged(declaration),
    takesIfMatch: takesIfMatch(declaration),
    emits: declaration.emits ?? [],
    problems: declaration.problems ?? [],
    checkPolicies: undefined,
    writePolicies: undefined,
    hiddenFrom: undefined,
    hooks: undefined,
  };
}

/** Whether a field of the class, or of custom fields in it, has the id of a record. */
const namesRecords = ({ prototype }: Type<unknown>): boolean =>
  [...fieldsOf(prototype as object)].some(([name, { recordOf, of }]) => recordOf ?? (name === CUSTOM_FIELDS && of && namesRecords(of)));

function withHidden(operation: RegisteredOperation, hidden: HiddenAnswers): RegisteredOperation {
  const { returns, returnsFile, cannotBeCut, problems } = operation;
  const { any } = hidden;
  if (!any || !(returnsFile || cannotBeCut || (returns && any.isIn(returns)))) return operation;
  return { ...operation, problems: [...problems, 'fields_hidden'], hiddenFrom: (viewer) => hidden.from(viewer) };
}

function withPolicies(operation: RegisteredOperation, all: readonly Policy[], findRead: FindRead): RegisteredOperation {
  const policies = all.filter(
    (policy) => (policy.appliesTo?.(operation) ?? true) && (policy.check !== undefined || seesWrites(operation, policy)),
  );
  const problems = [...new Set([...operation.problems, ...policies.flatMap((policy) => policy.problems)])];
  return {
    ...operation,
    problems,
    checkPolicies: checkOf(policies, operation),
    writePolicies: writePoliciesOf(policies, operation, findRead),
  };
}
