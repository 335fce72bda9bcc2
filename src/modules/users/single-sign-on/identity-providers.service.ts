import { Injectable } from '@nestjs/common';
import { type SignInWay, PageRefusal } from '../../../api/console/page.js';
import type { AuditAction } from '../../../kernel/audit-actions.js';
import { type Changes, changesBetween } from '../../../kernel/changes.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import type { FieldCode } from '../../../kernel/field-codes.js';
import { newId } from '../../../kernel/ids.js';
import { Problem, type FieldError } from '../../../kernel/problems.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { brokenConstraint } from '../../../store/database/database.js';
import { type InTransaction, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { type IdentityProvider, GIVEN_ROLES, type GivenRole } from '../user.entity.js';
import { ProviderRequests } from './provider-client.js';
import { secretBoundTo, SingleSignOnRepository } from './single-sign-on.repository.js';

/** What the audit log shows: never the secret. */
function changesOf(before: Stored, after: Stored): Changes {
  const isReplaced = before !== null && after !== null && !before.clientSecret.equals(after.clientSecret);
  return {
    ...changesBetween(before && shownOf(before), after && shownOf(after)),
    ...(isReplaced && { secretReplaced: { from: false, to: true } }),
  };
}

const shownOf = ({ clientSecret: _secret, organizationId: _id, ...shown }: IdentityProvider) => shown;

/** Of two owners who set it up at the same time, or of a form that is sent twice. */
function explainSecond(error: unknown): never {
  if (brokenConstraint(error) !== 'identity_providers_organization_unique') throw error;
  throw new Problem('already_exists', { detail: 'Single sign-on has just been set up.', cause: error });
}

function notSetUp(): never {
  throw new Problem('not_found', { detail: 'The organization has not set up single sign-on.' });
}

type Changing = InTransaction<ChangeContext>;
type Stored = IdentityProvider | null;

interface Saved {
  readonly provider: IdentityProvider;
  /** It is another provider, client or secret, which may not work: passwords are allowed again. */
  readonly allowsPasswordsAgain: boolean;
}

@Injectable()
export class IdentityProvidersService {
  constructor(
    private readonly signOns: SingleSignOnRepository,
    private readonly requests: ProviderRequests,
    private readonly secrets: Secrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  find(organizationId: string): Promise<IdentityProvider | undefined> {
    return this.signOns.findProvider(organizationId);
  }

  async get(organizationId: string): Promise<IdentityProvider> {
    return (await this.find(organizationId)) ?? notSetUp();
  }

  save(actor: Actor, organizationId: string, wanted: WantedProvider): Promise<Saved> {
    return this.change(actor, organizationId, async (ctx, before) => {
      const valid = checked(wanted, before, (url) => this.requests.isAllowed(url));
      return before ? this.update(ctx, before, valid, wanted.clientSecret) : this.create(ctx, valid, wanted.clientSecret!);
    });
  }

  /** Users sign in with their passwords again. Who they were for the provider is forgotten. */
  remove(actor: Actor, organizationId: string): Promise<void> {
    return this.change(actor, organizationId, async (ctx, before) => {
      if (!before) return notSetUp();
      await this.signOns.deleteIdentities(organizationId, ctx.unit);
      await this.signOns.delete(organizationId, ctx.unit);
      this.record(ctx, 'identity_provider.removed', before, null);
    });
  }

  /** The caller has signed in by this very provider, so they cannot lock themselves out. */
  switchPasswordsOff(actor: Actor, organizationId: string, signedInBy: SignInWay): Promise<void> {
    return this.change(actor, organizationId, async (ctx, before) => {
      if (!before) return notSetUp();
      const isShown = signedInBy === 'single_sign_on' && (await this.signOns.hasIdentity(organizationId, actor.id!, ctx.unit));
      if (!isShown) throw signInFirst();
      await this.write(ctx, before, { ...before, passwordsAllowed: false });
    });
  }

  /** Does nothing for an organization without single sign-on, where they are on. */
  switchPasswordsOn(actor: Actor, organizationId: string): Promise<void> {
    return this.change(actor, organizationId, async (ctx, before) => {
      if (before) await this.write(ctx, before, { ...before, passwordsAllowed: true });
    });
  }

  private async create(ctx: Changing, valid: CheckedProvider, secret: string): Promise<Saved> {
    const [id, now] = [newId(), this.clock.timestamp()];
    const clientSecret = this.secrets.encrypt(secret, secretBoundTo(id));
    const times = { createdAt: now, updatedAt: now };
    const provider = { id, organizationId: ctx.organizationId, ...valid, clientSecret, passwordsAllowed: true, ...times };
    await this.signOns.insert(provider, ctx.unit).catch(explainSecond);
    this.record(ctx, 'identity_provider.created', null, provider);
    return { provider, allowsPasswordsAgain: false };
  }

  private async update(ctx: Changing, before: IdentityProvider, valid: CheckedProvider, secret: string | undefined): Promise<Saved> {
    const isAnother = before.issuer !== valid.issuer || before.clientId !== valid.clientId;
    const boundTo = secretBoundTo(before.id);
    const isReplaced = secret !== undefined && secret !== this.secrets.decrypt(before.clientSecret, boundTo);
    const clientSecret = isReplaced ? this.secrets.encrypt(secret, boundTo) : before.clientSecret;
    const passwordsAllowed = before.passwordsAllowed || isAnother || isReplaced;
    // Subjects may be other ones for another client, too.
    if (isAnother) await this.signOns.deleteIdentities(ctx.organizationId, ctx.unit);
    const provider = await this.write(ctx, before, { ...before, ...valid, clientSecret, passwordsAllowed });
    return { provider, allowsPasswordsAgain: passwordsAllowed && !before.passwordsAllowed };
  }

  private async write(ctx: Changing, before: IdentityProvider, changed: IdentityProvider): Promise<IdentityProvider> {
    const after = { ...changed, updatedAt: this.clock.timestamp() };
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return before;
    await this.signOns.update(after, ctx.unit);
    this.record(ctx, 'identity_provider.updated', before, after);
    return after;
  }

  private record(ctx: Changing, action: AuditAction, before: Stored, after: Stored): void {
    this.audit.record(ctx, { action, resourceId: (after ?? before)!.id, changes: changesOf(before, after) });
  }

  private change<T>(
    actor: Actor,
    organizationId: string,
    work: (ctx: Changing, before: IdentityProvider | undefined) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) =>
      work(ctx, await this.signOns.lock(organizationId, ctx.unit)),
    );
  }
}

export const ISSUER_MAX = 1000;
export const CLIENT_ID_MAX = 500;
export const CLIENT_SECRET_MAX = 1000;
export const CLAIM_MAX = 200;
const LIST_MAX = 50;
const VALUE_MAX = 300;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

type Given = Pick<IdentityProvider, 'issuer' | 'clientId' | 'emailDomains' | 'roleClaim' | 'adminValues' | 'memberValues'>;
type CheckedProvider = Given & Pick<IdentityProvider, 'defaultRole'>;

export interface WantedProvider extends Readonly<Given> {
  /** undefined: the one that is stored. */
  readonly clientSecret: string | undefined;
  readonly defaultRole: string;
}

/** `isAllowed`: whether requests may go to a URL of this scheme and host. Throws a problem that names every wrong field. */
function checked(wanted: WantedProvider, before: IdentityProvider | undefined, isAllowed: (url: string) => boolean): CheckedProvider {
  const { clientId, clientSecret, adminValues, memberValues } = wanted;
  const [issuer, roleClaim] = [wanted.issuer.trim(), wanted.roleClaim?.trim() || null];
  const emailDomains = [...new Set(wanted.emailDomains.map((domain) => domain.toLowerCase()))];
  const defaultRole = GIVEN_ROLES.find((role) => role === wanted.defaultRole);
  const errors = [
    issuerError(issuer, isAllowed),
    textError('clientId', clientId, CLIENT_ID_MAX),
    secretError(clientSecret, before, issuer),
    domainsError(emailDomains),
    defaultRole ? undefined : error('defaultRole', 'not_allowed', `must be one of ${GIVEN_ROLES.join(', ')}`),
    roleClaim === null ? undefined : textError('roleClaim', roleClaim, CLAIM_MAX),
    valuesError('adminValues', adminValues),
    valuesError('memberValues', memberValues),
    roleClaim === null && adminValues.length + memberValues.length > 0
      ? error('roleClaim', 'required', 'is needed for the values below')
      : undefined,
  ].filter((found) => found !== undefined);
  if (errors.length > 0) throw Problem.validation(errors);
  const values = { adminValues: [...new Set(adminValues)], memberValues: [...new Set(memberValues)] };
  return { issuer, clientId, emailDomains, defaultRole: defaultRole as GivenRole, roleClaim, ...values };
}

const error = (field: string, code: FieldCode, message: string): FieldError => ({ location: 'body', field, code, message });

function issuerError(issuer: string, isAllowed: (url: string) => boolean): FieldError | undefined {
  if (issuer.length > ISSUER_MAX) return error('issuer', 'too_long', `must have at most ${ISSUER_MAX} characters`);
  if (!/^https?:/i.test(issuer) || !URL.canParse(issuer)) return error('issuer', 'not_allowed', 'must be a URL that begins with https://');
  const { username, password, search, hash, pathname } = new URL(issuer);
  if (!isAllowed(issuer)) return error('issuer', 'not_allowed', 'must begin with https://');
  if (username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]/.test(issuer))
    return error('issuer', 'not_allowed', 'must have no credentials, query or fragment');
  return pathname.includes('/.well-known/')
    ? error('issuer', 'not_allowed', 'must be the issuer alone, without /.well-known/openid-configuration')
    : undefined;
}

/** The stored secret is not sent to another issuer than the one that it is for. */
function secretError(secret: string | undefined, before: IdentityProvider | undefined, issuer: string): FieldError | undefined {
  if (secret !== undefined) return textError('clientSecret', secret, CLIENT_SECRET_MAX);
  if (!before) return error('clientSecret', 'required', 'is missing');
  return before.issuer === issuer ? undefined : error('clientSecret', 'required', 'is needed again for another issuer');
}

function textError(field: string, text: string, max: number): FieldError | undefined {
  if (text.trim() === '') return error(field, 'required', 'is missing');
  if (text.length > max) return error(field, 'too_long', `must have at most ${max} characters`);
  return isStorableText(text) ? undefined : error(field, 'invalid_text', 'must not contain NUL characters or lone surrogates');
}

function domainsError(domains: readonly string[]): FieldError | undefined {
  if (domains.length === 0) return error('emailDomains', 'required', 'needs at least one domain');
  if (domains.length > LIST_MAX) return error('emailDomains', 'too_many', `must have at most ${LIST_MAX} domains`);
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  return wrong === undefined
    ? undefined
    : error('emailDomains', 'not_allowed', `must be domains such as example.com, not ${wrong.slice(0, 100)}`);
}

function valuesError(field: string, values: readonly string[]): FieldError | undefined {
  if (values.length > LIST_MAX) return error(field, 'too_many', `must have at most ${LIST_MAX} values`);
  return values.map((value) => textError(field, value, VALUE_MAX)).find((found) => found !== undefined);
}

const signInFirst = (): PageRefusal =>
  new PageRefusal('You may not do this', 'Sign in with your company’s account first: this shows that it works.');
