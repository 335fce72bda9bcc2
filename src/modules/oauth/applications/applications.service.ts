import { Injectable } from '@nestjs/common';
import { PageRefusal } from '../../../api/console/page.js';
import { limitsWanted, OWN_LIMIT_NAMES, type OwnLimits, requireValidLimits } from '../../../api/limits/own-limits.js';
import type { RulesByRisk } from '../../../kernel/confirmation-rules.js';
import { changedProperties, given } from '../../../kernel/changes.js';
import type { Actor, Tenant } from '../../../kernel/context.js';
import { existing, Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { codePoints, isStorableText } from '../../../kernel/text.js';
import { Clock, later } from '../../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { aNewRow } from '../../../store/database/columns.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import type { PageOf, PageRequest } from '../../../store/tenant/page.js';
import { type Application, type ApplicationStatus, GRANT_TYPES, type GrantType, NO_SECRET } from './application.entity.js';
import { SECURITY_RULES, type SecurityRule } from './application.entity.js';
import { ApplicationsRepository } from './applications.repository.js';
import { hashSecret, makeClientId, makeClientSecret, redirectProblem, REDIRECTS_MAX } from './client-metadata.js';
import { documentUrlProblem } from '../shared/documents/remembered-documents.js';
import { Resources } from '../resources.js';
import { readPublicKeys } from './public-keys.js';

function requireValidApplication(
  application: Application,
  { known, settings }: { readonly known: readonly string[]; readonly settings: Settings },
): void {
  const { name, isPublic, grants, redirectUris, scopes } = application;
  const length = codePoints(name);
  if (length < 1 || length > 200 || !isStorableText(name)) throw invalid('name', 'must have 1 to 200 characters');
  if (grants.length === 0 || grants.some((grant) => !GRANT_TYPES.includes(grant)))
    throw invalid('grants', `must be one or more of ${GRANT_TYPES.join(', ')}`);
  if (isPublic && grants.includes('client_credentials'))
    throw invalid('grants', 'must not contain client_credentials for a public application, because it cannot keep a secret');
  if (isPublic && hasKeys(application)) throw invalid('publicKeys', 'must not be given for a public application');
  const wrong = application.jwksUri !== null && documentUrlProblem(application.jwksUri, settings.clientDocumentAllowedNetworks);
  if (wrong) throw invalid('publicKeys', `cannot be fetched: ${wrong}`);
  if (grants.includes('authorization_code') !== redirectUris.length > 0)
    throw invalid('redirectUris', 'must be given for authorization_code, and only for that grant');
  if (redirectUris.length > REDIRECTS_MAX) throw invalid('redirectUris', `must have at most ${REDIRECTS_MAX} addresses`);
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri, { ...application, schemes: settings.redirectSchemes });
    if (problem !== undefined) throw invalid('redirectUris', `contains ${uri}, which ${problem}`);
  }
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw invalid('scopes', `contains ${unknown}, which is not one of ${known.join(', ')}`);
}

/** FAPI 2.0 Security Profile, 5.3.2: what an application must be. The rest is asked for with each request, see `isFapi2`. */
function requireRules({ securityRules, grants, redirectUris, ...application }: Application): void {
  const unknown = securityRules.find((rule) => !SECURITY_RULES.includes(rule));
  if (unknown !== undefined) throw invalid('securityRules', `contains ${unknown}, which is not one of ${SECURITY_RULES.join(', ')}`);
  if (!securityRules.includes('fapi2')) return;
  if (!hasKeys(application)) throw invalid('securityRules', 'can contain fapi2 only if there are public keys, in place of a secret');
  if (grants.includes('device_code')) throw invalid('grants', 'must not contain device_code with the rule fapi2');
  const plain = redirectUris.find((uri) => !uri.startsWith('https:'));
  if (plain !== undefined) throw invalid('redirectUris', `contains ${plain}, which must be https with the rule fapi2`);
}

/** Keys in place of a secret. */
export const hasKeys = ({ publicKeys, jwksUri }: Pick<Application, 'publicKeys' | 'jwksUri'>): boolean =>
  publicKeys !== null || jwksUri !== null;

/** The keys themselves, or where the application publishes them. */
function keysIn(text: string): Pick<Application, 'publicKeys' | 'jwksUri'> {
  const isAddress = /^https?:/i.test(text.trim());
  return isAddress ? { publicKeys: null, jwksUri: text.trim() } : { publicKeys: readPublicKeys(text), jwksUri: null };
}

const invalid = (field: string, message: string): Problem => Problem.invalidField(field, 'not_allowed', message);

/** At the command line, and not a user or a program of the organization. */
const isOperator = ({ type }: Actor): boolean => type === 'system';

const heldByOperator = (): PageRefusal =>
  new PageRefusal('You may not do this', 'The operator of the service holds this application. Only the operator can approve it.');

const isConnection = (): PageRefusal =>
  new PageRefusal(
    'You may not do this',
    'An application that serves every organization describes itself, and its users decide what it may do.',
  );

interface ApplicationFields extends Partial<OwnLimits> {
  readonly name: string;
  readonly grants: readonly GrantType[];
  readonly redirectUris: readonly string[];
  /** `all` means the scopes that exist when the application is created. */
  readonly scopes: readonly string[] | 'all';
  readonly isPublic: boolean;
  readonly isPending: boolean;
  /** A file with public keys, or the address of a key set, for a confidential application that has no secret. */
  readonly publicKeys?: string;
  readonly securityRules?: readonly SecurityRule[];
  /** null: all. */
  readonly projectIds?: string[] | null;
  /** null: the rules of the organization. */
  readonly confirmations?: RulesByRisk | null;
}

/** The secret is shown once. Only its hash is stored. null for an application that is public or has keys. */
export interface IssuedApplication {
  readonly row: Application;
  readonly clientSecret: string | null;
}

const chosenScopes = (wanted: ApplicationFields['scopes'], known: readonly string[]): string[] =>
  wanted === 'all' ? [...known] : [...new Set(wanted)].sort();

/** The row of a new application, and its secret. What the operator leaves pending, only the operator approves. */
function aNewApplication(
  ctx: WriteContext,
  { name, isPublic, isPending, publicKeys: keyFile, ...wanted }: ApplicationFields,
  { now, known }: { readonly now: string; readonly known: readonly string[] },
): IssuedApplication {
  const keys = keyFile === undefined ? { publicKeys: null, jwksUri: null } : keysIn(keyFile);
  const clientSecret = isPublic || hasKeys(keys) ? null : makeClientSecret();
  const row: Application = {
    ...aNewRow(ctx, now),
    name,
    isPublic,
    clientId: makeClientId(),
    status: isPending ? 'pending' : 'approved',
    heldByOperator: isPending && isOperator(ctx.actor),
    grants: [...new Set(wanted.grants)],
    redirectUris: [...new Set(wanted.redirectUris)],
    scopes: chosenScopes(wanted.scopes, known),
    ...limitsWanted(wanted),
    projectIds: wanted.projectIds ?? null,
    confirmations: wanted.confirmations ?? null,
    ...NO_SECRET,
    ...(clientSecret !== null && { secretHash: hashSecret(clientSecret), secretHint: clientSecret.slice(-4) }),
    sharedClientId: null,
    ...keys,
    securityRules: [...new Set(wanted.securityRules)],
  };
  return { row, clientSecret };
}

type Change = (before: Application) => Application;
type ApplicationChange = Partial<Omit<ApplicationFields, 'isPublic' | 'isPending'>>;

/** A connection is as its users have allowed it, and its shared application says the rest, but for its limits and projects. */
function changedBy(change: ApplicationChange, before: Application, known: readonly string[]): Application {
  const { rateShare, dailyCalls, dailyWrites, dailyTokens, projectIds, confirmations, ...described } = change;
  const { name, grants, redirectUris, scopes, publicKeys, securityRules } = described;
  if (before.sharedClientId !== null && Object.keys(given(described)).length > 0) throw isConnection();
  const changed = given({
    rateShare,
    dailyCalls,
    dailyWrites,
    dailyTokens,
    projectIds,
    confirmations,
    name,
    securityRules: securityRules && [...new Set(securityRules)],
    grants: grants && [...new Set(grants)],
    redirectUris: redirectUris && [...new Set(redirectUris)],
    scopes: scopes && chosenScopes(scopes, known),
  });
  return { ...before, ...changed, ...(publicKeys !== undefined && { ...NO_SECRET, ...keysIn(publicKeys) }) };
}

/** A new secret, and how an application gets it. The old one stays valid until then, and one that was older ends at once. */
function aNewSecret(previousSecretExpiresAt: string) {
  const clientSecret = makeClientSecret();
  const into: Change = (before) => {
    if (before.isPublic || hasKeys(before)) throw Problem.notFound(`secret of application ${before.id}: it is public, or has keys`);
    const secretHash = hashSecret(clientSecret);
    return { ...before, secretHash, secretHint: clientSecret.slice(-4), previousSecretHash: before.secretHash, previousSecretExpiresAt };
  };
  return { clientSecret, into };
}

const KEYS = ['publicKeys', 'jwksUri'] as const;
const AUDITED = [
  'name',
  'clientId',
  'isPublic',
  ...KEYS,
  'securityRules',
  'grants',
  'redirectUris',
  'scopes',
  ...OWN_LIMIT_NAMES,
  'projectIds',
  'confirmations',
  'status',
] as const;

/** Of keys, the audit log shows the names. */
const audited = (row: Application, field: keyof Application): unknown =>
  field === 'publicKeys' ? (row.publicKeys?.keys.map(({ kid }) => kid) ?? null) : row[field];

const auditedCreation = (row: Application) => Object.fromEntries(AUDITED.map((field) => [field, { from: null, to: audited(row, field) }]));

function auditedChanges(before: Application, after: Application, changed: readonly (keyof Application)[]) {
  const shown = changed.filter((field) => !field.endsWith('Hash'));
  return Object.fromEntries(shown.map((field) => [field, { from: audited(before, field), to: audited(after, field) }]));
}

@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly resources: Resources,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  ofOrganization(organizationId: string): Promise<Application[]> {
    return this.applications.ofOrganization(organizationId);
  }

  /** The applications of an environment, newest first. Connections to shared applications are among them. */
  list(tenant: Tenant, request: PageRequest): Promise<PageOf<Application>> {
    return this.applications.page(tenant, request);
  }

  /** An application of this organization and environment. Who is no operator reads it here before changing it. */
  get(tenant: Tenant, id: string): Promise<Application> {
    return existing('application', id, () => this.applications.get(tenant, id));
  }

  create(actor: Actor, wanted: Tenant & ApplicationFields): Promise<IssuedApplication> {
    return this.unitOfWork.runAs(actor, wanted, (ctx) => this.createIn(ctx, wanted));
  }

  async createIn(ctx: WriteContext, wanted: ApplicationFields): Promise<IssuedApplication> {
    const projectIds = await this.resources.requireProjects(ctx, wanted.projectIds ?? null);
    const issued = aNewApplication(ctx, { ...wanted, projectIds }, { now: this.clock.timestamp(), known: this.resources.scopes });
    const { row } = issued;
    await this.applications.insert(ctx, this.valid(row));
    this.audit.record(ctx, { action: 'application.created', resourceId: row.id, changes: auditedCreation(row) });
    return issued;
  }

  /** Public keys replace the earlier ones, and the secret if the application had one. An overlap is a set with the old and the new key. */
  async update(actor: Actor, id: string, { projectIds: chosen, ...rest }: ApplicationChange): Promise<Application> {
    const change = { ...rest, projectIds: chosen && (await this.resources.requireProjects(await this.byId(id), chosen)) };
    const action = change.publicKeys === undefined ? 'application.updated' : 'application.keys_changed';
    return this.change(actor, id, action, (before) => this.valid(changedBy(change, before, this.resources.scopes)));
  }

  /**
   * Takes effect on every replica within a second. The tokens of a suspended application work again once it is approved again. The
   * organization suspends and approves its own, but not what the operator has suspended or left pending.
   */
  setStatus(actor: Actor, id: string, status: ApplicationStatus): Promise<Application> {
    return this.change(actor, id, status === 'suspended' ? 'application.suspended' : 'application.approved', (before) => {
      if (before.heldByOperator && !isOperator(actor)) throw heldByOperator();
      return { ...before, status, heldByOperator: status !== 'approved' && isOperator(actor) };
    });
  }

  setPublicKeys(actor: Actor, id: string, text: string): Promise<Application> {
    return this.update(actor, id, { publicKeys: text });
  }

  async rotateSecret(actor: Actor, id: string, overlapMs: number): Promise<IssuedApplication> {
    return this.unitOfWork.runAs(actor, await this.byId(id), (ctx) => this.rotateSecretIn(ctx, id, overlapMs));
  }

  async rotateSecretIn(ctx: WriteContext, id: string, overlapMs: number): Promise<IssuedApplication> {
    const { clientSecret, into } = aNewSecret(later(this.clock, overlapMs));
    return { row: await this.changeIn(ctx, id, 'application.secret_rotated', into), clientSecret };
  }

  private async change(actor: Actor, id: string, action: AuditAction, make: Change): Promise<Application> {
    return this.unitOfWork.runAs(actor, await this.byId(id), (ctx) => this.changeIn(ctx, id, action, make));
  }

  private async changeIn(ctx: WriteContext, id: string, action: AuditAction, make: Change): Promise<Application> {
    const before = await existing('application', id, () => this.applications.lock(ctx, id));
    const after = make(before);
    const changed = changedProperties(before, after);
    if (changed.length === 0) return before;
    after.updatedAt = this.clock.timestamp();
    await this.applications.update(ctx, after, [...changed, 'updatedAt']);
    this.audit.record(ctx, { action, resourceId: id, changes: auditedChanges(before, after, changed) });
    return after;
  }

  private byId(id: string): Promise<Application> {
    return existing('application', id, () => this.applications.byId(id));
  }

  private valid(row: Application): Application {
    requireValidLimits(row);
    // What a connection is otherwise, its shared application says.
    if (row.sharedClientId !== null) return row;
    requireValidApplication(row, { known: this.resources.scopes, settings: this.settings });
    requireRules(row);
    return row;
  }
}
