import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure } from '../../../api/http/other-site.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { isStorableText } from '../../../kernel/text.js';
import { Clock } from '../../../kernel/time.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import { OrganizationService } from '../../organization/index.js';
import { pageWithin } from '../sign-in/page-within.js';
import type { UserFacts } from '../user-rules.js';
import { CALLBACK_PATH } from './provider-client.js';
import { SignInWays } from './sign-in-ways.js';
import { reasonOf } from './sign-in-provider.js';
import { type Call, SignOnService, type Door, type RefusedSignOn } from './sign-on.service.js';

type Started = { readonly url: string } | { readonly isUnknown: true } | RefusedSignOn;

/** Remembers a sign-in in the browser that has begun it, encrypted: nobody can make another browser go on with it. */
@Injectable()
export class StartedSignOns {
  /** Browsers accept a cookie with this prefix only from the host itself, over https. */
  private readonly cookie: string;
  private readonly secure: string;

  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.cookie = isSecure(settings) ? '__Host-claims_sign_on' : 'claims_sign_on';
    this.secure = isSecure(settings) ? '; Secure' : '';
  }

  keep(reply: FastifyReply, started: StartedSignOn): void {
    const until = this.clock.now().getTime() + MINUTES * 60_000;
    const value = this.secrets.encrypt(JSON.stringify({ ...started, until }), OWNER).toString('base64url');
    this.setCookie(reply, value, MINUTES * 60);
  }

  /** Once: the browser forgets it. */
  take({ headers }: FastifyRequest, reply: FastifyReply): StartedSignOn | undefined {
    const value = new RegExp(`(?:^|; )${this.cookie}=([\\w-]{1,3000})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
    this.setCookie(reply, '', 0);
    if (value === undefined) return undefined;
    try {
      const { until, ...started } = JSON.parse(this.secrets.decrypt(Buffer.from(value, 'base64url'), OWNER)) as StartedSignOn & {
        readonly until: number;
      };
      return until > this.clock.now().getTime() ? started : undefined;
    } catch {
      return undefined;
    }
  }

  private setCookie(reply: FastifyReply, value: string, seconds: number): void {
    void reply.header('Set-Cookie', `${this.cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.secure}`);
  }
}

/** The two steps of a sign-in otherwise than with a password. What providers say when something fails is shown and logged nowhere. */
@Injectable()
export class CompanySignIn {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly ways: SignInWays,
    private readonly started: StartedSignOns,
    private readonly signOns: SignOnService,
    private readonly settings: Settings,
  ) {}

  /** What the address of a provider may begin with. */
  get possibleTargets(): string[] {
    return ['https://provider', ...(this.settings.identityProviderAllowedNetworks.length > 0 ? ['http://provider'] : [])];
  }

  /** Where the browser goes now. An organization that does not exist is like one without single sign-on. */
  async start(reply: FastifyReply, slug: string, next: string, call: Call): Promise<Started> {
    const door = await this.findDoor(slug.trim().toLowerCase());
    if (!door) return { isUnknown: true };
    const { organizationId, way } = door;
    try {
      const { url, kept } = await this.ways.begin(way, this.settings.publicUrl + CALLBACK_PATH);
      this.started.keep(reply, { organizationId, key: way.key, kept, next });
      return { url };
    } catch (error) {
      return this.signOns.refuse(door, reasonOf(error), call);
    }
  }

  /** Who came back from the provider, and to which page they go. */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ readonly user: UserFacts; readonly next: string } | RefusedSignOn> {
    const started = this.started.take(request, reply);
    const door = started && (await this.findDoor(started.organizationId));
    if (!started || door?.way.key !== started.key) return { refused: 'expired' };
    const call = { address: request.ip, requestId: request.id };
    let vouched;
    try {
      vouched = await this.ways.finish(door.way, { query: queryOf(request.url), headers: request.headers, kept: started.kept });
    } catch (error) {
      return this.signOns.refuse(door, reasonOf(error), call);
    }
    const result = await this.signOns.signIn(door, vouched, call);
    return 'refused' in result ? result : { ...result, next: pageWithin(started.next) };
  }

  private async findDoor(idOrSlug: string): Promise<Door | undefined> {
    if (idOrSlug === '' || !isStorableText(idOrSlug)) return undefined;
    try {
      const { id, slug } = await this.organizations.named(idOrSlug);
      const way = await this.ways.find({ id, slug });
      return way && { organizationId: id, way };
    } catch (error) {
      // It does not exist, or is being erased.
      if (error instanceof Problem && error.status < 500) return undefined;
      throw error;
    }
  }
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

const MINUTES = 10;
const OWNER = 'a sign-in by an identity provider';

interface StartedSignOn {
  readonly organizationId: string;
  /** Names the way by which it was begun. */
  readonly key: string;
  /** What the way wants back. */
  readonly kept: string;
  readonly next: string;
}
