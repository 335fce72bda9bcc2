import { Injectable } from '@nestjs/common';
import type { SignInWay } from '../../../api/console/page-context.js';
import type { AuditAction } from '../../../kernel/audit-actions.js';
import { type Changes, changesBetween } from '../../../kernel/changes.js';
import { type Actor, type ChangeContext, changeContext } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { brokenConstraint } from '../../../store/database/database.js';
import { type InTransaction, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { IdentityProvider } from './identity-provider.entity.js';
import { ProviderRequests } from './provider-client.js';
import { checked, type CheckedProvider, signInFirst, type WantedProvider } from './provider-rules.js';
import { secretBoundTo, SingleSignOnRepository } from './single-sign-on.repository.js';

/** What the audit log shows: never the secret. */
function changesOf(before: IdentityProvider | null, after: IdentityProvider | null): Changes {
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

export interface Saved {
  readonly provider: IdentityProvider;
  /** It is another provider, client or secret, which may not work: passwords are allowed again. */
  readonly allowsPasswordsAgain: boolean;
}

/** What owners say about the identity provider of their organization. */
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

  private async create(ctx: InTransaction<ChangeContext>, valid: CheckedProvider, secret: string): Promise<Saved> {
    const [id, now] = [newId(), this.clock.timestamp()];
    const clientSecret = this.secrets.encrypt(secret, secretBoundTo(id));
    const times = { createdAt: now, updatedAt: now };
    const provider = { id, organizationId: ctx.organizationId, ...valid, clientSecret, passwordsAllowed: true, ...times };
    await this.signOns.insert(provider, ctx.unit).catch(explainSecond);
    this.record(ctx, 'identity_provider.created', null, provider);
    return { provider, allowsPasswordsAgain: false };
  }

  private async update(
    ctx: InTransaction<ChangeContext>,
    before: IdentityProvider,
    valid: CheckedProvider,
    secret: string | undefined,
  ): Promise<Saved> {
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

  private async write(ctx: InTransaction<ChangeContext>, before: IdentityProvider, changed: IdentityProvider): Promise<IdentityProvider> {
    const after = { ...changed, updatedAt: this.clock.timestamp() };
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return before;
    await this.signOns.update(after, ctx.unit);
    this.record(ctx, 'identity_provider.updated', before, after);
    return after;
  }

  private record(
    ctx: InTransaction<ChangeContext>,
    action: AuditAction,
    before: IdentityProvider | null,
    after: IdentityProvider | null,
  ): void {
    this.audit.record(ctx, { action, resourceId: (after ?? before)!.id, changes: changesOf(before, after) });
  }

  private change<T>(
    actor: Actor,
    organizationId: string,
    work: (ctx: InTransaction<ChangeContext>, before: IdentityProvider | undefined) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) =>
      work(ctx, await this.signOns.lock(organizationId, ctx.unit)),
    );
  }
}
