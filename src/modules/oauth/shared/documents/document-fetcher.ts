import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { LookUps } from '../../../../api/outbound/look-ups.js';
import { reasonOfNoAnswer, StrangerClient, textWithin, TIMEOUT_SECONDS } from '../../../../api/outbound/stranger-client.js';
import type { NoAnswerReason } from '../../../../api/outbound/stranger-client.js';
import { Settings } from '../../../../kernel/settings/settings.js';

export const DOCUMENT_MAX_BYTES = 16 * 1024;

export interface Fetched {
  readonly text: string;
  /** How long it may be kept, as its server says. */
  readonly maxAgeSeconds: number | undefined;
}

/** Why there is no document. `isTemporary`: its server did not answer, or not as it should at the moment. */
export class DocumentNotFetched extends Error {
  constructor(
    message: string,
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const REASONS: Readonly<Record<NoAnswerReason, readonly [message: string, isTemporary: boolean]>> = {
  busy: ['too many documents of its host are being fetched', true],
  not_public: ['its address is not public', false],
  slow: [`its server takes longer than ${TIMEOUT_SECONDS} seconds`, true],
  too_large: [`it is larger than ${DOCUMENT_MAX_BYTES / 1024} KiB`, false],
  unreachable: ['its server cannot be reached', true],
};

@Injectable()
export class DocumentFetcher implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(settings: Settings, lookUps: LookUps) {
    const allowed = settings.clientDocumentAllowedNetworks;
    this.client = new StrangerClient({ what: 'Metadata documents', owner: 'metadata documents', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  async fetch(url: string): Promise<Fetched> {
    try {
      return await this.client.request(url, { headers: { accept: 'application/json' } }, documentIn);
    } catch (error) {
      throw error instanceof DocumentNotFetched ? error : new DocumentNotFetched(...REASONS[reasonOfNoAnswer(error)], error);
    }
  }
}

async function documentIn({ statusCode, headers, body }: Dispatcher.ResponseData<unknown>): Promise<Fetched> {
  if (statusCode !== 200) throw new DocumentNotFetched(`its address answers with status ${statusCode}`, statusCode >= 500);
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
    throw new DocumentNotFetched('it is not served as application/json', false);
  return { text: await textWithin(DOCUMENT_MAX_BYTES, body), maxAgeSeconds: maxAgeOf(headers['cache-control']) };
}

function maxAgeOf(cacheControl: string | string[] | undefined): number | undefined {
  const [, seconds] = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})\b/i.exec(String(cacheControl ?? '')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
