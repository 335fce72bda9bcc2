import { ProtocolError, ResourceNotFoundError, type ReadResourceResult } from '@modelcontextprotocol/server';
import { REFUSED, type CallRest, type RestAnswer, type RestCall } from '../tools/rest-call.js';

export const read = (url: string): RestCall => ({ method: 'GET', url, headers: {}, body: undefined });

/** A file of the API as the contents of a resource. */
export async function contentsOf(uri: string, path: string, callRest: CallRest): Promise<ReadResourceResult['contents'][number]> {
  const answer = await callRest({ ...read(path), isFile: true });
  if (!answer.file) throw notFound(answer) ? new ResourceNotFoundError(uri) : refused(answer);
  const { mediaType, bytes } = answer.file;
  const mimeType = mediaType.split(';')[0]!;
  // Other encodings than UTF-8, too, are left to the client.
  const isText = mediaType === 'application/json' || /^text\/.*\butf-8$/.test(mediaType);
  return isText ? { uri, mimeType, text: bytes.toString() } : { uri, mimeType, blob: bytes.toString('base64') };
}

/** An id that is none names no resource either. */
export const notFound = ({ status }: RestAnswer): boolean => status === 404 || status === 400;

export function refused({ body, retryAfter }: RestAnswer): ProtocolError {
  const { detail = 'The resource cannot be read.' } = (body ?? {}) as { detail?: string };
  return new ProtocolError(REFUSED, `${detail}${retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`}`, body);
}
