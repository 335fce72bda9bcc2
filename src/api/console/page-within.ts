export const FIRST_PAGE = '/console/test';

/** The page of the console that somebody wanted. Any other address is the first page: nobody is led elsewhere. */
export function pageWithin(next: unknown): string {
  return typeof next === 'string' && /^\/console\/(test|live)(\/[\w-]+)*(\?[\w=&%.+-]*)?$/.test(next) ? next : FIRST_PAGE;
}
