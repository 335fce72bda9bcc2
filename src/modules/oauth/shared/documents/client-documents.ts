import { Injectable } from '@nestjs/common';
import { isObject, parsedJson } from '../../../../kernel/json.js';
import { readClientMetadata, type SharedClient } from '../../applications/client-metadata.js';
import { HOUR, MINUTE, refuse, RememberedDocuments } from './remembered-documents.js';

export const isDocumentUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** Client ID Metadata Documents. */
@Injectable()
export class ClientDocuments extends RememberedDocuments<SharedClient> {
  protected readonly what = 'metadata document';
  /** While its server is away, tokens of its users go on being refreshed. */
  protected readonly kept = { usual: 5 * MINUTE, most: HOUR, whileAway: 24 * HOUR };

  protected read(url: string, text: string): SharedClient {
    const document = parsedJson(text, () => refuse('it is not JSON'));
    if (!isObject(document)) return refuse('it is not a JSON object');
    if (document.client_id !== url) refuse('its client_id is not its URL');
    if ('client_secret' in document || 'client_secret_expires_at' in document) refuse('it has a client secret, which is public now');
    const { token_endpoint_auth_method: method = 'none' } = document;
    if (method !== 'none') refuse('its token_endpoint_auth_method is not none');
    const { host } = new URL(url);
    const { name = host, ...said } = readClientMetadata(document, this.settings.redirectSchemes);
    return { clientId: url, name, ...said, host, isListed: false };
  }
}
