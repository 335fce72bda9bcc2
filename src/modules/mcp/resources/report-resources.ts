import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { CallRest } from '../tools/rest-call.js';
import { contentsOf, notFound, read, refused } from './rest-reading.js';

const REPORTS = '/v1/claim-reports';
const ADDRESS = /^claims:\/\/reports\/([^/?#]+)(?:\/([^/?#]+))?$/;
/** Larger files are for programs: a model would have to read all of it. */
const MAX_FILE_BYTES = 1024 * 1024;
/** How many runs a client is shown. Others are read by their id. */
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
export async function listReports(callRest: CallRest): Promise<Resource[]> {
  const answer = await callRest(read(`${REPORTS}?status=succeeded&page_size=${LISTED_RUNS}`));
  if (answer.status === 403) return [];
  if (answer.status !== 200) throw refused(answer);
  return (answer.body as { data: readonly Run[] }).data.map(({ id, finishedAt }) => ({
    uri: `claims://reports/${id}`,
    name: `claim_report_${id}`,
    title: `Claim report of ${finishedAt?.slice(0, 10)}`,
    mimeType: 'application/json',
  }));
}

export async function readReport(uri: string, callRest: CallRest): Promise<ReadResourceResult> {
  const [, id, format] = ADDRESS.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri, `${uri} is not the address of a resource.`);
  const path = `${REPORTS}/${id}`;
  const answer = await callRest(read(path));
  if (answer.status !== 200) throw notFound(answer) ? new ResourceNotFoundError(uri) : refused(answer);
  if (format === undefined) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(answer.body) }] };
  const output = (answer.body as Run).result?.outputs.find((made) => made.format === format);
  if (!output) throw new ResourceNotFoundError(uri, `The run has no ${format} file.`);
  if (output.bytes > MAX_FILE_BYTES) throw tooLarge(output.bytes, `${path}/outputs/${format}`);
  return { contents: [await contentsOf(uri, `${path}/outputs/${format}`, callRest)] };
}

function tooLarge(bytes: number, path: string): ProtocolError {
  const message = `The file has ${bytes} bytes, and a resource at most ${MAX_FILE_BYTES}. A program can download it: GET ${path}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
