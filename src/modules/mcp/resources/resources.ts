import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import type { CallRest } from '../tools/rest-call.js';
import { isGuide, listGuides, readGuide } from './guide-resources.js';
import { listReports, readReport } from './report-resources.js';

export async function listResources(callRest: CallRest): Promise<Resource[]> {
  return (await Promise.all([listGuides(callRest), listReports(callRest)])).flat();
}

export function readResource(uri: string, callRest: CallRest): Promise<ReadResourceResult> {
  return isGuide(uri) ? readGuide(uri, callRest) : readReport(uri, callRest);
}
