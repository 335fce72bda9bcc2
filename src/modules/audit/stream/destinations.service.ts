import { Injectable } from '@nestjs/common';
import { addressIn } from '../../../api/outbound/stranger-client.js';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { AuditDestination } from './destination.entity.js';
import { boundTo, DestinationsRepository, type ListedDestination } from './destinations.repository.js';

export const DESTINATIONS_MAX = 3;

export type NewDestination = Pick<AuditDestination, 'kind' | 'url' | 'name' | 'region'> & { readonly secret: string };

/** Printable ASCII that begins and ends with something visible. */
const SECRET = /^[!-~]([ -~]{0,1022}[!-~])?$/;
/** The name of a header that neither HTTP nor the service sets; of S3 the id of an access key. */
const NAME = {
  https:
    /^(?!(?:host|user-agent|expect|date|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|proxy-.*)$)[\w-]{1,100}$/i,
  s3: /^[\w.-]{1,128}$/,
};
const REGION = /^[a-z\d-]{1,40}$/;

@Injectable()
export class LogDestinations {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly settings: Settings,
    private readonly secrets: Secrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: DatabaseClock,
  ) {}

  ofOrganization(organizationId: string): Promise<ListedDestination[]> {
    return this.destinations.ofOrganization(organizationId);
  }

  /** It gets the whole log, from its first event. */
  async add(actor: Actor, organizationId: string, { secret, ...wanted }: NewDestination): Promise<string> {
    this.requireAllowed({ secret, ...wanted });
    const [id, now] = [newId(), this.clock.timestamp()];
    const position = { sequence: 0, lastCreatedAt: null, lastId: null, batchEnd: null, sentAt: null, leasedUntil: null };
    const state = { failure: null, failingSince: null, dueAt: now, createdAt: now };
    const row = { ...wanted, organizationId, id, secret: this.secrets.encrypt(secret, boundTo(id)), ...position, ...state };
    await this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const known = await this.destinations.lock(organizationId, ctx.unit);
      if (known.some(({ url }) => url === wanted.url)) throw refused('url', 'is a destination of this log already');
      if (known.length >= DESTINATIONS_MAX) throw refused('url', `must be one of at most ${DESTINATIONS_MAX}: remove one first`);
      await this.destinations.insert(row, ctx.unit);
      const changes = { kind: { from: null, to: wanted.kind }, url: { from: null, to: wanted.url } };
      this.audit.record(ctx, { action: 'organization.log_destination_added', resourceId: organizationId, changes });
    });
    return id;
  }

  remove(actor: Actor, organizationId: string, id: string): Promise<void> {
    return this.unitOfWork.run(changeContext(organizationId, actor), async (ctx) => {
      const url = await this.destinations.remove(organizationId, id, ctx.unit);
      if (url === undefined) throw Problem.notFound('destination with this id');
      const changes = { url: { from: url, to: null } };
      this.audit.record(ctx, { action: 'organization.log_destination_removed', resourceId: organizationId, changes });
    });
  }

  // No message repeats what was given: a secret may be in the wrong field.
  private requireAllowed({ kind, url, name, region, secret }: NewDestination): void {
    const address = addressIn(url, this.settings.webhookAllowedNetworks, this.settings.outboundHosts);
    if (!address) throw refused('url', 'must be a public https:// address, without credentials or fragment');
    if (kind === 's3' && (address.search !== '' || !/^[\w./-]*$/.test(address.pathname)))
      throw refused('url', 'must end with a bucket or a folder in it, of letters, digits, dots, hyphens and slashes');
    if (!NAME[kind].test(name)) throw refused('name', kind === 's3' ? 'must be the id of an access key' : 'must be the name of a header');
    if (kind === 's3' && !REGION.test(region ?? '')) throw refused('region', 'must be a region such as eu-central-1');
    if (!SECRET.test(secret)) throw refused('secret', 'must be printable ASCII without blanks at its ends, 1,024 characters at most');
  }
}

const refused = (field: string, message: string): Problem => Problem.invalidField(field, 'not_allowed', message);
