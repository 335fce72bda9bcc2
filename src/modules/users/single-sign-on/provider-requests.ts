import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomFetchOptions } from 'openid-client';
import { hostOf, LookUps } from '../../../api/outbound/look-ups.js';
import { reasonOfNoAnswer, StrangerClient, textWithin, TIMEOUT_SECONDS } from '../../../api/outbound/stranger-client.js';
import type { NoAnswerReason } from '../../../api/outbound/stranger-client.js';
import { isAddressIn } from '../../../kernel/addresses.js';
import { Settings } from '../../../kernel/settings/settings.js';

const ANSWER_MAX_BYTES = 256 * 1024;
/** `Response` takes no body with these. */
const WITHOUT_BODY = [204, 205, 304];

export class ProviderSilent extends Error {}

const REASONS: Readonly<Record<NoAnswerReason, string>> = {
  busy: 'too many requests to it are under way',
  not_public: 'its address is not public',
  slow: `it takes longer than ${TIMEOUT_SECONDS} seconds`,
  too_large: `its answer is larger than ${ANSWER_MAX_BYTES / 1024} KiB`,
  unreachable: 'its server cannot be reached',
};

/** Requests to identity providers, whose addresses organizations chose. */
@Injectable()
export class ProviderRequests implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(
    private readonly settings: Settings,
    lookUps: LookUps,
  ) {
    const allowed = settings.identityProviderAllowedNetworks;
    this.client = new StrangerClient({ what: 'Requests to identity providers', owner: 'identity providers', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  /** Whether requests may go there at all: https, or an address that the operator has allowed. */
  isAllowed(url: string): boolean {
    return new URL(url).protocol === 'https:' || isAddressIn(hostOf(url), this.settings.identityProviderAllowedNetworks);
  }

  /** Such as the library takes it in the place of `fetch`. */
  readonly fetch = async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    if (!this.isAllowed(url)) throw new ProviderSilent('one of its addresses does not begin with https://');
    try {
      return await this.client.request(url, { method: method as 'GET', headers, body: textOf(body) }, async (answer) => {
        const text = await textWithin(ANSWER_MAX_BYTES, answer.body);
        const type = String(answer.headers['content-type'] ?? '');
        const status = answer.statusCode;
        return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers: { 'Content-Type': type } });
      });
    } catch (error) {
      throw new ProviderSilent(REASONS[reasonOfNoAnswer(error)], { cause: error });
    }
  };
}

/** The library sends forms, or nothing. */
const textOf = (body: unknown): string | null => (body instanceof URLSearchParams ? body.toString() : null);
