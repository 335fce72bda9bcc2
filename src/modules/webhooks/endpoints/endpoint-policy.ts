import { Injectable } from '@nestjs/common';
import { EventReaders } from '../../../api/access/event-readers.js';
import type { Viewer } from '../../../api/access/hidden-fields.js';
import { Registry } from '../../../api/operation/registry.js';
import type { ResolvedTarget } from '../../../api/outbound/look-ups.js';
import type { Environment } from '../../../kernel/context.js';
import type { Caller } from '../../../kernel/permissions.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import { ProjectsService } from '../../projects/index.js';
import { requireAllowedTarget } from './endpoint-rules.js';
import type { Payload } from '../signing/message.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

export interface By {
  readonly caller: Caller & Viewer;
  /** The `targetUrl` of the input if it has one, which was looked up before the transaction. */
  readonly target: ResolvedTarget | undefined;
}

type Subscription = Pick<WebhookEndpoint, 'subscribedEvents'> & { readonly payload?: Payload | undefined };

/** What an endpoint may be. */
@Injectable()
export class EndpointPolicy {
  constructor(
    private readonly settings: Settings,
    private readonly readers: EventReaders,
    private readonly registry: Registry,
    private readonly projects: ProjectsService,
  ) {}

  /** A caller who changes an endpoint decides where its events go. So they may read the records of all that it subscribes to. */
  requireReadable(caller: By['caller'], { subscribedEvents, payload }: Subscription): void {
    this.readers.require(caller, subscribedEvents, { location: 'body', field: 'subscribedEvents' });
    const hidden = payload === 'thin' ? undefined : this.registry.hidden.from(caller);
    // With a thin payload, they fetch the record themselves, as they see it.
    const kind = hidden && subscribedEvents.find((one) => hidden.isInEvent(one));
    if (kind !== undefined)
      throw new Problem('fields_hidden', { detail: `${kind} has hidden fields: only a \`thin\` payload is sent to you.` });
  }

  requireTarget(target: ResolvedTarget, environment: Environment): void {
    requireAllowedTarget(target, environment, this.settings);
  }

  /** Of a credential for some projects, all are those of the credential. */
  existingProjects(ctx: ReadContext & { environment: Environment }, given?: readonly string[] | null): Promise<string[] | null> {
    return this.projects.requireExisting(ctx, given ?? ctx.projects);
  }
}
