import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { PublishedGuide } from '../../api/operation/document-source.js';
import { REFUSED, urlOf, type CallRest, type RestAnswer, type RestCall } from './tools/tool.js';

export interface Access {
  readonly callRest: CallRest;
  readonly guides: Guides;
}

export async function listResources({ callRest, guides }: Access): Promise<Resource[]> {
  return (await Promise.all([listGuides(guides), listReports(callRest)])).flat();
}

export function readResource(uri: string, { callRest, guides }: Access): Promise<ReadResourceResult> {
  return uri.startsWith(SCHEME) ? readGuide(uri, guides) : readReport(uri, callRest);
}

export interface Guides {
  list(): Promise<readonly Guide[]>;
  /** In Markdown; undefined if there is none of this name. */
  text(name: string): Promise<string | undefined>;
}

export type Guide = Omit<PublishedGuide, 'text'>;

const SCHEME = 'claims://guides/';

async function listGuides(guides: Guides): Promise<Resource[]> {
  return (await guides.list()).map(({ name, title, about }) => ({
    uri: SCHEME + name,
    name: `guide_${name}`,
    title,
    description: about,
    mimeType: 'text/markdown',
  }));
}

async function readGuide(uri: string, guides: Guides): Promise<ReadResourceResult> {
  const text = await guides.text(uri.slice(SCHEME.length));
  if (text === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

const REPORTS = '/v1/claim-reports';
const DOWNLOAD = 'claim_reports.download';
const ADDRESS = /^claims:\/\/reports\/([^/?#]+)(?:\/([^/?#]+))?$/;
/** Larger files are for programs: a model would have to read all of it. */
const MAX_FILE_BYTES = 1024 * 1024;
const LISTED_RUNS = 20;

export const reportTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'claims://reports/{id}',
    name: 'claim_report',
    title: 'Claim report run',
    description: 'Status and result of a run.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'claims://reports/{id}/{format}',
    name: 'claim_report_file',
    title: 'File of a claim report run',
    description: 'A file that outputs of the result names, of at most 1 MiB.',
  },
];

interface Run {
  readonly id: string;
  readonly finishedAt: string | null;
  readonly result: { readonly outputs: readonly { readonly format: string; readonly bytes: number }[] } | null;
}

/** The latest runs that have succeeded; none for a credential that may not see them. */
async function listReports(callRest: CallRest): Promise<Resource[]> {
  const answer = await callRest(
    read({ operation: 'claim_reports.list', path: REPORTS, query: { status: 'succeeded', page_size: String(LISTED_RUNS) } }),
  );
  if (answer.status === 403) return [];
  if (answer.status !== 200) throw refused(answer);
  return (answer.body as { data: readonly Run[] }).data.map(({ id, finishedAt }) => ({
    uri: `claims://reports/${id}`,
    name: `claim_report_${id}`,
    title: `Claim report of ${finishedAt?.slice(0, 10)}`,
    mimeType: 'application/json',
  }));
}

async function readReport(uri: string, callRest: CallRest): Promise<ReadResourceResult> {
  const [, id, format] = ADDRESS.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri, `${uri} is not the address of a resource.`);
  const answer = await callRest(read({ operation: 'claim_reports.get', path: `${REPORTS}/{report_id}`, params: { report_id: id } }));
  if (answer.status !== 200) throw notFound(answer) ? new ResourceNotFoundError(uri) : refused(answer);
  if (format === undefined) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(answer.body) }] };
  const output = (answer.body as Run).result?.outputs.find((made) => made.format === format);
  if (!output) throw new ResourceNotFoundError(uri, `The run has no ${format} file.`);
  const path = `${REPORTS}/{report_id}/outputs/{format}`;
  const params = { report_id: id, format };
  if (output.bytes > MAX_FILE_BYTES) throw tooLarge(output.bytes, urlOf({ path, params, query: {} }));
  return { contents: [await readContents(uri, { operation: DOWNLOAD, path, params }, callRest)] };
}

function tooLarge(bytes: number, path: string): ProtocolError {
  const message = `The file has ${bytes} bytes, and a resource at most ${MAX_FILE_BYTES}. A program can download it: GET ${path}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

type Read = Pick<RestCall, 'operation' | 'path'> & Partial<RestCall>;

const read = (call: Read): RestCall => ({ method: 'GET', params: {}, query: {}, ...call });

async function readContents(uri: string, call: Read, callRest: CallRest): Promise<ReadResourceResult['contents'][number]> {
  const answer = await callRest({ ...read(call), isFile: true });
  if (!answer.file) throw notFound(answer) ? new ResourceNotFoundError(uri) : refused(answer);
  const { mediaType, bytes } = answer.file;
  const mimeType = mediaType.split(';')[0]!;
  // Other encodings than UTF-8, too, are left to the client.
  const isText = mediaType === 'application/json' || /^text\/.*\butf-8$/.test(mediaType);
  return isText ? { uri, mimeType, text: bytes.toString() } : { uri, mimeType, blob: bytes.toString('base64') };
}

/** An id that is none names no resource either. */
export const notFound = ({ status }: RestAnswer): boolean => status === 404 || status === 400;

export function refused({ body, retryAfter }: RestAnswer, otherwise = 'The resource cannot be read.'): ProtocolError {
  const { detail = otherwise } = (body ?? {}) as { detail?: string };
  return new ProtocolError(REFUSED, `${detail}${retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`}`, body);
}
