import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageWithin } from '../sign-in/page-within.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { isStorableText } from '../../../kernel/text.js';
import { OrganizationService } from '../../organization/index.js';
import type { UserFacts } from '../user-rules.js';
import { CALLBACK_PATH } from './provider-client.js';
import { SignInWays } from './sign-in-ways.js';
import { reasonOf } from './sign-on-refusals.js';
import { type Call, SignOnService, type Door, type RefusedSignOn } from './sign-on.service.js';
import { StartedSignOns } from './started-sign-ons.js';

type Started = { readonly url: string } | { readonly isUnknown: true } | RefusedSignOn;

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
