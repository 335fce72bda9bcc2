export const FIRST_PAGE = '/console/test';
/** Pages of the console, an invitation, and the question whether an application may act for somebody. */
const WANTED = [
  /^\/console\/(test|live)(\/[\w-]+)*(\?[\w=&%.+-]*)?$/,
  /^\/invitations\/[\w-]+$/,
  /^\/oauth\/(interaction\/[\w-]+|connections)$/,
];

/** The page that somebody wanted before they signed in. Any other address is the first page: nobody is led elsewhere. */
export const pageWithin = (next: unknown): string =>
  typeof next === 'string' && WANTED.some((address) => address.test(next)) ? next : FIRST_PAGE;
