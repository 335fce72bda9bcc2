import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { PublishedGuide } from '../../api/operation/document-source.js';
import { costOf } from '../../../tools/text-for-models/index.js';
import { fitted } from './tools/fitting.js';
import { REFUSED, urlOf, type CallRest, type RestAnswer, type RestCall, type ToolFilter } from './tools/tool.js';

export interface Access {
  readonly callRest: CallRest;
  readonly guides: Guides;
  /** Absent over stdio. */
  readonly filter?: ToolFilter;
}

export async function listResources({ callRest, guides }: Access): Promise<Resource[]> {
  return (await Promise.all([listGuides(guides), listReports(callRest)])).flat();
}

export function readResource(uri: string, access: Access): Promise<ReadResourceResult> {
  return isGuide(uri) ? readGuide(uri, access.guides) : readReport(uri, access);
}

export interface Guides {
  list(): Promise<readonly Guide[]>;
  /** In Markdown; undefined if there is none of this name. */
  text(name: string): Promise<string | undefined>;
}

export type Guide = Omit<PublishedGuide, 'text'>;

const SCHEME = 'claims://guides/';
export const isGuide = (uri: string): boolean => uri.startsWith(SCHEME);

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
const LINK = { operation: 'claim_report_shares.create', method: 'POST', path: `${REPORTS}/{report_id}/links`, query: {} };
const ADDRESS = /^claims:\/\/reports\/([^/?#]+)(?:\/([^/?#]+))?(\?content=true)?$/;
/** Larger files, and all that are no text, are a link unless their content is asked for. */
const MAX_TEXT_BYTES = 16 * 1024;
const MAX_TEXT_TOKENS = 5_900;
const LINK_MINUTES = 10;
/** Larger files are for programs: a model would have to read all of it. */
const MAX_FILE_BYTES = 1024 * 1024;
const LISTED_RUNS = 20;

export const reportTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'claims://reports/{id}{?content}',
    name: 'claim_report',
    title: 'Claim report run',
    description: 'Status and result of a run; large ones shortened, but for content=true.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'claims://reports/{id}/{format}{?content}',
    name: 'claim_report_file',
    title: 'File of a claim report run',
    description: 'A small text, or a link to the file for a person. With content=true the file itself, of at most 1 MiB.',
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

/** The run whose resource it is, or that of one of its files. */
export async function findRun(uri: string, callRest: CallRest): Promise<RestAnswer> {
  const [, id] = ADDRESS.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri, `${uri} is not the address of a resource.`);
  const answer = await callRest(read({ operation: 'claim_reports.get', path: `${REPORTS}/{report_id}`, params: { report_id: id } }));
  if (answer.status !== 200) throw notFound(answer) ? new ResourceNotFoundError(uri) : refused(answer);
  return answer;
}

async function readReport(uri: string, access: Access): Promise<ReadResourceResult> {
  const { callRest } = access;
  const answer = await findRun(uri, callRest);
  const [, id, format, content] = ADDRESS.exec(uri)!;
  const run = answer.body as Run & Readonly<Record<string, unknown>>;
  if (format === undefined) return { contents: [json(uri, content ? run : fitted(run, run).content)] };
  const output = run.result?.outputs.find((made) => made.format === format);
  if (!output) throw new ResourceNotFoundError(uri, `The run has no ${format} file.`);
  const file: Read = { operation: DOWNLOAD, path: `${REPORTS}/{report_id}/outputs/{format}`, params: { report_id: id!, format } };
  if (content === undefined && output.bytes > MAX_TEXT_BYTES) return readLink(uri, file, access);
  if (output.bytes > MAX_FILE_BYTES) throw tooLarge(output.bytes, urlOf(read(file)));
  const contents = await readContents(uri, file, callRest);
  const isShown = content !== undefined || ('text' in contents && costOf(contents.text) <= MAX_TEXT_TOKENS);
  return isShown ? { contents: [contents] } : readLink(uri, file, access);
}

const json = (uri: string, said: object) => ({ uri, mimeType: 'application/json', text: JSON.stringify(said) });

/** An address that opens the file for some minutes. Where none may be made, that of the API, which takes the credential. */
async function readLink(uri: string, file: Read, { callRest, filter }: Access): Promise<ReadResourceResult> {
  const { report_id, format } = file.params!;
  const others = { download: `GET ${urlOf(read(file))}`, content: `${uri}?content=true` };
  const link = { ...LINK, params: { report_id: report_id! }, key: randomUUID(), body: { format, minutes: LINK_MINUTES } };
  const answer = filter?.isReadOnly ? undefined : await callRest(link);
  if (answer && ![200, 403].includes(answer.status)) throw refused(answer);
  const { address, expiresAt } = (answer?.status === 200 ? answer.body : {}) as { address?: string; expiresAt?: string };
  return { contents: [json(uri, { ...(address && { link: address, expiresAt }), ...others })] };
}

function tooLarge(bytes: number, path: string): ProtocolError {
  const message = `The file has ${bytes} bytes, and a resource at most ${MAX_FILE_BYTES}. A program can download it: GET ${path}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

type Read = Pick<RestCall, 'operation' | 'path'> & Partial<RestCall>;

const read = (call: Read): RestCall => ({ method: 'GET', params: {}, query: {}, ...call });

async function readContents(uri: string, call: Read, callRest: CallRest): Promise<ReadResourceResult['contents'][number]> {
  const answer = await callRest(read(call));
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
