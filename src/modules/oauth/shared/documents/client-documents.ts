import { Injectable } from '@nestjs/common';
import { isObject, parsedJson } from '../../../../kernel/json.js';
import { ClientMetadataRefused, readClientMetadata, type SharedClient } from '../../applications/client-metadata.js';
import { HOUR, MINUTE, RememberedDocuments } from './remembered-documents.js';

export const isDocumentUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** Client ID Metadata Documents. */
@Injectable()
export class ClientDocuments extends RememberedDocuments<SharedClient> {
  protected readonly what = 'metadata document';
  /** While its server is away, tokens of its users go on being refreshed. */
  protected readonly kept = { usual: 5 * MINUTE, most: HOUR, whileAway: 24 * HOUR };

  protected read(url: string, text: string): SharedClient {
    const document = parse(text);
    if (document.client_id !== url) throw refused('its client_id is not its URL');
    if ('client_secret' in document || 'client_secret_expires_at' in document) throw refused('it has a client secret, which is public now');
    const { token_endpoint_auth_method: method = 'none' } = document;
    if (method !== 'none') throw refused('its token_endpoint_auth_method is not none');
    const { host } = new URL(url);
    const { name = host, ...said } = readClientMetadata(document, this.settings.redirectSchemes);
    return { clientId: url, name, ...said, host, isListed: false };
  }
}

function parse(text: string): Record<string, unknown> {
  const refuse = (reason: string): never => {
    throw refused(reason);
  };
  const value = parsedJson(text, () => refuse('it is not JSON'));
  return isObject(value) ? value : refuse('it is not a JSON object');
}

const refused = (reason: string): ClientMetadataRefused => new ClientMetadataRefused('invalid_client_metadata', reason);
